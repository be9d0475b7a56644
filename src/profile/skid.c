/* SPDX-License-Identifier: MIT */
#include "profile/skid.h"

#include "session/session.h"
#include "wire/attr.h"

/*
 * The kernel's clocks are timers, whatever precision was requested. Events of other PMUs are left
 * out, because some of them (AMD's IBS, Arm's SPE) report the exact instruction without precise_ip.
 * Events that are decoded from a trace are exact too.
 */
bool event_skids(const struct session_event *e)
{
	const struct attr *a = &e->attr;

	if (e->decoded)
		return false;
	return attr_is_clock(a) ||
	       (!a->precise_ip && (a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE ||
				   a->type == PERF_TYPE_RAW));
}
