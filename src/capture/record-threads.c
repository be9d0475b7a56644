/* SPDX-License-Identifier: MIT */
#include "capture/record-threads.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "base/affinity.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/thread.h"
#include "capture/record-drain.h"

/* The interval at which a thread empties rings that are not yet half full. */
#define LOOK_MS 1000

struct record_thread {
	pthread_t id;
	bool started;
	struct record_drain *drain;
	int stop_fd, news_fd;
	atomic_int error;
	atomic_size_t sources;
};

static void record_threads_settle(const struct cpu_list *cpus)
{
	/* If this fails, the thread works on any CPU. */
	if (cpus && cpus->n)
		affinity_set(cpus);
}

static void record_threads_tell(struct record_thread *t, int error)
{
	atomic_store(&t->error, error);
	eventfd_write(t->news_fd, 1);
}

static void *record_threads_drain(void *arg)
{
	struct record_thread *t = arg;
	struct pollfd fds[] = {
		{ .fd = t->drain->epoll_fd, .events = POLLIN },
		{ .fd = t->stop_fd, .events = POLLIN },
	};
	int r = 0;

	record_threads_settle(t->drain->affinity);
	while (r >= 0 && !fds[1].revents) {
		size_t before = t->drain->sources;

		int n = poll(fds, ARRAY_SIZE(fds), LOOK_MS);

		if (n < 0 && errno != EINTR)
			r = -errno;
		else if (n == 0 || record_drain_is_due(t->drain))
			r = record_drain_pass(t->drain, false);
		record_drain_look(t->drain);
		atomic_store(&t->sources, t->drain->sources);
		if (r < 0 || t->drain->sources != before)
			record_threads_tell(t, r < 0 ? r : 0);
	}
	return NULL;
}

static int capture_record_threads_start(struct record_threads *ts, struct record_thread *t)
{
	t->stop_fd = ts->stop_fd;
	t->news_fd = ts->news_fd;
	t->sources = t->drain->sources;

	int r = thread_start(&t->id, record_threads_drain, t);

	t->started = r >= 0;
	return r;
}

int record_threads_start(struct record_threads *ts, struct record_drain *drains, size_t n)
{
	int r = 0;

	ts->items = xcalloc(n, sizeof(ts->items[0]));
	ts->n = n;
	ts->stop_fd = eventfd(0, EFD_CLOEXEC);
	ts->news_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (ts->stop_fd < 0 || ts->news_fd < 0)
		r = -errno;
	for (size_t i = 0; i < n && r >= 0; i++) {
		ts->items[i].drain = &drains[i];
		r = capture_record_threads_start(ts, &ts->items[i]);
	}
	if (r < 0)
		record_threads_stop(ts);
	return r;
}

int record_threads_look(struct record_threads *ts, size_t *ret_sources)
{
	eventfd_t news;
	int r = 0;

	eventfd_read(ts->news_fd, &news);
	*ret_sources = 0;
	for (size_t i = 0; i < ts->n; i++) {
		*ret_sources += atomic_load(&ts->items[i].sources);
		if (r == 0)
			r = atomic_load(&ts->items[i].error);
	}
	return r;
}

int record_threads_stop(struct record_threads *ts)
{
	int r = 0;

	if (ts->stop_fd >= 0 && eventfd_write(ts->stop_fd, 1) < 0)
		r = -errno;
	for (size_t i = 0; i < ts->n; i++) {
		if (ts->items[i].started)
			pthread_join(ts->items[i].id, NULL);
		if (r == 0)
			r = atomic_load(&ts->items[i].error);
	}
	free(ts->items);
	closep(&ts->stop_fd);
	closep(&ts->news_fd);
	*ts = (struct record_threads)RECORD_THREADS_NONE;
	return r;
}
