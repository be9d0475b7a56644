/* SPDX-License-Identifier: MIT */
#pragma once
/* Flame graphs made of folded lines, for tests of views. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/flame.h"

/*
 * Adds a line such as "sh;main;read 3": the first name is a task, the others are functions of
 * "prog".
 */
static inline void flame_add(struct flame_builder *b, enum flame_side side, const char *folded)
{
	_cleanup_(freep) char *line = xstrdup(folded);
	char *weight = strrchr(line, ' '), *rest = line, *name;
	uint32_t box = 0;

	*weight++ = '\0';
	while ((name = strsep(&rest, ";"))) {
		bool is_task = name == line;

		box = flame_builder_box(b, box, flame_builder_text(b, name),
					flame_builder_text(b, is_task ? "" : "prog"),
					is_task ? FLAME_TASK : FLAME_USER);
	}
	flame_builder_weigh(b, box, side, strtoull(weight, NULL, 10));
}

/*
 * Makes a flame graph of lines up to a NULL. In a comparison, lines of the side before begin with
 * '-'.
 */
static inline struct flame *flame_of(bool is_comparison, const char *const *lines)
{
	struct flame_builder *b = flame_builder_new("all");
	struct flame *f;

	for (; *lines; lines++)
		flame_add(b, **lines == '-' ? FLAME_BEFORE : FLAME_AFTER,
			  *lines + (**lines == '-'));
	f = flame_builder_finish(b, is_comparison);
	flame_builder_free(b);
	return f;
}

#define FLAME_OF(...)       flame_of(false, (const char *const[]){ __VA_ARGS__, NULL })
#define FLAME_COMPARED(...) flame_of(true, (const char *const[]){ __VA_ARGS__, NULL })
