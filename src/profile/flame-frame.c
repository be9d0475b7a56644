/* SPDX-License-Identifier: MIT */
#include "profile/flame-frame.h"

#include <string.h>

#include "base/text.h"
#include "profile/frame-choice.h"
#include "profile/frames.h"
#include "session/sample-filter.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

const char *flame_frame_object(const struct frame *f)
{
	return f->image ? image_short_name(f->image) : "";
}

void flame_frame_name(const struct frame *f, struct text *out)
{
	const char *image = flame_frame_object(f);

	if (f->sym)
		text_add(out, f->sym->name);
	else if (*image == '[')
		text_add(out, image);
	else
		text_addf(out, "[%s]", *image ? image : "unknown");
}

bool flame_frame_is_of_kernel(const struct frame *f)
{
	return f->mode != ADDRESS_USER && f->mode != ADDRESS_GUEST_USER;
}

enum flame_kind flame_frame_kind(const struct frame *f)
{
	enum image_kind image = f->image ? image_kind(f->image) : IMAGE_UNKNOWN;
	enum runtime_kind language = frame_language(f);

	if (language)
		return (enum flame_kind)(FLAME_LANGUAGES + (int)language - RUNTIME_KIND_PYTHON);
	if (!f->sym)
		return FLAME_UNKNOWN;
	if (f->sym->is_inlined)
		return FLAME_INLINED;
	if (image == IMAGE_JIT || image == IMAGE_JITDUMP)
		return FLAME_JIT;
	return flame_frame_is_of_kernel(f) ? FLAME_KERNEL : FLAME_USER;
}

bool flame_frame_passes(const struct frame *f, const struct sample_filter *filter, const char *part)
{
	const struct location loc = {
		.addr = f->addr, .map = f->map, .image_addr = f->addr, .sym = f->sym
	};

	if (part && !(f->sym && strstr(f->sym->name, part)))
		return false;
	return !filter || !sample_filter_has_places(filter) ||
	       sample_filter_passes_place(filter, &loc);
}
