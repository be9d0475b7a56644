/* SPDX-License-Identifier: MIT */
/* Fields of tracepoints, looked up once for each event. */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/syscall/syscall.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/writer-view.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

#define ENTER_PREFIX "sys_enter_"
#define NR_FIELD     "__syscall_nr"

struct trace_event_field {
	const struct tracepoint_field *field;
	struct field_ref ref;
	uint8_t kind; /* enum trace_field_kind */
};

struct trace_event {
	const struct syscall_desc *desc; /* for syscalls:sys_enter_*; NULL: another event */
	uint8_t abi;
	int32_t nr;
	size_t n;
	struct trace_event_field fields[];
};

static enum trace_field_kind trace_event_kind_of(const struct tracepoint_field *f,
						 const struct field_ref *ref)
{
	if (f->is_string)
		return TRACE_FIELD_STRING;
	if (ref->kind != FIELD_NUMBER)
		return TRACE_FIELD_BYTES;
	if (f->is_pointer)
		return TRACE_FIELD_POINTER;
	if (!strcmp(f->type, "pid_t"))
		return TRACE_FIELD_PID;
	if (!strncmp(f->type, "enum ", strlen("enum ")))
		return TRACE_FIELD_ENUM;
	return f->is_signed ? TRACE_FIELD_SIGNED : TRACE_FIELD_UNSIGNED;
}

static enum syscall_abi abi_of(const struct session *s)
{
	const struct arch *arch = arch_find(session_features(s)->arch);

	return arch ? syscall_abi_of(arch->elf_machine, false) : SYSCALL_ABI_NONE;
}

/* Finds the call of syscalls:sys_enter_NAME. */
static void trace_event_find_call(struct trace_event *e, const struct session *s,
				  const struct session_event *event)
{
	const char *name = event->tracepoint;
	int nr;

	if (!name || strcmp(event->system, "syscalls") ||
	    strncmp(name, ENTER_PREFIX, strlen(ENTER_PREFIX)))
		return;
	e->abi = abi_of(s);
	nr = syscall_number(e->abi, name + strlen(ENTER_PREFIX));
	if (nr < 0)
		return;
	e->nr = nr;
	e->desc = syscall_find(e->abi, (unsigned)nr);
}

static struct trace_event *event_new(const struct session *s, const struct session_event *event)
{
	const struct tracepoint_format *f = event->format;
	struct trace_event *e = xcalloc(1, sizeof(*e) + f->n_fields * sizeof(e->fields[0]));

	trace_event_find_call(e, s, event);
	for (size_t i = 0; i < f->n_fields; i++) {
		const struct tracepoint_field *field = &f->fields[i];
		struct field_ref ref;

		if (field->is_common || (e->desc && !strcmp(field->name, NR_FIELD)))
			continue;
		ref = field_ref_of(field, session_is_swapped(s));
		e->fields[e->n++] = (struct trace_event_field){ field, ref,
								trace_event_kind_of(field, &ref) };
	}
	return e;
}

void trace_event_free(struct trace_event *e)
{
	free(e);
}

static void reserve_events(struct trace_lines *l, size_t n)
{
	for (l->events = array_reserve(l->events, &l->events_room, n, sizeof(*l->events));
	     l->n_events < n; l->n_events++)
		l->events[l->n_events] = NULL;
}

const struct trace_event *trace_event_get(struct trace_lines *l, const struct session_event *e)
{
	if (!e->format)
		return NULL;
	reserve_events(l, e->index + 1);
	if (!l->events[e->index])
		l->events[e->index] = event_new(l->session, e);
	return l->events[e->index];
}

bool trace_event_call(const struct trace_event *e, const struct session_sample *s,
		      struct trace_call *ret)
{
	struct trace_field_value v;

	if (!e->desc)
		return false;
	*ret = (struct trace_call){ .abi = e->abi, .nr = e->nr, .desc = e->desc };
	for (size_t i = 0; i < e->n && i < SYSCALL_ARGS_MAX; i++)
		if (trace_event_field(e, s, i, &v))
			ret->args[i] = v.number;
	return true;
}

size_t trace_event_fields(const struct trace_event *e)
{
	return e->n;
}

bool trace_event_field(const struct trace_event *e, const struct session_sample *s, size_t i,
		       struct trace_field_value *ret)
{
	const struct trace_event_field *f = &e->fields[i];
	const uint8_t *raw = s->sample->raw;
	size_t size = s->sample->raw_size;
	struct raw_span span;

	*ret = (struct trace_field_value){ .field = f->field, .kind = f->kind };
	if (f->ref.kind == FIELD_NUMBER)
		return field_ref_number(&f->ref, raw, size, &ret->number);
	span = field_ref_bytes(&f->ref, raw, size);
	ret->bytes = (const char *)span.bytes;
	ret->size = span.size;
	if (ret->kind == TRACE_FIELD_STRING)
		ret->size = strnlen(ret->bytes, span.size);
	return !span.is_cut;
}
