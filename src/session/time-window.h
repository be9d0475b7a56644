/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Spans of time from which samples are wanted.
 *
 * A window is either all absolute (`1.5,2.25 3,`) or all relative to the profile (`10%/2`,
 * `0%-10%,30%-40%`). Absolute times are nanoseconds; an open end is 0 or TIME_OPEN.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIME_OPEN UINT64_MAX

struct time_range {
	uint64_t from_ns, to_ns;         /* for an absolute window */
	double from_percent, to_percent; /* for a relative one */
};

struct time_window {
	struct time_range *items; /* none: everything */
	size_t n, room;
	bool relative;
	const char *text; /* as it was typed */
};

void time_window_done(struct time_window *w);

/*
 * Parses @text. -EINVAL with the position of the mistake in *@ret_offset; *@ret_window is then
 * untouched.
 */
int time_window_parse(const char *text, struct time_window *ret_window, size_t *ret_offset);
