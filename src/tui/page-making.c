/* SPDX-License-Identifier: MIT */
#include "tui/page-making.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/background.h"
#include "base/diag.h"
#include "base/memory.h"
#include "profile/page/make.h"
#include "profile/page/page.h"
#include "session/reading.h"
#include "session/session.h"
#include "tui/browse.h"

struct page_making {
	struct background work;
	struct browse_request rq;
	/* Valid when the work is over: */
	int r;
	struct diag diag;
	struct page page;
};

/*
 * Returns the request that `perf report --html` uses: tasks, CPUs and times are in the log, not in
 * keys.
 */
static struct profile_request page_making_request_of(struct page_making *m)
{
	struct profile_request rq = m->rq.profile;

	rq.progress = &m->work.progress;
	rq.stop = &m->work.stop;
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
		.part = m->rq.tables.rows.symbol_part,
	};
	_cleanup_(profile_done) struct profile p = { 0 };
	int r = profile_open(&p, &pr, diag);

	if (r >= 0)
		r = profile_collect(&p, diag);
	if (r >= 0)
		r = reading_check_samples(p.session, diag);
	if (r < 0)
		return r;
	background_report(&m->work, "Making the page", 0, 0);
	page_make(&p, &rq, &m->page);
	if (!m->page.cells.n)
		return diag_set(diag, -ENODATA, "no samples pass the filters for a page");
	return 1;
}

static void page_making_run(void *arg)
{
	struct page_making *m = arg;

	m->r = page_making_make(m, &m->diag);
}

struct page_making *page_making_start(const struct browse_request *rq)
{
	struct page_making *m = xcalloc(1, sizeof(*m));
	int r;

	browse_request_copy(&m->rq, rq);
	background_init(&m->work);
	m->work.title = "Reading samples";
	r = background_start(&m->work, page_making_run, m);
	if (r < 0) {
		m->work.is_over = true;
		m->r = diag_set(&m->diag, r, "no thread can be started: %s", strerror(-r));
		background_tell(&m->work);
	}
	return m;
}

void page_making_free(struct page_making *m)
{
	if (!m)
		return;
	background_done(&m->work);
	page_done(&m->page);
	diag_done(&m->diag);
	browse_request_done(&m->rq);
	free(m);
}

int page_making_fd(const struct page_making *m)
{
	return m->work.fd;
}

void page_making_progress(struct page_making *m, const char **ret_title, uint64_t *ret_done,
			  uint64_t *ret_total)
{
	background_hear(&m->work);
	background_progress(&m->work, ret_title, ret_done, ret_total);
}

int page_making_result(struct page_making *m, const struct page **ret_page, struct diag *diag)
{
	int r;

	pthread_mutex_lock(&m->work.lock);
	r = m->work.is_over ? m->r : 0;
	pthread_mutex_unlock(&m->work.lock);
	if (r > 0)
		*ret_page = &m->page;
	if (r < 0)
		diag_set(diag, r, "%s", m->diag.message ? m->diag.message : "it failed");
	return r;
}
