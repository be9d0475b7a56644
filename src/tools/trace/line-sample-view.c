/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "session/consumer.h"
#include "session/trace-machine.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/tasks-model.h"
#include "tools/trace/writer-view.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

static void add_signed(struct text *t, int64_t v)
{
	text_filled(t, digits_signed(text_room(t, DIGITS_MAX), v));
}

static void trace_line_sample_add_hex(struct text *t, uint64_t v)
{
	text_add(t, "0x");
	text_filled(t, digits_hex(text_room(t, DIGITS_MAX), v));
}

/* Appends a number. Larger numbers are addresses of the kernel, or masks, and are hexadecimal. */
static void add_unsigned(struct text *t, uint64_t v)
{
	if (v > INT64_MAX)
		trace_line_sample_add_hex(t, v);
	else
		add_signed(t, (int64_t)v);
}

/* Appends a process with its name: "15176 (sh)". */
static void add_pid(struct trace_lines *l, uint64_t pid)
{
	struct trace_tasks *tasks = l->style.values.tasks;
	const char *comm = tasks ? trace_tasks_comm(tasks, (uint32_t)pid) : NULL;

	add_signed(&l->text, (int64_t)pid);
	if (!comm || !*comm)
		return;
	text_add(&l->text, " (");
	escape_terminal(&l->text, comm, strlen(comm));
	text_add_char(&l->text, ')');
}

static const struct tracepoint_machine *trace_line_sample_machine_of(struct trace_lines *l)
{
	if (!l->trace)
		l->trace = trace_machine_new(l->session);
	return trace_machine_get(l->trace);
}

static void trace_line_sample_add_string(struct text *t, const char *bytes, size_t n)
{
	text_add_char(t, '"');
	escape_quoted(t, bytes, n);
	text_add_char(t, '"');
}

/* Appends "[127, 0, 0, 1]". */
static void trace_line_sample_add_bytes(struct text *t, const char *bytes, size_t n)
{
	text_add_char(t, '[');
	for (size_t i = 0; i < n; i++) {
		text_add(t, i ? ", " : "");
		add_signed(t, (uint8_t)bytes[i]);
	}
	text_add_char(t, ']');
}

static void trace_line_sample_add_value(struct trace_lines *l, const struct trace_field_value *v)
{
	struct text *t = &l->text;

	switch (v->kind) {
	case TRACE_FIELD_SIGNED:
		add_signed(t, (int64_t)v->number);
		break;
	case TRACE_FIELD_UNSIGNED:
		add_unsigned(t, v->number);
		break;
	case TRACE_FIELD_ENUM:
		if (!trace_enum_text(t, v->field->type, v->number, &l->style.values))
			add_signed(t, (int64_t)v->number);
		break;
	case TRACE_FIELD_POINTER:
		trace_line_sample_add_hex(t, v->number);
		break;
	case TRACE_FIELD_PID:
		add_pid(l, v->number);
		break;
	case TRACE_FIELD_STRING:
		trace_line_sample_add_string(t, v->bytes, v->size);
		break;
	case TRACE_FIELD_BYTES:
		trace_line_sample_add_bytes(t, v->bytes, v->size);
		break;
	}
}

/* True if the value is 0 and can be omitted. The 0 of an enum is a name like others. */
static bool is_zero(const struct trace_field_value *v)
{
	size_t i = 0;

	if (v->kind == TRACE_FIELD_STRING || v->kind == TRACE_FIELD_ENUM)
		return false;
	if (v->kind != TRACE_FIELD_BYTES)
		return !v->number;
	while (i < v->size && !v->bytes[i])
		i++;
	return i == v->size;
}

static void trace_line_sample_add_fields(struct trace_lines *l, const struct session_sample *s,
					 const struct trace_event *e)
{
	struct trace_field_value v;
	bool hides_zeros = !l->style.values.shows_zeros;
	bool filled = false;

	for (size_t i = 0; i < trace_event_fields(e); i++) {
		if (!trace_event_field(e, s, i, &v) || (hides_zeros && is_zero(&v)))
			continue;
		if (filled)
			text_add(&l->text, ", ");
		filled = true;
		if (l->style.values.shows_names) {
			escape_terminal(&l->text, v.field->name, strlen(v.field->name));
			text_add(&l->text, ": ");
		}
		trace_line_sample_add_value(l, &v);
	}
}

static void trace_line_sample_add_args(struct trace_lines *l, const struct session_sample *s,
				       struct trace_task *task)
{
	const struct trace_event *e = trace_event_get(l, s->event);
	struct trace_call call;

	if (!e)
		return;
	if (l->style.prints_format) {
		text_clear(&l->scratch);
		tracepoint_plan_print(s->event->plan, trace_line_sample_machine_of(l),
				      s->sample->raw, s->sample->raw_size, &l->scratch);
		escape_terminal(&l->text, l->scratch.chars, l->scratch.length);
	} else if (task && trace_event_call(e, s, &call)) {
		call.task = task;
		trace_args_text(&l->text, &call, &l->style.values);
	} else {
		trace_line_sample_add_fields(l, s, e);
	}
}

/*
 * The length to which the output of a program is cut. `perf record` and `perf script` show all of
 * it.
 */
#define OUTPUT_MAX 64

/* Appends the output of a BPF program: a text, if only NULs follow it, or else bytes. */
static void add_output(struct trace_lines *l, const struct session_sample *s)
{
	const uint8_t *raw = s->sample->raw;
	size_t size = s->sample->raw_size, n = size ? strnlen((const char *)raw, size) : 0;
	bool is_text = n && n < size;

	for (size_t i = 0; i < size && is_text; i++)
		is_text = i < n ? isascii(raw[i]) && (isprint(raw[i]) || isspace(raw[i])) : !raw[i];
	if (is_text) {
		text_add_char(&l->text, '"');
		escape_terminal(&l->text, (const char *)raw, n);
		text_add_char(&l->text, '"');
		return;
	}
	for (size_t i = 0; i < size && i < OUTPUT_MAX; i++)
		text_addf(&l->text, "%s%02x", i ? " " : "", raw[i]);
	if (size > OUTPUT_MAX)
		text_add(&l->text, " ...");
}

static void trace_line_sample_add_event(struct trace_lines *l, const struct session_sample *s,
					struct trace_task *task)
{
	const struct attr *a = &s->event->attr;

	escape_terminal(&l->text, s->event->name, strlen(s->event->name));
	text_add_char(&l->text, '(');
	if (a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_BPF_OUTPUT)
		add_output(l, s);
	else
		trace_line_sample_add_args(l, s, task);
	text_add_char(&l->text, ')');
}

void trace_line_sample(struct trace_lines *l, const struct session_sample *s,
		       struct trace_task *task)
{
	bool is_fault = attr_is_page_fault(&s->event->attr);
	/* The duration of a page fault is not measured. Linux's perf shows 0. */
	struct trace_line_head h = {
		.has_time = true,
		.time_ns = s->time,
		.has_duration = is_fault,
		.cpu = s->sample->cpu,
		.task = task,
	};

	trace_line_head(l, &h);
	if (is_fault)
		trace_line_fault(l, s);
	else
		trace_line_sample_add_event(l, s, task);
	text_add_char(&l->text, '\n');
	trace_stack_text(l, s);
}
