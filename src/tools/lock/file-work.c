/* SPDX-License-Identifier: MIT */
/* perf lock for a recording. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "profile/recorded.h"
#include "session/consumer.h"
#include "session/reading.h"
#include "session/sample-filter.h"
#include "symbol/symbolizer.h"
#include "tools/lock/event-model.h"
#include "tools/lock/futexes-work.h"
#include "tools/lock/internal-work.h"
#include "tools/lock/session-names-work.h"

/* The model's consumer, and the names of threads. */
struct lock_file_reading {
	const struct lock_job *job;
	struct lock_session_names names;
	struct lock_futexes futexes;
	struct lock_contention *model;
	struct consumer inner;
};

/*
 * Checks that the events that `contention` needs were recorded. It needs two; `report` uses any of
 * them.
 */
static int lock_file_check_events(const struct lock_file_reading *r, const struct session *s)
{
	const struct lock_events *e = lock_contention_events(r->model);

	if (r->job->rq->acquisitions || r->job->rq->user_only ||
	    (e->has[LOCK_BEGIN] && e->has[LOCK_END]))
		return 0;
	diag_set(r->job->diag, -ENODATA, "%s has no lock:contention_begin and lock:contention_end",
		 session_path(s));
	if (e->has[LOCK_ACQUIRE])
		diag_hint(r->job->diag, "It has the events of lockdep: perf lock report");
	else
		diag_hint(r->job->diag, "To record them: perf lock record -- COMMAND");
	return -ENODATA;
}

static bool has_cgroups(const struct session *s)
{
	for (size_t i = 0; i < session_event_count(s); i++)
		if (session_event(s, i)->attr.sample_type & PERF_SAMPLE_CGROUP)
			return true;
	return false;
}

static int check_cgroups(const struct lock_file_reading *r, const struct session *s)
{
	if ((r->job->rq->by != LOCK_BY_CGROUP && !r->job->rq->cgroups) || has_cgroups(s))
		return 0;
	diag_set(r->job->diag, -ENODATA, "%s has no cgroups", session_path(s));
	diag_hint(r->job->diag, "To record them: perf lock record --all-cgroups -- COMMAND");
	return -ENODATA;
}

static int lock_file_begin(void *arg, struct consumer *c)
{
	struct lock_file_reading *r = arg;
	int status;

	r->names.session = c->session;
	status = r->inner.begin(r->inner.arg, c);
	if (status >= 0)
		status = lock_futexes_begin(&r->futexes, c->session, &r->names);
	if (status >= 0)
		status = lock_file_check_events(r, c->session);
	return status < 0 ? status : check_cgroups(r, c->session);
}

static bool lock_file_wants(void *arg, const struct session_event *e)
{
	const struct lock_file_reading *r = arg;

	return (!r->job->rq->user_only && r->inner.wants(r->inner.arg, e)) ||
	       lock_futexes_want(&r->futexes, e);
}

static int lock_file_take(void *arg, const struct sample_batch *b)
{
	struct lock_file_reading *r = arg;

	lock_futexes_take(&r->futexes, b);
	return r->inner.samples(r->inner.arg, b);
}

static int lock_file_take_names(void *arg, const struct record_batch *b)
{
	struct lock_file_reading *r = arg;

	for (size_t i = 0; i < b->n; i++)
		lock_session_names_take(&r->names, &b->items[i]);
	return 0;
}

static int lock_file_feed(struct lock_file_reading *r, struct recorded *file)
{
	const struct consumer c = { .order = CONSUMER_IN_ORDER,
				    .types = RECORD_TYPE_BIT(PERF_RECORD_COMM),
				    .begin = lock_file_begin,
				    .wants = lock_file_wants,
				    .samples = lock_file_take,
				    .records = lock_file_take_names,
				    .arg = r };

	return recorded_feed(file, &c, r->job->notes, r->job->diag);
}

static int lock_file_read_open(const struct lock_job *j, struct recorded *file)
{
	struct lock_file_reading r = { .job = j, .futexes.job = j, .names.own_names_only = true };
	const struct lock_names names = lock_session_names(&r.names);
	const struct target *t = &j->rq->target;
	int status;

	r.model = lock_job_model(j, &names, t->pids.n || t->tids.n ? file->filter : NULL);
	lock_contention_consumer(r.model, &r.inner);
	status = lock_file_feed(&r, file);
	if (status >= 0) {
		lock_futexes_finish(&r.futexes, r.model);
		status = lock_job_show(j, &(struct lock_counted){ .model = r.model,
								  .names = &names,
								  .is_last = true });
	}
	lock_contention_free(r.model);
	lock_futexes_done(&r.futexes);
	lock_session_names_done(&r.names);
	return status;
}

int lock_read(const struct lock_job *j)
{
	const struct lock_input *in = &j->rq->input;
	const struct reading_symbols how = { .request = &in->symbols,
					     .buildid_dir = in->buildid_dir,
					     .any_owner = in->force,
					     .progress = in->progress };
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = NULL;
	struct recorded_request what = { .path = in->path,
					 .force = in->force,
					 .progress = in->progress,
					 .filter = { .cpus = j->rq->target.cpus,
						     .pids = j->rq->target.pids,
						     .tids = j->rq->target.tids } };
	struct recorded file = { 0 };
	int r = reading_check_files(&how, j->diag);

	if (r < 0)
		return r;
	what.symbolizer = symbols = reading_symbolizer(&how);
	r = recorded_open(&what, &file, j->diag);
	if (r >= 0)
		r = lock_file_read_open(j, &file);
	recorded_done(&file);
	return r;
}
