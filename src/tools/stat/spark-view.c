/* SPDX-License-Identifier: MIT */
#include "tools/stat/spark-view.h"

#include <math.h>

#include "base/text.h"

#define LEVELS 8

static const char shades[LEVELS + 1] = "_.-:=+*#";

struct span {
	double least, greatest;
};

static struct span span_of(const double *values, size_t n)
{
	struct span s = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			continue;
		s.least = values[i] < s.least ? values[i] : s.least;
		s.greatest = values[i] > s.greatest ? values[i] : s.greatest;
	}
	return s;
}

/* From 0 to LEVELS - 1; only the least value has 0 of a line that has others. */
static unsigned spark_level_of(double value, struct span s)
{
	double share = s.greatest > s.least ? (value - s.least) / (s.greatest - s.least) : 0;
	unsigned level = (unsigned)ceil(share * (LEVELS - 1));

	return level < LEVELS ? level : LEVELS - 1;
}

static void spark_add_bar(struct text *t, double value, struct span s, bool ascii)
{
	unsigned level;

	if (!isfinite(value)) {
		text_add_char(t, ' ');
		return;
	}
	level = spark_level_of(value, s);
	if (ascii)
		text_add_char(t, shades[level]);
	else /* U+2581 to U+2588 */
		text_add_bytes(t, (char[]){ '\xe2', '\x96', (char)(0x81 + level) }, 3);
}

void spark_add(struct text *t, const double *values, size_t n, size_t width, bool ascii)
{
	size_t shown = n < width ? n : width;
	const double *first = values + (n - shown);
	struct span s = span_of(first, shown);

	for (size_t i = shown; i < width; i++)
		text_add_char(t, ' ');
	for (size_t i = 0; i < shown; i++)
		spark_add_bar(t, first[i], s, ascii);
}
