/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Folded stacks: lines of text, one for each distinct stack, the outermost frame first.
 *
 *	bash;main;read_command;__read 17
 *
 * FlameGraph's stackcollapse scripts write such lines, users grep them, and flame graphs are made
 * of them. A function may end in _[k] (kernel), _[i] (inlined), _[j] (JIT) or _[w] (waker). Lines
 * with two counts, as difffolded.pl writes them, are a comparison: before and after.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/flame.h"

struct text;

/*
 * Appends @name in the form that it has in such a line: without ';', which becomes ':', and without
 * line ends and control characters, which are escaped. In names of tasks blanks become '_'.
 */
void folded_name_add(struct text *t, const char *name, bool is_task);

/* Returns the suffix of a function of @kind: "_[k]"; "": none. */
const char *folded_suffix(enum flame_kind kind);

/* Facts about the text that was read. */
struct folded_facts {
	uint64_t n_lines;   /* lines with a stack */
	uint64_t n_bad;     /* lines that were left out */
	uint64_t first_bad; /* the number of the first of them, from 1 */
	const char *why;    /* why that line was bad; a static text, or NULL */
	bool is_comparison; /* all lines have two counts */
	bool has_functions; /* a line has more than the task */
};

struct folded_reader;

/*
 * Makes a reader that adds lines to @b, which it owns until folded_reader_end(). Counts are of
 * @side, unless @may_compare and all lines have two of them. @reverse: the innermost function comes
 * first.
 */
struct folded_reader *folded_reader_new(struct flame_builder *b, enum flame_side side,
					bool may_compare, bool reverse);
void folded_reader_free(struct folded_reader *r);
DEFINE_FREEP(folded_reader)

/* Takes the next @n bytes, which may end anywhere in a line. */
void folded_reader_take(struct folded_reader *r, const char *bytes, size_t n);

/* Takes the last line, even if it has no end, and returns the builder. */
struct flame_builder *folded_reader_end(struct folded_reader *r, struct folded_facts *ret);
