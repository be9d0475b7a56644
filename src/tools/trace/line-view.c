/* SPDX-License-Identifier: MIT */
#include "tools/trace/line-view.h"

#include <errno.h>
#include <stdlib.h>

#include "base/digits.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/trace-machine.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/writer-view.h"
#include "view/text-flush.h"

struct trace_lines *trace_lines_new(FILE *out, const struct trace_line_style *style)
{
	struct trace_lines *l = xcalloc(1, sizeof(*l));

	*l = (struct trace_lines){
		.style = *style,
		.out = out,
		.text = TEXT_EMPTY,
		.scratch = TEXT_EMPTY,
	};
	json_init_text(&l->json, &l->text);
	l->json.on_line = true;
	l->json.is_tight = true;
	l->json.colon = ":";
	return l;
}

void trace_lines_free(struct trace_lines *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n_events; i++)
		trace_event_free(l->events[i]);
	free(l->events);
	trace_machine_free(l->trace);
	call_chain_done(&l->chain);
	text_done(&l->scratch);
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

void trace_lines_symbols(struct trace_lines *l, const struct symbolizer *s)
{
	l->symbols = s;
}

static void start_with(struct trace_lines *l, uint64_t time_ns)
{
	if (!l->has_start)
		trace_lines_start(l, time_ns);
}

int trace_lines_call(struct trace_lines *l, const struct trace_call *c)
{
	start_with(l, c->has_enter ? c->enter_ns : c->exit_ns);
	if (c->stack && !trace_stack_take(l, c->stack))
		return 0;
	if (l->style.is_json)
		trace_json_call(l, c);
	else
		trace_line_call(l, c);
	return text_flush(&l->text, l->out, false);
}

int trace_lines_sample(struct trace_lines *l, const struct session_sample *s,
		       struct trace_task *task)
{
	start_with(l, s->time);
	if (!l->session || !trace_stack_take(l, s))
		return 0;
	if (l->style.is_json)
		trace_json_sample(l, s, task);
	else
		trace_line_sample(l, s, task);
	return text_flush(&l->text, l->out, false);
}

static void trace_line_add_lost(struct text *t, uint64_t count)
{
	text_add(t, "LOST ");
	text_filled(t, digits_decimal(text_room(t, DIGITS_MAX), count));
	text_add(t, " events!\n");
}

int trace_lines_lost(struct trace_lines *l, uint64_t time_ns, uint64_t count)
{
	if (l->style.is_json)
		trace_json_lost(l, time_ns, count);
	else
		trace_line_add_lost(&l->text, count);
	return text_flush(&l->text, l->out, false);
}

int trace_lines_flush(struct trace_lines *l)
{
	int r = text_flush(&l->text, l->out, true);

	if (r < 0)
		return r;
	return fflush(l->out) ? -errno : 0;
}
