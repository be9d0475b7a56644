/* SPDX-License-Identifier: MIT */
#include "tools/script/python/export.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/export.h"
#include "session/consumer.h"
#include "tools/script/python/script.h"
#include "tools/script/python/text.h"
#include "wire/record.h"

#if HAVE_LIBPYTHON

static const char *const functions[EXPORT_TABLES] = {
	[EXPORT_EVSEL] = "evsel_table",
	[EXPORT_MACHINE] = "machine_table",
	[EXPORT_THREAD] = "thread_table",
	[EXPORT_COMM] = "comm_table",
	[EXPORT_COMM_THREAD] = "comm_thread_table",
	[EXPORT_DSO] = "dso_table",
	[EXPORT_SYMBOL] = "symbol_table",
	[EXPORT_BRANCH_TYPE] = "branch_type_table",
	[EXPORT_CALL_PATH] = "call_path_table",
	[EXPORT_CONTEXT_SWITCH] = "context_switch_table",
	[EXPORT_SAMPLE] = "sample_table",
};

struct python_export {
	struct python_script *script;
	struct export *export;
	PyObject *handlers[EXPORT_TABLES]; /* NULL: rows of this table are not requested */
};

static bool python_export_is_set(const struct python_script *s, const char *variable)
{
	PyObject *v = PyDict_GetItemString(s->globals, variable);

	return v && PyObject_IsTrue(v) > 0;
}

static int call_row(void *arg, enum export_table table, const struct export_value *values, size_t n)
{
	struct python_export *x = arg;
	PyObject *args[EXPORT_COLUMNS_MAX];

	if (!x->handlers[table])
		return 0;
	for (size_t i = 0; i < n; i++)
		args[i] = values[i].text ? python_string(values[i].text)
					 : PyLong_FromLongLong(values[i].number);
	return python_call_take(x->script, x->handlers[table], args, n);
}

struct python_export *python_export_new(struct python_script *s)
{
	struct python_export *x;

	if (!python_export_is_set(s, "perf_db_export_mode"))
		return NULL;
	x = xcalloc(1, sizeof(*x));
	x->script = s;
	for (size_t i = 0; i < EXPORT_TABLES; i++)
		x->handlers[i] = python_handler(s, functions[i]);
	x->export = export_new(&(struct export_options){
		.session = s->session,
		.call_paths = python_export_is_set(s, "perf_db_export_callchains"),
		.max_stack = s->request->max_stack,
		.row = call_row,
		.arg = x,
	});
	return x;
}

void python_export_free(struct python_export *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < EXPORT_TABLES; i++)
		Py_XDECREF(x->handlers[i]);
	export_free(x->export);
	free(x);
}

int python_export_start(struct python_export *x)
{
	return export_begin(x->export);
}

void python_export_begin(struct python_export *x, struct consumer *c)
{
	c->types |= RECORD_TYPE_BIT(PERF_RECORD_COMM) | RECORD_TYPE_BIT(PERF_RECORD_FORK);
	if (x->handlers[EXPORT_CONTEXT_SWITCH])
		c->types |= RECORD_TYPE_BIT(PERF_RECORD_SWITCH) |
			    RECORD_TYPE_BIT(PERF_RECORD_SWITCH_CPU_WIDE);
}

int python_export_record(struct python_export *x, const struct record *r, uint64_t time)
{
	return export_record(x->export, r, time);
}

int python_export_sample(struct python_export *x, const struct session_sample *ss)
{
	int r;

	/* The script has separate functions for tracepoints. */
	if (ss->event->attr.type == PERF_TYPE_TRACEPOINT)
		return 0;
	r = export_sample(x->export, ss);
	return r ? r : 1;
}

#endif
