/* SPDX-License-Identifier: MIT */
#include "python/live-event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "kernel/explain.h"
#include "kernel/perf-event.h"

/*
 * The kernel's ioctl numbers, as its uapi header defines them. That header is not included, because
 * wire/attr.h replaces it.
 */
#define EVENT_ENABLE  _IO('$', 0)
#define EVENT_DISABLE _IO('$', 1)
#define EVENT_ID      _IOR('$', 7, uint64_t *)

void int_list_done(struct int_list *l)
{
	free(l->items);
	*l = (struct int_list){ 0 };
}

void int_list_add(struct int_list *l, int value)
{
	*ARRAY_ADD(l) = value;
}

void int_list_copy(struct int_list *to, const struct int_list *from)
{
	struct int_list copy = { 0 };

	for (size_t i = 0; i < from->n; i++)
		int_list_add(&copy, from->items[i]);
	int_list_done(to);
	*to = copy;
}

long int_list_find(const struct int_list *l, int value)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i] == value)
			return (long)i;
	return -1;
}

static size_t place_count(const struct live_event *e)
{
	return e->cpus.n * e->threads.n;
}

void live_event_close(struct live_event *e)
{
	for (size_t i = 0; e->fds && i < place_count(e); i++)
		if (e->fds[i] >= 0)
			close(e->fds[i]);
	free(TAKE(e->fds));
	free(TAKE(e->ids));
}

void live_event_done(struct live_event *e)
{
	live_event_close(e);
	free(e->name);
	int_list_done(&e->cpus);
	int_list_done(&e->threads);
}

bool live_event_is_open(const struct live_event *e)
{
	return e->fds;
}

int live_event_fd(const struct live_event *e, size_t cpu, size_t thread)
{
	if (!e->fds || cpu >= e->cpus.n || thread >= e->threads.n)
		return -1;
	return e->fds[cpu * e->threads.n + thread];
}

/* Opens the place @i. A thread that is gone is skipped, if there are others. */
static int live_event_open_place(struct live_event *e, const struct live_place *where, size_t i)
{
	size_t cpu = i / e->threads.n, thread = i % e->threads.n;
	struct attr attr = e->attr;
	int leader = where->leader ? live_event_fd(where->leader, cpu, thread) : -1;
	int fd;

	attr.inherit = attr.inherit || where->inherit;
	fd = perf_event_open(&attr, e->threads.items[thread], e->cpus.items[cpu], leader, 0);
	if (fd < 0)
		return fd == -ESRCH && e->threads.n > 1 ? 0 : fd;
	e->fds[i] = fd;
	/* Kernels before 3.12 have no such ioctl, and ids are not needed there. */
	if (ioctl(fd, EVENT_ID, &e->ids[i]) < 0)
		e->ids[i] = 0;
	return 0;
}

int live_event_open(struct live_event *e, const struct live_place *where, struct diag *diag)
{
	size_t n;

	live_event_close(e);
	int_list_copy(&e->cpus, where->cpus);
	int_list_copy(&e->threads, where->threads);
	n = place_count(e);
	e->fds = xmalloc((n + 1) * sizeof(*e->fds));
	e->ids = xcalloc(n + 1, sizeof(*e->ids));
	for (size_t i = 0; i < n; i++)
		e->fds[i] = -1;
	for (size_t i = 0; i < n; i++) {
		int r = live_event_open_place(e, where, i);

		if (r == -EMFILE && perf_event_raise_file_limit() >= 0)
			r = live_event_open_place(e, where, i);
		if (r < 0) {
			live_event_close(e);
			return perf_event_explain(&e->attr, e->name, r, diag);
		}
	}
	return 0;
}

int live_event_enable(const struct live_event *e, bool on)
{
	for (size_t i = 0; e->fds && i < place_count(e); i++)
		if (e->fds[i] >= 0 && ioctl(e->fds[i], on ? EVENT_ENABLE : EVENT_DISABLE, 0) < 0)
			return -errno;
	return 0;
}

/* Decodes the words that read() returns, in their order; for a group, the first event. */
static int decode_words(const uint64_t *words, size_t n, uint64_t format, struct live_count *ret)
{
	struct live_count c = { 0 };
	size_t at = 0;
	/* For a group: the number of events, the times, then the values. */
	uint64_t *order[5] = { 0 };
	size_t n_order = 0;
	bool group = format & PERF_FORMAT_GROUP;

	if (!group)
		order[n_order++] = &c.value;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		order[n_order++] = &c.enabled;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		order[n_order++] = &c.running;
	if (group)
		order[n_order++] = &c.value;
	if (format & PERF_FORMAT_ID)
		order[n_order++] = &c.id;
	for (at = 0; at < n_order; at++) {
		if (at + group >= n)
			return -EBADMSG;
		*order[at] = words[at + group];
	}
	if (format & PERF_FORMAT_LOST && at + group < n)
		c.lost = words[at + group];
	*ret = c;
	return 0;
}

int live_event_read(const struct live_event *e, size_t cpu, size_t thread, struct live_count *ret)
{
	uint64_t words[512];
	int fd = live_event_fd(e, cpu, thread);
	ssize_t n;

	if (fd < 0)
		return -EBADF;
	n = read(fd, words, sizeof(words));
	if (n < 0)
		return -errno;
	return decode_words(words, (size_t)n / sizeof(*words), e->attr.read_format, ret);
}

bool live_event_has_id(const struct live_event *e, uint64_t id)
{
	for (size_t i = 0; e->ids && i < place_count(e); i++)
		if (e->ids[i] == id)
			return true;
	return false;
}
