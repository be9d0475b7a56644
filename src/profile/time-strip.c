/* SPDX-License-Identifier: MIT */
#include "profile/time-strip.h"

#include <stdbool.h>
#include <string.h>

/*
 * The first bin is that of the smallest time, so bins depend on the times and not on their order. A
 * smaller time moves all bins up by at least one, which is possible TIME_STRIP_BINS times before
 * they become wider, so the cost is small.
 */

static void time_strip_add_up(uint64_t *sum, uint64_t weight)
{
	if (__builtin_add_overflow(*sum, weight, sum))
		*sum = UINT64_MAX;
}

static unsigned time_strip_bits_of(uint64_t width)
{
	return (unsigned)__builtin_ctzll(width);
}

/* Returns the number of the bin of @s that contains @time; it may be beyond the last bin. */
static uint64_t time_strip_bin_of(const struct time_strip *s, uint64_t time)
{
	return (time - s->start) >> time_strip_bits_of(s->width);
}

/* Makes bins @width wide and lets them begin at @first. Both only enlarge the covered range. */
static void time_strip_widen(struct time_strip *s, uint64_t first, uint64_t width)
{
	const struct time_strip old = *s;
	const unsigned bits = time_strip_bits_of(old.width);

	memset(s->bins, 0, sizeof(s->bins));
	s->width = width;
	s->start = first & ~(width - 1);
	for (uint64_t i = 0; i < TIME_STRIP_BINS; i++)
		if (old.bins[i])
			time_strip_add_up(&s->bins[time_strip_bin_of(s, old.start + (i << bits))],
					  old.bins[i]);
}

/* Extends the bins, so that they cover all times of [@first, @last] and those that they have. */
static void time_strip_include(struct time_strip *s, uint64_t first, uint64_t last, uint64_t width)
{
	if (!s->width) {
		s->first = first;
		s->last = last;
		s->width = width;
		s->start = first & ~(width - 1);
	}
	if (first < s->first)
		s->first = first;
	if (last > s->last)
		s->last = last;
	if (width < s->width)
		width = s->width;
	while ((s->last / width) - (s->first / width) >= TIME_STRIP_BINS)
		width *= 2;
	if (width != s->width || (s->first & ~(width - 1)) != s->start)
		time_strip_widen(s, s->first, width);
}

static bool is_covered(const struct time_strip *s, uint64_t time)
{
	return s->width && time >= s->first && time <= s->last;
}

void time_strip_add(struct time_strip *s, uint64_t time_ns, uint64_t weight)
{
	if (!time_ns)
		return;
	if (!is_covered(s, time_ns))
		time_strip_include(s, time_ns, time_ns, 1);
	time_strip_add_up(&s->bins[time_strip_bin_of(s, time_ns)], weight);
}

void time_strip_merge(struct time_strip *s, const struct time_strip *from)
{
	if (!from->width)
		return;
	time_strip_include(s, from->first, from->last, from->width);
	for (uint64_t i = 0; i < TIME_STRIP_BINS; i++) {
		const uint64_t time = from->start + (i << time_strip_bits_of(from->width));

		if (from->bins[i])
			time_strip_add_up(&s->bins[time_strip_bin_of(s, time)], from->bins[i]);
	}
}

uint64_t time_strip_weight(const struct time_strip *s, uint64_t start, uint64_t end)
{
	const uint64_t last = s->width ? time_strip_bin_of(s, s->last) : 0;
	uint64_t sum = 0;

	for (uint64_t i = 0; s->width && i <= last; i++) {
		const uint64_t time = s->start + (i << time_strip_bits_of(s->width));

		if (time >= start && (time < end || end == UINT64_MAX))
			time_strip_add_up(&sum, s->bins[i]);
	}
	return sum;
}
