/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Splits a command line between two commands: `perf mem record` has a few options of its own and
 * passes all others to `perf record`.
 */
#include <stdbool.h>

struct option;

/* Two lists of words, NULL-terminated, in the order in which they were typed. */
struct sifted_words {
	char **own;  /* options of our table with their values, one word per letter */
	char **rest; /* the other words, including positional arguments */
	char *pool;  /* storage for letters that were typed together */
};

/*
 * Sorts @words (NULL-terminated, borrowed) by the table that has such an option: @own, or @other,
 * which determines which of the remaining options take a value. An abbreviation is ours if no
 * option of @other has exactly this name. Unknown words go to the rest, whose command reports them.
 * Options end at "--" and, if @workload, at the first positional argument.
 */
void option_sift(const struct option *own, const struct option *other, char *const *words,
		 bool workload, struct sifted_words *ret);
void sifted_words_done(struct sifted_words *w);
