/* SPDX-License-Identifier: MIT */
#include "profile/frame-choice.h"

#include <errno.h>
#include <string.h>

#include "profile/frames.h"
#include "runtime/runtime.h"
#include "symbol/symbolizer.h"

static const char *const names[N_FRAME_CHOICES] = {
	[FRAME_CHOICE_ALL] = "all",
	[FRAME_CHOICE_NATIVE] = "native",
	[FRAME_CHOICE_INTERPRETED] = "interpreted",
};

const char *frame_choice_name(enum frame_choice choice)
{
	return names[choice];
}

int frame_choice_find(const char *word)
{
	for (int i = 0; i < N_FRAME_CHOICES; i++)
		if (!strcmp(names[i], word))
			return i;
	return -EINVAL;
}

enum runtime_kind frame_language(const struct frame *f)
{
	return f->image ? runtime_kind_of_path(image_name(f->image)) : RUNTIME_KIND_NONE;
}

bool frame_choice_leaves_out(enum frame_choice choice, const struct frame *f)
{
	return choice != FRAME_CHOICE_ALL &&
	       (choice == FRAME_CHOICE_INTERPRETED) == (frame_language(f) == RUNTIME_KIND_NONE);
}

const struct symbol *frame_choice_rest(enum frame_choice choice)
{
	static const struct symbol rests[N_FRAME_CHOICES] = {
		[FRAME_CHOICE_NATIVE] = { .name = "[interpreted]", .binding = 'l' },
		[FRAME_CHOICE_INTERPRETED] = { .name = "[native]", .binding = 'l' },
	};

	return &rests[choice];
}
