/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "arch/syscall/syscall.h"
#include "base/digits.h"
#include "tools/trace/writer-view.h"

#define BEGUN " ..."

static struct trace_line_head trace_line_call_head_of(const struct trace_call *c)
{
	return (struct trace_line_head){
		.has_time = c->has_enter,
		.time_ns = c->enter_ns,
		.has_duration = c->has_enter && c->exit_ns,
		.duration_ns = c->exit_ns - c->enter_ns,
		.cpu = c->cpu,
		.task = c->task,
	};
}

static void trace_line_call_add_name(struct text *t, const struct trace_call *c)
{
	if (c->desc) {
		text_add(t, c->desc->name);
	} else {
		text_add(t, "syscall_");
		text_filled(t, digits_signed(text_room(t, DIGITS_MAX), c->nr));
	}
}

static void trace_line_call_add_args(struct trace_lines *l, const struct trace_call *c)
{
	struct text *t = &l->text;

	trace_line_call_add_name(t, c);
	text_add_char(t, '(');
	trace_args_text(t, c, &l->style.values);
	text_add_char(t, ')');
}

/* Appends the continuation. The second parenthesis is also present in Linux's perf. */
static void add_continued(struct trace_lines *l, const struct trace_call *c)
{
	bool coloured = l->style.is_coloured;
	struct text *t = &l->text;

	text_add(t, coloured ? " ... [" TRACE_COLOUR_YELLOW "continued" TRACE_COLOUR_OFF "]: "
			     : " ... [continued]: ");
	trace_line_call_add_name(t, c);
	text_add(t, "())");
}

/* Appends blanks, so that @length further characters end at the column of the results. */
static void trace_line_call_align(struct trace_lines *l, size_t from, size_t length)
{
	size_t have = l->text.length - from + length;
	size_t n = l->style.alignment > have ? l->style.alignment - have : 0;

	text_filled(&l->text, (char *)memset(text_room(&l->text, n), ' ', n) + n);
}

/* Returns the length of the colours, which take no space on a terminal. */
static size_t colours_length(const struct trace_lines *l, const struct trace_call *c)
{
	if (!l->style.is_coloured || c->part != TRACE_CALL_CONTINUED)
		return 0;
	return strlen(TRACE_COLOUR_YELLOW TRACE_COLOUR_OFF);
}

static void trace_line_call_add_result(struct trace_lines *l, const struct trace_call *c,
				       size_t from)
{
	trace_line_call_align(l, from + colours_length(l, c), strlen(" "));
	text_add(&l->text, " = ");
	if (c->part == TRACE_CALL_NO_RETURN)
		text_add_char(&l->text, '?');
	else
		trace_result_text(&l->text, c, &l->style.values);
}

void trace_line_call(struct trace_lines *l, const struct trace_call *c)
{
	struct trace_line_head h = trace_line_call_head_of(c);
	size_t from;

	trace_line_head(l, &h);
	from = l->text.length;
	if (c->part == TRACE_CALL_CONTINUED)
		add_continued(l, c);
	else
		trace_line_call_add_args(l, c);
	if (c->part == TRACE_CALL_BEGUN) {
		trace_line_call_align(l, from, strlen(BEGUN));
		text_add(&l->text, BEGUN);
	} else {
		trace_line_call_add_result(l, c, from);
	}
	text_add_char(&l->text, '\n');
	if (c->stack)
		trace_stack_text(l, c->stack);
}
