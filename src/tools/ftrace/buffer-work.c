/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/buffer-work.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "tools/ftrace/explain-work.h"
#include "tools/ftrace/request-work.h"
#include "tools/ftrace/settings-work.h"
#include "tools/ftrace/trace-buffer-work.h"

/* The settings cannot be made in an instance. */
#define NOT_IN_INSTANCES 1

/*
 * Instances have no settings for the depth and the functions of function_graph, and until Linux
 * 6.11 not that tracer either.
 */
static bool is_for_global(const struct trace_buffer *b, const struct ftrace_setting *s, int error)
{
	return !trace_buffer_is_global(b) &&
	       (error == -ENOENT || !strcmp(s->file, "current_tracer"));
}

static int ftrace_buffer_apply(struct trace_buffer *b, const struct ftrace_request *rq,
			       const struct ftrace_settings *settings, struct diag *diag)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct ftrace_setting *s = &settings->items[i];
		int r = s->is_added ? trace_buffer_add(b, s->file, s->value)
				    : trace_buffer_set(b, s->file, s->value);

		/* What the kernel does not know is as usual. */
		if (r >= 0 || (r == -ENOENT && !s->option))
			continue;
		if (is_for_global(b, s, r))
			return NOT_IN_INSTANCES;
		return ftrace_explain_setting(rq->tracing, s, r, diag);
	}
	return 0;
}

/* What could not be undone is worth a word, but the failure before it more. */
static void ftrace_buffer_give_up(struct trace_buffer *b, struct notes *notes)
{
	_cleanup_(diag_done) struct diag why = { 0 };

	if (trace_buffer_release(b, &why) < 0)
		notes_take(notes, NOTE_WARNING, &why);
}

static int open_global(const struct ftrace_request *rq, const struct ftrace_settings *settings,
		       struct notes *notes, struct trace_buffer **ret, struct diag *diag)
{
	struct trace_buffer *b;
	int r = trace_buffer_take(rq->tracing, TRACE_NOTE_PATH, &b, diag);

	if (r < 0)
		return r;
	r = ftrace_buffer_apply(b, rq, settings, diag);
	if (r < 0) {
		ftrace_buffer_give_up(b, notes);
		return r;
	}
	*ret = b;
	return 0;
}

int ftrace_buffer_open(const struct ftrace_request *rq, const struct ftrace_settings *settings,
		       struct notes *notes, struct trace_buffer **ret, struct diag *diag)
{
	struct trace_buffer *b;
	int r = ftrace_check_tracer(rq, diag);

	if (r < 0)
		return r;
	trace_buffers_repair(rq->tracing, TRACE_NOTE_PATH, notes);
	r = trace_buffer_make(rq->tracing, &b, diag);
	if (r < 0)
		return r;
	r = ftrace_buffer_apply(b, rq, settings, diag);
	if (r == 0) {
		*ret = b;
		return 0;
	}
	ftrace_buffer_give_up(b, notes);
	if (r < 0)
		return r;
	if (rq->verbose)
		notes_add(notes, NOTE_DETAIL, "Traced in the global trace buffer.");
	return open_global(rq, settings, notes, ret, diag);
}
