/* SPDX-License-Identifier: MIT */
#include "tools/script/python/records.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/sample-filter.h"
#include "session/session.h"
#include "tools/script/python/export.h"
#include "tools/script/python/names.h"
#include "tools/script/python/script.h"
#include "tools/script/python/text.h"
#include "tools/script/round-counts-model.h"
#include "wire/record.h"

/*
 * Callbacks of a script for the counts of `perf stat record`. Private to tools/script.
 *
 *	stat__EVENT(cpu, thread, time, value, enabled, running)
 *	stat__interval(time)
 *
 * EVENT is the event's name with _ in place of a colon (cycles:u is cycles_u). If there is no such
 * function, _ replaces every character that Python does not permit in names.
 */

#if HAVE_LIBPYTHON

struct python_stat {
	struct python_script *script;
	struct round_counts *counts;
	PyObject **handlers; /* by event, set after the first round; NULL: no function */
	size_t n_handlers;
	PyObject *interval;
};

static struct python_stat *python_stat_new(struct python_script *s)
{
	struct python_stat *st = xcalloc(1, sizeof(*st));

	st->script = s;
	st->counts = round_counts_new(s->session);
	st->interval = python_handler(s, "stat__interval");
	return st;
}

static void python_stat_free(struct python_stat *st)
{
	if (!st)
		return;
	for (size_t i = 0; i < st->n_handlers; i++)
		Py_XDECREF(st->handlers[i]);
	Py_XDECREF(st->interval);
	free(st->handlers);
	round_counts_free(st->counts);
	free(st);
}

static PyObject *handler_of(const struct python_script *s, const char *event)
{
	_cleanup_(freep) char *name = xasprintf("stat__%s", event);
	PyObject *f;

	for (char *c = name; *c; c++)
		if (*c == ':')
			*c = '_';
	f = python_handler(s, name);
	if (f)
		return f;
	for (char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	return python_handler(s, name);
}

static void find_handlers(struct python_stat *st)
{
	if (st->handlers)
		return;
	st->n_handlers = round_counts_events(st->counts);
	st->handlers = xcalloc(st->n_handlers + 1, sizeof(*st->handlers));
	for (size_t i = 0; i < st->n_handlers; i++)
		st->handlers[i] = handler_of(st->script,
					     session_event(st->script->session, i)->name);
}

static int call_count(struct python_stat *st, size_t event, struct round_count n, uint64_t time)
{
	PyObject *args[] = {
		PyLong_FromLong(n.cpu),
		PyLong_FromLong(n.thread),
		PyLong_FromUnsignedLongLong(time),
		PyLong_FromUnsignedLongLong(n.value),
		PyLong_FromUnsignedLongLong(n.enabled),
		PyLong_FromUnsignedLongLong(n.running),
	};

	return python_call_take(st->script, st->handlers[event], args, ARRAY_SIZE(args));
}

static int python_stat_call_event(struct python_stat *st, size_t event, uint64_t time)
{
	int r = 0;

	if (!st->handlers[event])
		return 0;
	st->script->at = (struct python_moment){
		.what = session_event(st->script->session, event)->name,
		.time = time,
		.cpu = UINT32_MAX,
	};
	if (round_counts_summed(st->counts))
		return call_count(st, event, round_counts_sum(st->counts, event), time);
	for (size_t i = 0; !r && i < round_counts_cells(st->counts); i++)
		r = call_count(st, event, round_counts_get(st->counts, event, i), time);
	return r;
}

/*
 * Takes a record of perf's own. Calls the functions at the end of a round. Returns 0 or -ECANCELED.
 */
static int python_stat_record(struct python_stat *st, const struct record *rec)
{
	PyObject *time;
	int r = 0;

	if (!round_counts_record(st->counts, rec))
		return 0;
	find_handlers(st);
	for (size_t i = 0; !r && i < st->n_handlers; i++)
		r = python_stat_call_event(st, i, rec->stat_round.time);
	if (r || !st->interval)
		return r;
	time = PyLong_FromUnsignedLongLong(rec->stat_round.time);
	return python_call_take(st->script, st->interval, &time, 1);
}

#endif

#if HAVE_LIBPYTHON

struct python_records {
	struct python_script *script;
	PyObject *context_switch, *throttle, *unthrottle, *auxtrace_error;
	struct python_stat *stat;
	struct python_names *names;
	struct python_export *export; /* NULL: the script does not export */
};

struct python_records *python_records_new(struct python_script *s)
{
	struct python_records *r = xcalloc(1, sizeof(*r));

	r->script = s;
	r->context_switch = python_handler(s, "context_switch");
	r->throttle = python_handler(s, "throttle");
	r->unthrottle = python_handler(s, "unthrottle");
	r->auxtrace_error = python_handler(s, "auxtrace_error");
	r->stat = python_stat_new(s);
	r->names = python_names_new(s);
	r->export = python_export_new(s);
	return r;
}

void python_records_free(struct python_records *r)
{
	if (!r)
		return;
	Py_XDECREF(r->context_switch);
	Py_XDECREF(r->throttle);
	Py_XDECREF(r->unthrottle);
	Py_XDECREF(r->auxtrace_error);
	python_stat_free(r->stat);
	python_names_free(r->names);
	python_export_free(r->export);
	free(r);
}

int python_records_start(struct python_records *r)
{
	return r->export ? python_export_start(r->export) : 0;
}

void python_records_begin(struct python_records *r, struct consumer *c)
{
	if (r->context_switch)
		c->types |= RECORD_TYPE_BIT(PERF_RECORD_SWITCH) |
			    RECORD_TYPE_BIT(PERF_RECORD_SWITCH_CPU_WIDE);
	if (r->throttle)
		c->types |= RECORD_TYPE_BIT(PERF_RECORD_THROTTLE);
	if (r->unthrottle)
		c->types |= RECORD_TYPE_BIT(PERF_RECORD_UNTHROTTLE);
	if (r->export)
		python_export_begin(r->export, c);
}

static PyObject *signed_number(uint32_t v)
{
	return PyLong_FromLong((int32_t)v);
}

static PyObject *python_records_number(uint64_t v)
{
	return PyLong_FromUnsignedLongLong(v);
}

/*
 * Calls context_switch(ts, cpu, pid, tid, np_pid, np_tid, machine_pid, out, out_preempt,
 * machine_pid, vcpu). np is the next task if the task goes out, and the previous one if it comes
 * in. The last two are for guests, and have the values for no guest.
 */
static int call_switch(struct python_records *r, const struct record *rec)
{
	bool is_wide = rec->header.type == PERF_RECORD_SWITCH_CPU_WIDE;
	bool is_out = rec->header.misc & PERF_RECORD_MISC_SWITCH_OUT;
	bool is_preempted = is_out && (rec->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	PyObject *args[] = {
		python_records_number(rec->id.time),
		signed_number(rec->id.cpu),
		signed_number(rec->id.pid),
		signed_number(rec->id.tid),
		signed_number(is_wide ? rec->context_switch.next_prev_pid : UINT32_MAX),
		signed_number(is_wide ? rec->context_switch.next_prev_tid : UINT32_MAX),
		PyLong_FromLong(-1),
		PyBool_FromLong(is_out),
		PyBool_FromLong(is_preempted),
		PyLong_FromLong(0),
		PyLong_FromLong(-1),
	};

	return python_call_take(r->script, r->context_switch, args, ARRAY_SIZE(args));
}

/* Calls throttle(time, id, stream_id, cpu, pid, tid). */
static int call_throttle(struct python_records *r, PyObject *f, const struct record *rec)
{
	PyObject *args[] = {
		python_records_number(rec->throttle.time),
		python_records_number(rec->throttle.id),
		python_records_number(rec->throttle.stream_id),
		signed_number(rec->id.cpu),
		signed_number(rec->id.pid),
		signed_number(rec->id.tid),
	};

	return python_call_take(r->script, f, args, ARRAY_SIZE(args));
}

/* Calls auxtrace_error(typ, code, cpu, pid, tid, ip, ts, msg, cpumode, machine_pid, vcpu). */
static int call_auxtrace_error(struct python_records *r, const struct record *rec)
{
	const struct record_auxtrace_error *e = &rec->auxtrace_error;
	PyObject *args[] = {
		python_records_number(e->type),
		python_records_number(e->code),
		signed_number(e->cpu),
		signed_number(e->pid),
		signed_number(e->tid),
		python_records_number(e->ip),
		python_records_number(e->time),
		python_string(e->msg),
		PyLong_FromLong(rec->header.misc & PERF_RECORD_MISC_CPUMODE_MASK),
		signed_number(e->machine_pid),
		signed_number(e->vcpu),
	};

	return python_call_take(r->script, r->auxtrace_error, args, ARRAY_SIZE(args));
}

static void set_moment(struct python_records *r, const char *what, const struct record *rec,
		       uint64_t time)
{
	r->script->at = (struct python_moment){ what, time, rec->id.cpu, rec->id.pid };
}

static int call_handler(struct python_records *r, const struct record *rec, uint64_t time)
{
	switch (rec->header.type) {
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		set_moment(r, "a context switch", rec, time);
		/* An export passes them as rows. */
		return r->context_switch && !r->export ? call_switch(r, rec) : 0;
	case PERF_RECORD_THROTTLE:
		set_moment(r, "throttling", rec, time);
		return r->throttle ? call_throttle(r, r->throttle, rec) : 0;
	case PERF_RECORD_UNTHROTTLE:
		set_moment(r, "the end of throttling", rec, time);
		return r->unthrottle ? call_throttle(r, r->unthrottle, rec) : 0;
	default:
		return 0;
	}
}

/*
 * True if the record is needed. Names of tasks affect all later samples; other records are needed
 * only if they pass the filter.
 */
static bool python_records_is_wanted(const struct python_records *r, const struct record *rec,
				     uint64_t time)
{
	const struct sample_filter *f = r->script->request->filter;

	return !f || rec->header.type == PERF_RECORD_COMM || rec->header.type == PERF_RECORD_FORK ||
	       sample_filter_passes_moment(f, time, rec->id.cpu);
}

int python_records_take(struct python_records *r, const struct delivered *d)
{
	struct record rec;
	int error = 0;

	if (session_decode_record(r->script->session, d, &rec) < 0 ||
	    !python_records_is_wanted(r, &rec, d->time))
		return 0;
	if (r->export)
		error = python_export_record(r->export, &rec, d->time);
	return error ? error : call_handler(r, &rec, d->time);
}

int python_records_user(struct python_records *r, const struct delivered *d)
{
	struct record rec;

	if (session_decode_record(r->script->session, d, &rec) < 0)
		return 0;
	if (rec.header.type == PERF_RECORD_AUXTRACE_ERROR && r->auxtrace_error) {
		r->script->at = (struct python_moment){ "an error of the hardware trace",
							rec.auxtrace_error.time,
							rec.auxtrace_error.cpu,
							rec.auxtrace_error.pid };
		return call_auxtrace_error(r, &rec);
	}
	return python_stat_record(r->stat, &rec);
}

int python_records_sample(struct python_records *r, const struct session_sample *ss)
{
	int error = python_names_event(r->names, ss->event);

	if (error)
		return error;
	return r->export ? python_export_sample(r->export, ss) : 0;
}

int python_records_end(struct python_records *r)
{
	(void)r;
	return 0;
}

#endif
