/* SPDX-License-Identifier: MIT */
#include "tui/page-making.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/thread.h"
#include "profile/page/make.h"
#include "profile/page/page.h"
#include "session/reading.h"
#include "session/session.h"
#include "tui/browse.h"

#define NEWS_EVERY_NS 100000000u

struct page_making {
	struct progress progress;
	struct browse_request rq;
	atomic_bool stop;
	int fd;
	pthread_t thread;
	bool has_thread;

	pthread_mutex_t lock; /* protects all members below */
	const char *title;
	uint64_t done, total;
	uint64_t told_ns;
	bool is_over;
	/* Valid when it is over: */
	int r;
	struct diag diag;
	struct page page;
};

static void page_making_wake(struct page_making *m)
{
	eventfd_write(m->fd, 1);
}

static void page_making_update(struct progress *p, const char *title, uint64_t done, uint64_t total)
{
	struct page_making *m = (struct page_making *)p;
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);
	bool is_news;

	pthread_mutex_lock(&m->lock);
	m->title = title;
	m->done = done;
	m->total = total;
	is_news = now - m->told_ns >= NEWS_EVERY_NS;
	if (is_news)
		m->told_ns = now;
	pthread_mutex_unlock(&m->lock);
	if (is_news)
		page_making_wake(m);
}

static void page_making_finish(struct progress *p)
{
	(void)p;
}

/*
 * Returns the request that `perf report --html` uses: tasks, CPUs and times are in the log, not in
 * keys.
 */
static struct profile_request page_making_request_of(struct page_making *m)
{
	struct profile_request rq = m->rq.profile;

	rq.progress = &m->progress;
	rq.stop = &m->stop;
	rq.shared = NULL;
	rq.first_bytes = 0;
	rq.plan = (struct report_request){ .sort = "dso,symbol", .children = true };
	rq.mode = (struct report_mode_request){ .no_branches = true };
	rq.with_stacks = rq.with_log = true;
	rq.with_strip = rq.requires_stacks = false;
	rq.history = rq.history_notes = rq.blocks = false;
	return rq;
}

static int page_making_make(struct page_making *m, struct diag *diag)
{
	const struct profile_request pr = page_making_request_of(m);
	const struct page_request rq = {
		.views = PAGE_VIEW_FLAME | PAGE_VIEW_TIME | PAGE_VIEW_THREADS | PAGE_VIEW_TABLE |
			 PAGE_VIEW_CODE | PAGE_VIEW_FACTS,
		.part = m->rq.tables.symbol_part,
	};
	_cleanup_(profile_done) struct profile p = { 0 };
	int r = profile_open(&p, &pr, diag);

	if (r >= 0)
		r = profile_collect(&p, diag);
	if (r >= 0)
		r = reading_check_samples(p.session, diag);
	if (r < 0)
		return r;
	page_making_update(&m->progress, "Making the page", 0, 0);
	page_make(&p, &rq, &m->page);
	if (!m->page.cells.n)
		return diag_set(diag, -ENODATA, "no samples pass the filters for a page");
	return 1;
}

static void *page_making_run(void *arg)
{
	struct page_making *m = arg;
	struct diag diag = { 0 };
	const int r = page_making_make(m, &diag);

	pthread_mutex_lock(&m->lock);
	m->r = r;
	m->diag = diag;
	m->is_over = true;
	pthread_mutex_unlock(&m->lock);
	page_making_wake(m);
	return NULL;
}

struct page_making *page_making_start(const struct browse_request *rq)
{
	struct page_making *m = xcalloc(1, sizeof(*m));
	int r;

	m->progress = (struct progress){ .update = page_making_update,
					 .finish = page_making_finish };
	browse_request_copy(&m->rq, rq);
	m->title = "Reading samples";
	pthread_mutex_init(&m->lock, NULL);
	m->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r = m->fd < 0 ? -errno : thread_start(&m->thread, page_making_run, m);
	m->has_thread = r >= 0;
	if (r < 0) {
		m->is_over = true;
		m->r = diag_set(&m->diag, r, "no thread can be started: %s", strerror(-r));
		page_making_wake(m);
	}
	return m;
}

void page_making_free(struct page_making *m)
{
	if (!m)
		return;
	atomic_store(&m->stop, true);
	if (m->has_thread)
		pthread_join(m->thread, NULL);
	if (m->fd >= 0)
		close(m->fd);
	page_done(&m->page);
	diag_done(&m->diag);
	browse_request_done(&m->rq);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

int page_making_fd(const struct page_making *m)
{
	return m->fd;
}

void page_making_progress(struct page_making *m, const char **ret_title, uint64_t *ret_done,
			  uint64_t *ret_total)
{
	eventfd_t n;

	eventfd_read(m->fd, &n);
	pthread_mutex_lock(&m->lock);
	*ret_title = m->title;
	*ret_done = m->done;
	*ret_total = m->total;
	pthread_mutex_unlock(&m->lock);
}

int page_making_result(struct page_making *m, const struct page **ret_page, struct diag *diag)
{
	int r;

	pthread_mutex_lock(&m->lock);
	r = m->is_over ? m->r : 0;
	pthread_mutex_unlock(&m->lock);
	if (r > 0)
		*ret_page = &m->page;
	if (r < 0)
		diag_set(diag, r, "%s", m->diag.message ? m->diag.message : "it failed");
	return r;
}
