/* SPDX-License-Identifier: MIT */
#include "profile/source-text.h"

#include <string.h>

#include "base/text.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

const char *source_file_text(const struct source_line *l, bool full_path)
{
	const char *slash = full_path ? NULL : strrchr(l->file, '/');

	return slash ? slash + 1 : l->file;
}

void source_line_text(const struct source_line *l, bool full_path, struct text *out)
{
	text_add(out, source_file_text(l, full_path));
	text_addf(out, ":%u", l->line);
}

/*
 * True if @sym is a stub. The linker makes stubs, so they are in no source file. Stubs without
 * names are after _init.
 */
static bool source_text_is_stub(const struct symbol *sym)
{
	static const char suffix[] = "@plt";
	size_t n = strlen(sym->name), suffix_n = sizeof(suffix) - 1;

	return (n > suffix_n && !strcmp(sym->name + n - suffix_n, suffix)) ||
	       !strcmp(sym->name, "_init");
}

bool source_is_unknown(const struct image *im, const struct symbol *sym)
{
	enum image_origin origin = image_origin(im);

	if (origin == ORIGIN_NOTHING || origin == ORIGIN_KERNEL_LIST || origin == ORIGIN_JIT)
		return false;
	return image_kind(im) != IMAGE_VDSO && !(sym && source_text_is_stub(sym));
}
