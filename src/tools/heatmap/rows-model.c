/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/rows-model.h"

#include <stdlib.h>

#include "base/bisect.h"
#include "base/cleanup.h"
#include "base/memory.h"

#define STEPS_PER_DECADE 1000

static const uint64_t powers[] = {
	1u,
	10u,
	100u,
	1000u,
	10000u,
	100000u,
	1000000u,
	10000000u,
	100000000u,
	1000000000u,
	10000000000u,
	100000000000u,
	1000000000000u,
	10000000000000u,
	100000000000000u,
	1000000000000000u,
	10000000000000000u,
	100000000000000000u,
	1000000000000000000u,
	10000000000000000000u,
};

/* How many digits @value has, above 0. */
static unsigned heatmap_rows_digits_of(uint64_t value)
{
	unsigned bits = 64 - (unsigned)__builtin_clzll(value);
	unsigned digits = bits * 1233 >> 12; /* log10(2) is 1233 / 4096 */

	return digits + (digits < ARRAY_SIZE(powers) && value >= powers[digits]);
}

uint32_t heat_step(uint64_t value)
{
	unsigned magnitude;

	if (value < STEPS_PER_DECADE)
		return (uint32_t)value;
	magnitude = heatmap_rows_digits_of(value) - 3;
	return magnitude * STEPS_PER_DECADE + (uint32_t)(value / powers[magnitude]);
}

uint64_t heat_step_value(uint32_t step)
{
	return step % STEPS_PER_DECADE * powers[step / STEPS_PER_DECADE];
}

void heat_rows_done(struct heat_rows *r)
{
	free(r->bounds);
	*r = (struct heat_rows){ 0 };
}

uint64_t heat_round_up(uint64_t at_least)
{
	static const unsigned leading[] = { 1, 2, 5 };

	for (size_t p = 0; p < ARRAY_SIZE(powers) - 1; p++)
		for (size_t i = 0; i < ARRAY_SIZE(leading); i++)
			if (leading[i] * powers[p] >= at_least)
				return leading[i] * powers[p];
	return powers[ARRAY_SIZE(powers) - 1];
}

struct heat_rows heat_rows_linear(uint64_t high, size_t rows)
{
	uint64_t width = heat_round_up(high / rows + 1);
	struct heat_rows r = { .n = high / width + 1 };

	r.bounds = xcalloc(r.n + 1, sizeof(*r.bounds));
	for (size_t i = 0; i <= r.n; i++)
		if (__builtin_mul_overflow(i, width, &r.bounds[i]))
			r.bounds[i] = UINT64_MAX;
	return r;
}

/* Preferred numbers: so many to a power of ten, in about equal ratios. */
static const struct {
	unsigned n;
	unsigned leading[20];
} series[] = {
	{ 20, { 100, 112, 125, 140, 160, 180, 200, 224, 250, 280,
		315, 355, 400, 450, 500, 560, 630, 710, 800, 900 } },
	{ 10, { 100, 125, 160, 200, 250, 315, 400, 500, 630, 800 } },
	{ 5, { 100, 160, 250, 400, 630 } },
	{ 3, { 100, 200, 500 } },
	{ 2, { 100, 315 } },
	{ 1, { 100 } },
};

/*
 * Bounds of series @s in every @decades powers of ten, from @low on until one is above @high.
 * Returns how many.
 */
static size_t log_bounds(size_t s, size_t decades, uint64_t low, uint64_t high, uint64_t *bounds)
{
	size_t n = 0;

	for (size_t p = 0; p < ARRAY_SIZE(powers); p += decades)
		for (unsigned i = 0; i < series[s].n; i++) {
			__extension__ unsigned __int128 wide =
				(unsigned __int128)series[s].leading[i] * powers[p] / 100;
			uint64_t bound = wide > UINT64_MAX ? UINT64_MAX : (uint64_t)wide;

			if (n && bound <= bounds[n - 1])
				continue;
			if (bound <= low)
				n = 0; /* of those that are not above @low, the last one counts */
			bounds[n++] = bound;
			if (bound > high)
				return n;
		}
	if (bounds[n - 1] < UINT64_MAX)
		bounds[n++] = UINT64_MAX;
	return n;
}

struct heat_rows heat_rows_log(uint64_t low, uint64_t high, size_t rows)
{
	enum {
		ROOM = 20 * ARRAY_SIZE(powers) + 2
	};
	struct heat_rows r = { .bounds = xcalloc(ROOM, sizeof(*r.bounds)) };
	size_t zero = low == 0, n = rows + 2, s = 0;

	while (n - 1 + zero > rows && s < ARRAY_SIZE(series))
		n = log_bounds(s++, 1, low ? low : 1, high, r.bounds + zero);
	for (size_t decades = 2; n - 1 + zero > rows && decades < ARRAY_SIZE(powers); decades++)
		n = log_bounds(ARRAY_SIZE(series) - 1, decades, low ? low : 1, high,
			       r.bounds + zero);
	r.n = n - 1 + zero;
	return r;
}

size_t heat_rows_find(const struct heat_rows *r, uint64_t value)
{
	size_t n = BISECT(i, r->n, r->bounds[i] <= value);

	return n ? n - 1 : 0;
}
