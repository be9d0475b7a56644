/* SPDX-License-Identifier: MIT */
#include "capture/counters.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/opened-events.h"

static bool is_read_with(const struct opened_events *es, size_t leader, size_t j, size_t place)
{
	return es->items[j].leader == leader && es->items[j].fds[place] >= 0;
}

/*
 * Reads the leader and its members at one place with one call. A member may be missing there: a
 * task may have ended between their opens.
 */
static int read_group(struct opened_events *es, size_t i, size_t place)
{
	const struct opened_event *leader = &es->items[i];
	uint64_t format = leader->event->attr.read_format;
	size_t n = 0, end = opened_events_group_end(es, i);

	for (size_t j = i; j < end; j++)
		n += is_read_with(es, i, j, place);

	size_t size = count_read_size(format, n);
	_cleanup_(freep) char *bytes = xmalloc(size);
	_cleanup_(freep) struct count *counts = xcalloc(n, sizeof(*counts));
	ssize_t got = read(leader->fds[place], bytes, size);
	int r = got < 0 ? -errno : 0;

	/*
	 * There is nothing to read: the event is pinned, and no counters were free. Then nothing
	 * was counted.
	 */
	if (got > 0)
		r = count_decode(bytes, (size_t)got, format, counts, n);
	for (size_t j = i, k = 0; j < end && r >= 0; j++)
		if (is_read_with(es, i, j, place))
			es->items[j].counts[place] = counts[k++];
	return r;
}

int counters_read(struct opened_events *es)
{
	int r = es->outside.read ? es->outside.read(es->outside.arg, es) : 0;

	for (size_t i = 0; i < es->n && r >= 0; i++) {
		const struct opened_event *e = &es->items[i];
		size_t n = e->leader == i ? opened_event_places(e) : 0;

		for (size_t place = 0; place < n && r >= 0; place++)
			if (e->fds[place] >= 0)
				r = read_group(es, i, place);
	}
	return r;
}
