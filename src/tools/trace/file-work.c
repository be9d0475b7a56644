/* SPDX-License-Identifier: MIT */
/* perf trace -i: shows system calls from a recording that has raw_syscalls:*. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "foreign/any-session.h"
#include "session/reading.h"
#include "session/sample-filter.h"
#include "tools/trace/internal-work.h"
#include "tools/trace/samples-model.h"

static int check_calls(const struct trace_job *j, const struct session *s)
{
	if (!j->rq->selection.takes_calls || trace_samples_has_calls(j->samples) || j->shown)
		return 0;
	diag_set(j->diag, -ENODATA, "%s has no system calls", session_path(s));
	diag_hint(j->diag, "To record them: perf trace record, or perf record -e 'raw_syscalls:*'");
	return -ENODATA;
}

static int trace_file_feed(struct trace_job *j, struct session *s, const struct consumer *c)
{
	int r = session_feed(s, NULL, c, j->diag);

	if (r >= 0)
		r = reading_check_samples(s, j->diag);
	if (r >= 0)
		r = check_calls(j, s);
	if (r >= 0)
		r = trace_job_finish(j);
	reading_note_damage(s, j->notes);
	reading_note_losses(s, j->notes);
	return r;
}

int trace_read(struct trace_job *j)
{
	const struct trace_request *rq = j->rq;
	const struct session_options options = { .path = rq->input,
						 .force = rq->force,
						 .progress = rq->progress,
						 .symbolizer = rq->symbolizer };
	const struct sample_filter_request wanted = { .cpus = &rq->what.target.cpus };
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;
	_cleanup_(session_freep) struct session *s = NULL;
	struct consumer c;
	int r = any_session_open(&options, &s, j->diag);

	if (r >= 0)
		r = sample_filter_new(&wanted, &filter, j->diag);
	if (r < 0)
		return r;
	trace_job_begin(j, false);
	c = trace_job_consumer(j, rq->selection.takes_calls, false);
	c.filter = filter;
	return trace_file_feed(j, s, &c);
}
