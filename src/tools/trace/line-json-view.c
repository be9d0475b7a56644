/* SPDX-License-Identifier: MIT */
/* Writes lines as objects: docs/format/trace-json.md */
#include "base/bytes.h"
#include "session/consumer.h"
#include "symbol/symbolizer.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/tasks-model.h"
#include "tools/trace/writer-view.h"
#include "tracepoint/format.h"

/* Adds the task: comm, pid, tid, cpu. */
static void trace_json_add_task(struct json *j, const struct trace_task *task, uint32_t cpu)
{
	if (task && *task->comm)
		json_member(j, "comm", task->comm);
	if (task && task->pid)
		json_member_unsigned(j, "pid", task->pid);
	if (task)
		json_member_unsigned(j, "tid", task->tid);
	if (cpu != UINT32_MAX)
		json_member_unsigned(j, "cpu", cpu);
}

static void trace_json_add_frame(void *arg, const struct trace_frame *f)
{
	struct json *j = arg;

	json_object(j);
	json_member_address(j, "ip", f->addr);
	json_member(j, "symbol", f->function);
	json_member(j, "dso", f->file);
	if (f->is_inlined)
		json_member_bool(j, "inlined", true);
	json_end(j, '}');
}

static void trace_json_add_stack(struct trace_lines *l, const struct session_sample *s)
{
	if (!l->chain.n)
		return;
	json_key(&l->json, "stack");
	json_array(&l->json);
	trace_stack_each(l, s, trace_json_add_frame, &l->json);
	json_end(&l->json, ']');
}

static void trace_json_end_line(struct json *j)
{
	json_end(j, '}');
	json_end_line(j);
}

static void trace_json_add_times(struct json *j, const struct trace_call *c)
{
	if (c->has_enter)
		json_member_unsigned(j, "time", c->enter_ns);
	else
		json_member_unsigned(j, "end", c->exit_ns);
	if (c->has_enter && c->exit_ns)
		json_member_unsigned(j, "duration", c->exit_ns - c->enter_ns);
}

void trace_json_call(struct trace_lines *l, const struct trace_call *c)
{
	struct json *j = &l->json;

	json_object(j);
	trace_json_add_times(j, c);
	trace_json_add_task(j, c->task, c->cpu);
	if (c->desc)
		json_member(j, "syscall", c->desc->name);
	json_member_signed(j, "nr", c->nr);
	json_member(j, "abi", syscall_abi_name(c->abi));
	if (c->has_enter)
		trace_args_json(j, c, &l->style.values);
	if (c->part == TRACE_CALL_BEGUN)
		json_member_bool(j, "unfinished", true);
	else if (c->part != TRACE_CALL_NO_RETURN)
		trace_result_json(j, c, &l->style.values);
	if (c->stack)
		trace_json_add_stack(l, c->stack);
	trace_json_end_line(j);
}

/* Adds all elements of an array. Only the size of its elements is known, not their type. */
static void trace_json_add_bytes(struct json *j, const char *bytes, size_t n)
{
	json_array(j);
	for (size_t i = 0; i < n; i++)
		json_unsigned(j, (uint8_t)bytes[i]);
	json_end(j, ']');
}

static void add_enum(struct trace_lines *l, const struct trace_field_value *v)
{
	text_clear(&l->scratch);
	if (trace_enum_text(&l->scratch, v->field->type, v->number, &l->style.values))
		json_string(&l->json, l->scratch.chars);
	else
		json_signed(&l->json, (int64_t)v->number);
}

static void trace_json_add_field(struct trace_lines *l, const struct trace_field_value *v)
{
	struct json *j = &l->json;

	json_key(j, v->field->name);
	switch (v->kind) {
	case TRACE_FIELD_SIGNED:
	case TRACE_FIELD_PID:
		json_signed(j, (int64_t)v->number);
		break;
	case TRACE_FIELD_UNSIGNED:
		json_unsigned(j, v->number);
		break;
	case TRACE_FIELD_ENUM:
		add_enum(l, v);
		break;
	case TRACE_FIELD_POINTER:
		json_address(j, v->number);
		break;
	case TRACE_FIELD_STRING:
		json_string_bytes(j, v->bytes, v->size);
		break;
	case TRACE_FIELD_BYTES:
		trace_json_add_bytes(j, v->bytes, v->size);
		break;
	}
}

static void trace_json_add_fields(struct trace_lines *l, const struct session_sample *s,
				  struct trace_task *task)
{
	const struct trace_event *e = trace_event_get(l, s->event);
	struct trace_field_value v;
	struct trace_call call;

	if (!e)
		return;
	if (task && trace_event_call(e, s, &call)) {
		call.task = task;
		trace_args_json(&l->json, &call, &l->style.values);
		return;
	}
	json_key(&l->json, "fields");
	json_object(&l->json);
	for (size_t i = 0; i < trace_event_fields(e); i++)
		if (trace_event_field(e, s, i, &v))
			trace_json_add_field(l, &v);
	json_end(&l->json, '}');
}

static void trace_json_add_place(struct trace_lines *l, const char *key, const struct location *at)
{
	struct json *j = &l->json;

	json_key(j, key);
	json_object(j);
	json_member_address(j, "addr", at->addr);
	if (at->sym) {
		json_member(j, "symbol", at->sym->name);
		json_member_unsigned(j, "offset", at->image_addr - at->sym->start);
	}
	if (at->map)
		json_member(j, "dso", image_long_name(at->map->image));
	json_end(j, '}');
}

static void add_fault(struct trace_lines *l, const struct session_sample *s)
{
	struct trace_fault f = trace_fault_of(l, s);

	trace_json_add_place(l, "code", &f.code);
	trace_json_add_place(l, "data", &f.data);
}

void trace_json_sample(struct trace_lines *l, const struct session_sample *s,
		       struct trace_task *task)
{
	struct json *j = &l->json;
	bool is_fault = attr_is_page_fault(&s->event->attr);

	json_object(j);
	json_member_unsigned(j, "time", s->time);
	trace_json_add_task(j, task, s->sample->cpu);
	json_member(j, "event", is_fault ? trace_fault_name(s->event) : s->event->name);
	if (is_fault)
		add_fault(l, s);
	else
		trace_json_add_fields(l, s, task);
	trace_json_add_stack(l, s);
	trace_json_end_line(j);
}

void trace_json_lost(struct trace_lines *l, uint64_t time_ns, uint64_t count)
{
	json_object(&l->json);
	if (time_ns)
		json_member_unsigned(&l->json, "time", time_ns);
	json_member_unsigned(&l->json, "lost", count);
	trace_json_end_line(&l->json);
}
