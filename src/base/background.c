/* SPDX-License-Identifier: MIT */
#include "base/background.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/thread.h"

/* The interval of progress. */
#define TELL_NS 50000000

static void background_on_progress(struct progress *p, const char *title, uint64_t done,
				   uint64_t total)
{
	background_report((struct background *)p, title, done, total);
}

static void background_on_finish(struct progress *p)
{
	(void)p;
}

void background_init(struct background *b)
{
	*b = (struct background){ .progress = { .update = background_on_progress,
						.finish = background_on_finish } };
	b->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (b->fd < 0)
		b->fd = -errno;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->changed, NULL);
}

static void *background_run(void *arg)
{
	struct background *b = arg;

	b->work(b->arg);
	pthread_mutex_lock(&b->lock);
	b->is_over = true;
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
	background_tell(b);
	return NULL;
}

int background_start(struct background *b, void (*work)(void *arg), void *arg)
{
	int r;

	if (b->fd < 0)
		return b->fd;
	b->work = work;
	b->arg = arg;
	r = thread_start(&b->thread, background_run, b);
	b->has_thread = r >= 0;
	return r;
}

void background_end(struct background *b)
{
	if (!b->has_thread)
		return;
	atomic_store(&b->stop, true);
	pthread_mutex_lock(&b->lock);
	pthread_cond_broadcast(&b->changed);
	pthread_mutex_unlock(&b->lock);
	pthread_join(b->thread, NULL);
	b->has_thread = false;
}

void background_done(struct background *b)
{
	background_end(b);
	closep(&b->fd);
	pthread_cond_destroy(&b->changed);
	pthread_mutex_destroy(&b->lock);
}

void background_tell(struct background *b)
{
	/* This can only fail if the descriptor is readable already. */
	eventfd_write(b->fd, 1);
}

void background_hear(struct background *b)
{
	eventfd_t told;

	eventfd_read(b->fd, &told);
}

void background_report(struct background *b, const char *title, uint64_t done, uint64_t total)
{
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool is_news;

	pthread_mutex_lock(&b->lock);
	b->title = title;
	b->done = done;
	b->total = total;
	is_news = now - b->told_ns >= TELL_NS;
	if (is_news)
		b->told_ns = now;
	pthread_mutex_unlock(&b->lock);
	if (is_news)
		background_tell(b);
}

void background_progress(struct background *b, const char **ret_title, uint64_t *ret_done,
			 uint64_t *ret_total)
{
	pthread_mutex_lock(&b->lock);
	if (ret_title)
		*ret_title = b->title;
	*ret_done = b->done;
	*ret_total = b->total;
	pthread_mutex_unlock(&b->lock);
}
