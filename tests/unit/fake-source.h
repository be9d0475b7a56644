/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Source lines and inlined functions made up by a test, which is linked with these in the place of
 * symbol/source.c. Images do not matter.
 */
#include "symbol/source.h"

struct source;

void source_free(struct source *s);

struct fake_code {
	uint64_t addr;
	const struct source_frame *items; /* innermost first */
	size_t n;
};

/* The code that exists; an address of 0 ends the array. */
static const struct fake_code *fake_code;

struct source_frames image_code_frames(struct image *im, uint64_t addr)
{
	(void)im;
	for (const struct fake_code *c = fake_code; c && c->addr; c++)
		if (c->addr == addr)
			return (struct source_frames){ .items = c->items, .n = c->n };
	return (struct source_frames){ .n = 0 };
}

bool image_source_line(struct image *im, uint64_t addr, struct source_line *ret)
{
	struct source_frames all = image_code_frames(im, addr);

	if (!all.n || !all.items[0].at.file)
		return false;
	*ret = all.items[0].at;
	return true;
}

size_t image_line_rows(struct image *im, uint64_t start, uint64_t end, const struct line_row **ret)
{
	(void)im, (void)start, (void)end, (void)ret;
	return 0;
}

void source_free(struct source *s)
{
	(void)s;
}
