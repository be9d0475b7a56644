/* SPDX-License-Identifier: MIT */
#include "base/similar.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/text.h"

/*
 * Longer names are compared by their first letters only, because the answer is just a suggestion.
 */
#define LENGTH_MAX 64

static unsigned similar_min3(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

static bool similar_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned similar_distance(const char *a, const char *b)
{
	size_t n = strnlen(a, LENGTH_MAX), m = strnlen(b, LENGTH_MAX);
	unsigned rows[3][LENGTH_MAX + 1];
	unsigned *before = rows[0], *above = rows[1], *row = rows[2];

	for (size_t j = 0; j <= m; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			row[j] = similar_min3(above[j] + 1, row[j - 1] + 1,
					      above[j - 1] + !similar_same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && similar_same(a[i - 1], b[j - 2]) &&
			    similar_same(a[i - 2], b[j - 1]) && row[j] > before[j - 2] + 1)
				row[j] = before[j - 2] + 1;
		}

		unsigned *spare = before;

		before = above;
		above = row;
		row = spare;
	}
	return above[m];
}

void similar_add(struct similar *s, const char *name)
{
	size_t typed = strlen(s->typed), length = strlen(name);
	size_t longer = typed > length ? typed : length;
	size_t limit = longer < 4 ? 1 : (longer + 1) / 3;

	/* The lengths alone may already exclude it, which saves most of the work. */
	if (longer - (typed < length ? typed : length) > limit)
		return;

	unsigned distance = similar_distance(s->typed, name);
	size_t at = s->n;

	if (distance > limit)
		return;
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->best[i].name, name) == 0)
			return;
	while (at > 0 && s->best[at - 1].distance > distance)
		at--;
	if (at == SIMILAR_MAX)
		return;
	if (s->n < SIMILAR_MAX)
		s->n++;
	memmove(&s->best[at + 1], &s->best[at], (s->n - 1 - at) * sizeof(s->best[0]));
	s->best[at].name = name;
	s->best[at].distance = distance;
}

char *similar_phrase(const struct similar *s)
{
	struct text t = TEXT_EMPTY;

	size_t n = 0;

	/* If one name is near, much more distant ones only distract. */
	while (n < s->n && s->best[n].distance <= s->best[0].distance + 1)
		n++;
	if (!n)
		return NULL;
	for (size_t i = 0; i < n; i++)
		text_addf(&t, "%s'%s'", !i ? "" : i + 1 == n ? " or " : ", ", s->best[i].name);
	return text_take(&t);
}
