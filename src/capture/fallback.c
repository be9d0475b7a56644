/* SPDX-License-Identifier: MIT */
#include "capture/fallback.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "event/event.h"
#include "kernel/perf-event.h"

/* "cycles" becomes "cycles:u", "cycles:p" "cycles:pu", "cpu/x/p" "cpu/x/pu". */
static void name_user_only(struct event *e)
{
	char *slash = strrchr(e->name, '/');
	char *colon = e->tracepoint ? NULL : strrchr(slash ? slash : e->name, ':');
	char *name = xasprintf("%s%su", e->name, slash || colon ? "" : ":");

	free(e->name);
	e->name = name;
}

/*
 * At level 2 and above an ordinary user may count what happens in user mode only. Of an event that
 * leaves user mode out ("cycles:k") nothing would be left.
 */
static bool exclude_kernel(struct event *e)
{
	if (e->attr.exclude_kernel || e->attr.exclude_user || e->tracepoint ||
	    perf_event_paranoid() < 2)
		return false;
	e->attr.exclude_kernel = 1;
	e->attr.exclude_hv = !e->unnamed;
	name_user_only(e);
	return true;
}

/* Many PMUs (breakpoints, uprobes, uncore) cannot tell host from guest. */
static bool forget_guests(struct event *e)
{
	if (!e->attr.exclude_guest && !e->attr.exclude_host)
		return false;
	e->attr.exclude_guest = 0;
	e->attr.exclude_host = 0;
	return true;
}

bool fallback_attr(struct event *e, int error)
{
	switch (-error) {
	case EACCES:
	case EPERM:
		return exclude_kernel(e);
	case EINVAL:
	case EOPNOTSUPP:
		return forget_guests(e);
	default:
		return false;
	}
}

bool fallback_is_unsupported(int error)
{
	switch (-error) {
	case EINVAL:
	case ENOENT:
	case ENODEV:
	case ENXIO:
	case ENOSYS:
	case EOPNOTSUPP:
		return true;
	default:
		return false;
	}
}
