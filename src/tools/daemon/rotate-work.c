/* SPDX-License-Identifier: MIT */
/* Keeps the recordings of a daemon within their limits, oldest first. */
#include <stdlib.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/daemon/files-work.h"
#include "tools/daemon/internal-work.h"
#include "tools/daemon/session-work.h"

bool daemon_is_full(const struct daemon *d)
{
	return daemon_base_room(d->rq.base) < DAEMON_ROOM_MIN;
}

bool daemon_has_limits(const struct daemon *d)
{
	for (size_t i = 0; i < d->sessions.n; i++)
		if (d->sessions.items[i]->plan.keep_s || d->sessions.items[i]->plan.max_bytes)
			return true;
	return d->max_bytes && d->sessions.n;
}

/*
 * Returns a limit that leaves space for the files that are being written: each is a sixteenth of a
 * limit, and a little more.
 */
static uint64_t daemon_rotate_below(uint64_t limit)
{
	return limit - limit / 8;
}

static void remove_oldest(const struct daemon *d, const struct daemon_session *s,
			  struct daemon_files *f, size_t n)
{
	if (n && daemon_files_remove(f, s->folder, n) < n)
		daemon_log_add(&d->log, "session '%s': cannot remove old files in %s/session-%s",
			       s->plan.name, d->rq.base->path, s->plan.name);
}

/* Returns the session whose oldest file is the oldest of all; @n: none has a file. */
static size_t oldest_of(const struct daemon_files *files, size_t n)
{
	size_t oldest = n;

	for (size_t i = 0; i < n; i++)
		if (files[i].n &&
		    (oldest == n || files[i].items[0].time_s < files[oldest].items[0].time_s))
			oldest = i;
	return oldest;
}

/* Keeps all sessions together within their limit. */
static void keep_total(const struct daemon *d, struct daemon_files *files)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < d->sessions.n; i++)
		bytes += files[i].bytes + files[i].other_bytes;
	while (d->max_bytes && bytes > daemon_rotate_below(d->max_bytes) &&
	       (i = oldest_of(files, d->sessions.n)) < d->sessions.n) {
		size_t before = files[i].n;

		bytes -= files[i].items[0].bytes;
		remove_oldest(d, d->sessions.items[i], &files[i], 1);
		if (files[i].n == before)
			return;
	}
}

void daemon_rotate(struct daemon *d)
{
	_cleanup_(freep) struct daemon_files *files = xcalloc(d->sessions.n ? d->sessions.n : 1,
							      sizeof(files[0]));
	int64_t now_s = (int64_t)time(NULL);

	daemon_trim_output(d->rq.base->folder, "output");
	for (size_t i = 0; i < d->sessions.n; i++) {
		struct daemon_session *s = d->sessions.items[i];
		const struct daemon_limits limits = { s->plan.keep_s,
						      daemon_rotate_below(s->plan.max_bytes) };

		if (s->folder < 0)
			continue;
		daemon_trim_output(s->folder, "output");
		daemon_files_scan(s->folder, &files[i]);
		remove_oldest(d, s, &files[i], daemon_files_surplus(&files[i], &limits, now_s));
	}
	keep_total(d, files);
	for (size_t i = 0; i < d->sessions.n; i++) {
		d->sessions.items[i]->files = files[i].n;
		d->sessions.items[i]->bytes = files[i].bytes;
		daemon_files_done(&files[i]);
	}
}
