/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Splitting a command line between two commands: `perf mem record` has a few options of its own and
 * hands all others to `perf record`.
 */
#include <stdbool.h>

struct option;

/* Two lists of words, NULL-terminated, in the order they were typed. */
struct sifted_words {
	char **own;  /* options of our table with their values, each letter a word of its own */
	char **rest; /* all others, positional arguments too */
	char *pool;  /* letters that were typed together */
};

/*
 * Sorts @words (NULL-terminated, borrowed) by who has such an option: @own, or @other, which tells
 * which of the remaining options take a value. An abbreviation is ours if no option of @other has
 * just this name. What neither knows goes to the rest, whose command complains. Options end at
 * "--" and, if @workload, at the first positional argument.
 */
void option_sift(const struct option *own, const struct option *other, char *const *words,
		 bool workload, struct sifted_words *ret);
void sifted_words_done(struct sifted_words *w);
