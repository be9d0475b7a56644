/* SPDX-License-Identifier: MIT */
#include "profile/wall-clock.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/diag.h"
#include "session/session.h"

#define NS_PER_S 1000000000ULL

static bool is_off_cpu(const struct session_event *e)
{
	return !strcmp(e->name, WALL_CLOCK_OFF_CPU);
}

static bool wall_clock_is(const struct session_event *e)
{
	return attr_is_clock(&e->attr);
}

static bool has_frequency(const struct session_event *e)
{
	return e->attr.freq && e->attr.sample_freq && e->attr.type != PERF_TYPE_SOFTWARE;
}

static const struct session_event *
profile_wall_clock_find(const struct session *s, bool (*is)(const struct session_event *e))
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (is(session_event(s, i)))
			return session_event(s, i);
	return NULL;
}

static int wall_clock_refuse(const char *what, struct diag *diag)
{
	if (!diag)
		return -ENODATA;
	diag_set(diag, -ENODATA, "the recording does not tell the time %s", what);
	diag_hint(diag, "perf record --off-cpu -e cpu-clock -g records both.");
	return -ENODATA;
}

int wall_clock_find(const struct session *s, struct wall_clock *ret, struct diag *diag)
{
	struct wall_clock w = { .on = profile_wall_clock_find(s, wall_clock_is),
				.off = profile_wall_clock_find(s, is_off_cpu) };

	if (!w.on) {
		w.on = profile_wall_clock_find(s, has_frequency);
		w.ns_per_sample = w.on ? NS_PER_S / w.on->attr.sample_freq : 0;
	}
	if (!w.off)
		return wall_clock_refuse("off the CPU", diag);
	if (!w.on)
		return wall_clock_refuse("on the CPU", diag);
	*ret = w;
	return 0;
}
