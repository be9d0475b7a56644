/* SPDX-License-Identifier: MIT */
#include "tools/lock/lock-work.h"

#include <errno.h>
#include <inttypes.h>

#include "base/diag.h"
#include "base/notes.h"
#include "tools/lock/internal-work.h"

void lock_request_done(struct lock_request *rq)
{
	target_done(&rq->target);
	lock_filters_done(&rq->filters);
}

struct lock_contention *lock_job_model(const struct lock_job *j, const struct lock_names *names,
				       const struct sample_filter *threads)
{
	const struct lock_request *rq = j->rq;

	return lock_contention_new(&(struct lock_contention_options){
		.by = rq->by,
		.acquisitions = rq->acquisitions,
		.keep_threads = rq->keep_threads,
		.owners = rq->owners,
		.stack_skip = rq->stack_skip,
		.max_stack = rq->max_stack,
		.keep_stacks = rq->keep_stacks,
		.filters = &rq->filters,
		.threads = threads,
		.names = *names,
	});
}

static void lock_note_missing(const struct lock_job *j, struct lock_contention *m)
{
	size_t n;
	const char *const *unknown = lock_contention_unknown_locks(m, &n);
	uint64_t open = lock_contention_open(m);

	for (size_t i = 0; i < n; i++)
		notes_add(j->notes, NOTE_WARNING,
			  "the kernel has no symbol '%s': --lock-filter passes over it",
			  unknown[i]);
	/*
	 * The table goes to the same stream as notes. Tools that compare it expect nothing else
	 * there, so this note needs -v.
	 */
	if (open && j->rq->verbose)
		notes_add(j->notes, NOTE_DETAIL,
			  "Waits that had not ended, whose time is not known: %" PRIu64, open);
}

int lock_job_show(const struct lock_job *j, const struct lock_counted *s)
{
	if (s->is_last)
		lock_note_missing(j, s->model);
	return j->listener->show(j->listener->arg, s);
}

int lock_run(const struct lock_request *rq, const struct lock_listener *listener,
	     struct notes *notes, struct record_result *ret, struct diag *diag)
{
	const struct lock_job j = { .rq = rq, .listener = listener, .notes = notes, .diag = diag };

	*ret = (struct record_result){ 0 };
	if (!rq->is_live)
		return lock_read(&j);
	return rq->use_bpf ? lock_count(&j, ret) : lock_watch(&j, ret);
}
