/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A stream that keeps what is printed to it, for tests of views.
 */
#include <stdio.h>
#include <stdlib.h>

struct printed {
	FILE *out;
	char *text;
	size_t size;
};

static inline void printed_open(struct printed *p)
{
	p->out = open_memstream(&p->text, &p->size);
	assert_non_null(p->out);
}

/* Ends the printing and compares the text. */
static inline void assert_printed(struct printed *p, const char *wanted)
{
	assert_int_equal(fclose(p->out), 0);
	assert_string_equal(p->text, wanted);
	free(p->text);
}
