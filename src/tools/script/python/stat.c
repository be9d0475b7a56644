/* SPDX-License-Identifier: MIT */
#include "tools/script/python/stat.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/session.h"
#include "tools/script/python/script.h"
#include "tools/script/round-counts-model.h"
#include "wire/record.h"

#if HAVE_LIBPYTHON

struct python_stat {
	struct python_script *script;
	struct round_counts *counts;
	PyObject **handlers; /* by event, once a round has ended; NULL: the script has none */
	size_t n_handlers;
	PyObject *interval;
};

struct python_stat *python_stat_new(struct python_script *s)
{
	struct python_stat *st = xcalloc(1, sizeof(*st));

	st->script = s;
	st->counts = round_counts_new(s->session);
	st->interval = python_handler(s, "stat__interval");
	return st;
}

void python_stat_free(struct python_stat *st)
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

int python_stat_record(struct python_stat *st, const struct record *rec)
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
