/* SPDX-License-Identifier: MIT */
#include "tools/script/python/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "tools/script/python/chain.h"
#include "tools/script/python/fields.h"
#include "tools/script/python/load.h"
#include "tools/script/python/sample.h"
#include "tools/script/python/script.h"
#include "tools/script/python/text.h"
#include "tools/script/python/values.h"
#include "tracepoint/format.h"

#if HAVE_LIBPYTHON

/*
 * event_name, context, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
 * common_callchain
 */
#define COMMON_ARGS 8

enum handler_kind {
	HANDLER_NONE,
	HANDLER_EVENT,     /* SYSTEM__EVENT() */
	HANDLER_UNHANDLED, /* trace_unhandled() */
	HANDLER_PROCESS,   /* process_event() */
};

/* An event whose first sample has arrived. */
struct script_python_bound_event {
	enum handler_kind kind;
	bool is_bound;
	bool with_sample;   /* the handler takes perf_sample_dict */
	size_t n_args;      /* the handler's arguments, not counting that one */
	PyObject *function; /* NULL: HANDLER_NONE */
	PyObject *name;     /* "sched__sched_switch" */
	struct python_fields fields;
	PyObject **args; /* space for those of HANDLER_EVENT */
	struct python_sample_form form;
};

struct python_events {
	struct python_script *script;
	struct python_values values;
	struct python_chain chain;
	struct python_samples samples;
	PyObject *process_event, *unhandled;
	bool unhandled_takes_sample;
	struct {
		struct script_python_bound_event *items; /* indexed by the event's index */
		size_t n, room;
	} bound;
};

struct python_events *python_events_new(struct python_script *s)
{
	struct python_events *e = xcalloc(1, sizeof(*e));
	bool any;

	e->script = s;
	python_values_init(&e->values);
	python_chain_init(&e->chain, s->session, &e->values, s->request->max_stack,
			  s->request->inlines);
	e->samples = (struct python_samples){ .session = s->session,
					      .values = &e->values,
					      .chain = &e->chain };
	e->process_event = python_handler(s, "process_event");
	e->unhandled = python_handler(s, "trace_unhandled");
	e->unhandled_takes_sample = e->unhandled && python_parameters(e->unhandled, &any) == 4;
	return e;
}

static void bound_event_done(struct script_python_bound_event *b)
{
	Py_XDECREF(b->function);
	Py_XDECREF(b->name);
	python_fields_done(&b->fields);
	python_sample_form_done(&b->form);
	free(b->args);
}

void python_events_free(struct python_events *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->bound.n; i++)
		bound_event_done(&e->bound.items[i]);
	free(e->bound.items);
	python_chain_done(&e->chain);
	python_values_done(&e->values);
	Py_XDECREF(e->process_event);
	Py_XDECREF(e->unhandled);
	free(e);
}

static void note_left_out(const struct python_events *e, const struct script_python_bound_event *b,
			  const struct session_event *ev)
{
	_cleanup_(text_done) struct text names = TEXT_EMPTY;

	for (size_t i = b->n_args - COMMON_ARGS; i < b->fields.n; i++) {
		_cleanup_(freep) char *name = python_text_copy(b->fields.items[i].name);

		text_addf(&names, "%s%s", names.length ? ", " : "", name ? name : "?");
	}
	notes_add(e->script->request->notes, NOTE_WARNING,
		  "the script's %s__%s() was written for an older kernel: it does not get %s",
		  ev->system, ev->tracepoint, names.chars);
}

/*
 * Chooses the handler's arguments. Kernels append fields to tracepoints: a handler that was written
 * for an older kernel gets the fields that it knows.
 */
static void choose_args(struct python_events *e, struct script_python_bound_event *b,
			const struct session_event *ev)
{
	size_t n = COMMON_ARGS + b->fields.n;
	bool any;
	int takes = python_parameters(b->function, &any);

	b->n_args = n;
	b->with_sample = takes == (int)n + 1;
	b->args = xcalloc(n + 1, sizeof(*b->args));
	if (!any && takes >= COMMON_ARGS && (size_t)takes < n) {
		b->n_args = (size_t)takes;
		note_left_out(e, b, ev);
	}
}

/* Binds the handler of a tracepoint, or the one for tracepoints without a handler. */
static void python_events_bind_tracepoint(struct python_events *e,
					  struct script_python_bound_event *b,
					  const struct session_event *ev)
{
	_cleanup_(freep) char *name = xasprintf("%s__%s", ev->system, ev->tracepoint);

	python_fields_bind(&b->fields, ev->format, session_is_swapped(e->script->session));
	b->name = python_string(name);
	b->function = python_handler(e->script, name);
	if (b->function) {
		b->kind = HANDLER_EVENT;
		choose_args(e, b, ev);
	} else if (e->unhandled) {
		b->kind = HANDLER_UNHANDLED;
		b->function = e->unhandled;
		b->with_sample = e->unhandled_takes_sample;
		Py_INCREF(b->function);
	}
}

static void python_events_bind(struct python_events *e, struct script_python_bound_event *b,
			       const struct session_event *ev)
{
	b->is_bound = true;
	if (ev->system) {
		python_events_bind_tracepoint(e, b, ev);
	} else if (e->process_event) {
		b->kind = HANDLER_PROCESS;
		b->function = e->process_event;
		Py_INCREF(b->function);
	}
	if (b->with_sample || b->kind == HANDLER_PROCESS)
		python_sample_form_make(&b->form, &e->samples, ev);
}

static struct script_python_bound_event *python_events_bound_of(struct python_events *e,
								const struct session_event *ev)
{
	while (e->bound.n <= ev->index)
		*ARRAY_ADD(&e->bound) = (struct script_python_bound_event){ 0 };
	if (!e->bound.items[ev->index].is_bound)
		python_events_bind(e, &e->bound.items[ev->index], ev);
	return &e->bound.items[ev->index];
}

static PyObject *common_pid(const struct script_python_bound_event *b, const struct sample *s)
{
	uint64_t pid = 0;

	if (!field_ref_number(&b->fields.pid, s->raw, s->raw_size, &pid))
		pid = s->tid;
	return PyLong_FromLongLong((int32_t)pid);
}

static PyObject *python_events_comm_of(struct python_events *e, const struct session_sample *ss)
{
	const struct sample *s = ss->sample;
	PyObject *comm = python_values_comm(&e->values, e->script->session, s->pid, s->tid,
					    ss->time);

	Py_XINCREF(comm);
	return comm;
}

/* Makes common_cpu and the arguments after it, which each handler has. */
static void common_values(struct python_events *e, const struct script_python_bound_event *b,
			  const struct session_sample *ss, PyObject **ret)
{
	const struct sample *s = ss->sample;

	ret[0] = PyLong_FromLongLong((int32_t)s->cpu);
	ret[1] = python_values_seconds(&e->values, s->time);
	ret[2] = PyLong_FromUnsignedLongLong(s->time % 1000000000);
	ret[3] = common_pid(b, s);
	ret[4] = python_events_comm_of(e, ss);
	ret[5] = python_chain_list(&e->chain, ss);
}

static int python_events_call_event(struct python_events *e, struct script_python_bound_event *b,
				    const struct session_sample *ss)
{
	PyObject **args = b->args;
	size_t n = COMMON_ARGS;

	args[0] = b->name;
	args[1] = e->script->context;
	Py_XINCREF(args[0]);
	Py_XINCREF(args[1]);
	common_values(e, b, ss, args + 2);
	for (size_t i = 0; n < b->n_args; i++)
		args[n++] = python_field_value(&b->fields.items[i], ss->sample);
	if (b->with_sample)
		args[n++] = python_sample_dict(&e->samples, &b->form, ss);
	return python_call_take(e->script, b->function, args, n);
}

static PyObject *fields_dict(struct python_events *e, const struct script_python_bound_event *b,
			     const struct session_sample *ss)
{
	static const enum python_key keys[] = { KEY_common_cpu,  KEY_common_s,
						KEY_common_ns,   KEY_common_pid,
						KEY_common_comm, KEY_common_callchain };
	PyObject *common[ARRAY_SIZE(keys)], *d = PyDict_New();

	common_values(e, b, ss, common);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		python_put(&e->values, d, keys[i], common[i]);
	for (size_t i = 0; d && i < b->fields.n; i++) {
		struct python_field *f = &b->fields.items[i];
		_cleanup_(python_unrefp) PyObject *v = python_field_value(f, ss->sample);

		if (v && f->name)
			PyDict_SetItem(d, f->name, v);
	}
	return d;
}

static int call_unhandled(struct python_events *e, const struct script_python_bound_event *b,
			  const struct session_sample *ss)
{
	PyObject *args[4] = { b->name, e->script->context };
	size_t n = 3;

	Py_XINCREF(args[0]);
	Py_XINCREF(args[1]);
	args[2] = fields_dict(e, b, ss);
	if (b->with_sample)
		args[n++] = python_sample_dict(&e->samples, &b->form, ss);
	return python_call_take(e->script, b->function, args, n);
}

static int call_process(struct python_events *e, const struct script_python_bound_event *b,
			const struct session_sample *ss)
{
	PyObject *dict = python_sample_dict(&e->samples, &b->form, ss);

	return python_call_take(e->script, b->function, &dict, 1);
}

int python_events_sample(struct python_events *e, const struct session_sample *ss)
{
	struct script_python_bound_event *b = python_events_bound_of(e, ss->event);
	struct python_script *s = e->script;
	int r = 0;

	s->now = ss;
	python_values_trim(&e->values);
	switch (b->kind) {
	case HANDLER_EVENT:
		r = python_events_call_event(e, b, ss);
		break;
	case HANDLER_UNHANDLED:
		r = call_unhandled(e, b, ss);
		break;
	case HANDLER_PROCESS:
		r = call_process(e, b, ss);
		break;
	case HANDLER_NONE:
		break;
	}
	s->now = NULL;
	return r;
}

const struct python_fields *python_events_fields(struct python_events *e,
						 const struct session_sample *ss)
{
	return &python_events_bound_of(e, ss->event)->fields;
}

#endif
