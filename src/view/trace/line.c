/* SPDX-License-Identifier: MIT */
#include "view/trace/line.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/trace/call.h"
#include "base/digits.h"
#include "base/memory.h"
#include "view/text-flush.h"
#include "view/trace/writer.h"

struct trace_lines *trace_lines_new(FILE *out, const struct trace_line_style *style)
{
	struct trace_lines *l = xcalloc(1, sizeof(*l));

	*l = (struct trace_lines){ .style = *style, .out = out, .text = TEXT_EMPTY };
	return l;
}

void trace_lines_free(struct trace_lines *l)
{
	if (!l)
		return;
	text_done(&l->text);
	free(l);
}

void trace_lines_start(struct trace_lines *l, uint64_t time_ns)
{
	l->has_start = true;
	l->start_ns = time_ns;
}

void trace_lines_session(struct trace_lines *l, struct session *s)
{
	l->session = s;
}

static void start_with(struct trace_lines *l, uint64_t time_ns)
{
	if (!l->has_start)
		trace_lines_start(l, time_ns);
}

int trace_lines_call(struct trace_lines *l, const struct trace_call *c)
{
	start_with(l, c->has_enter ? c->enter_ns : c->exit_ns);
	trace_line_call(l, c);
	return text_flush(&l->text, l->out, false);
}

int trace_lines_sample(struct trace_lines *l, const struct session_sample *s,
		       struct trace_task *task)
{
	(void)l;
	(void)s;
	(void)task;
	return 0;
}

int trace_lines_lost(struct trace_lines *l, uint64_t time_ns, uint64_t count)
{
	char *at;

	start_with(l, time_ns);
	text_add(&l->text, "LOST ");
	at = text_room(&l->text, DIGITS_MAX);
	text_filled(&l->text, digits_decimal(at, count));
	text_add(&l->text, " events!\n");
	return text_flush(&l->text, l->out, false);
}

int trace_lines_flush(struct trace_lines *l)
{
	int r = text_flush(&l->text, l->out, true);

	if (r < 0)
		return r;
	return fflush(l->out) ? -errno : 0;
}
