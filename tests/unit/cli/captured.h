/* SPDX-License-Identifier: MIT */
#pragma once
/* A stream whose text a test examines: write to .file, then read captured_text(). */
#include <stdio.h>
#include <stdlib.h>

struct captured {
	FILE *file;
	char *text;
	size_t length;
};

static inline void captured_init(struct captured *c)
{
	*c = (struct captured){ 0 };
	c->file = open_memstream(&c->text, &c->length);
}

static inline void captured_done(struct captured *c)
{
	if (c->file)
		fclose(c->file);
	free(c->text);
}

/* Returns the text that was written so far. */
static inline const char *captured_text(struct captured *c)
{
	fflush(c->file);
	return c->text;
}
