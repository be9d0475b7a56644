/* SPDX-License-Identifier: MIT */
#include "tools/lock/futexes-work.h"

#include <errno.h>

#include "base/diag.h"
#include "base/notes.h"
#include "session/consumer.h"
#include "tools/lock/futex-events-model.h"
#include "tools/lock/internal-work.h"
#include "tools/lock/session-names-work.h"
#include "tools/lock/user-locks-model.h"

static int lock_futexes_refuse(const struct lock_futexes *f, const struct session *s)
{
	diag_set(f->job->diag, -ENODATA, "%s has no " LOCK_FUTEX_ENTER " and " LOCK_FUTEX_EXIT,
		 session_path(s));
	diag_hint(f->job->diag, "To record them: perf lock record --user -- COMMAND");
	return -ENODATA;
}

int lock_futexes_begin(struct lock_futexes *f, const struct session *s,
		       struct lock_session_names *names)
{
	const struct lock_request *rq = f->job->rq;
	const struct futex_events_options o = { .by_task = rq->by == LOCK_BY_TASK,
						.by_cgroup = rq->by == LOCK_BY_CGROUP,
						.max_stack = rq->max_stack };

	if (!rq->user && !rq->user_only)
		return 0;
	f->events = futex_events_new(&o);
	f->user = user_locks_new(s);
	names->user = f->user;
	futex_events_bind(f->events, s);
	return futex_events_there(f->events) ? 0 : lock_futexes_refuse(f, s);
}

void lock_futexes_done(struct lock_futexes *f)
{
	futex_events_free(f->events);
	user_locks_free(f->user);
}

bool lock_futexes_want(const struct lock_futexes *f, const struct session_event *e)
{
	return f->events && futex_events_want(f->events, e);
}

void lock_futexes_take(struct lock_futexes *f, const struct sample_batch *b)
{
	for (size_t i = 0; f->events && i < b->n; i++)
		futex_events_take(f->events, &b->items[i]);
}

void lock_futexes_finish(struct lock_futexes *f, struct lock_contention *m)
{
	const struct lock_job *j = f->job;
	struct futex_events_rest rest;

	if (!f->events)
		return;
	rest = futex_events_finish(f->events, f->user, &j->rq->filters, m);
	if (rest.conditions && j->rq->verbose)
		notes_add(j->notes, NOTE_DETAIL,
			  "%llu waits for conditions, semaphores and the like are left out; -Y "
			  "futex shows them",
			  (unsigned long long)rest.conditions);
	if (rest.unended && j->rq->verbose)
		notes_add(j->notes, NOTE_DETAIL, "%llu %s for futexes had not ended",
			  (unsigned long long)rest.unended, rest.unended == 1 ? "wait" : "waits");
}
