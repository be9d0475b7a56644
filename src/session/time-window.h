/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Spans of time that samples are wanted of.
 *
 * A window is either all absolute (`1.5,2.25 3,`) or all relative to the profile (`10%/2`,
 * `0%-10%,30%-40%`). Absolute times are nanoseconds; an open end is 0 or TIME_OPEN.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIME_OPEN UINT64_MAX

struct time_range {
	uint64_t from_ns, to_ns;         /* of an absolute window */
	double from_percent, to_percent; /* of a relative one */
};

struct time_window {
	struct time_range *items; /* none: everything */
	size_t n, room;
	bool relative;
	const char *text; /* as it was typed */
};

void time_window_done(struct time_window *w);

/*
 * Parses @text. -EINVAL with the place of the mistake in *@ret_offset; then *@ret_window is
 * untouched.
 */
int time_window_parse(const char *text, struct time_window *ret_window, size_t *ret_offset);
