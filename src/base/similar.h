/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Did you mean ...? Ranks candidate names by similarity to the user's text.
 *
 * Pass every candidate to similar_add(); the best few remain, nearest first. Names are borrowed:
 * they must outlive the ranking.
 */
#include <stddef.h>

#define SIMILAR_MAX 5

struct similar {
	const char *typed;
	size_t n;
	struct {
		const char *name;
		unsigned distance;
	} best[SIMILAR_MAX];
};

/*
 * Returns the Damerau-Levenshtein distance (one swap of neighbours is one edit), ignoring case.
 * O(n*m).
 */
unsigned similar_distance(const char *a, const char *b);

/*
 * Considers @name. Names that are too distant (more than a third of the typed letters) and
 * repetitions are dropped.
 */
void similar_add(struct similar *s, const char *name);

/* Returns "'a', 'b' or 'c'", or NULL if no name is near. The caller frees it. */
char *similar_phrase(const struct similar *s);
