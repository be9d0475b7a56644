/* SPDX-License-Identifier: MIT */
#include "tools/script/python/trace-context.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/source.h"
#include "symbol/text-files.h"
#include "tools/script/python/events.h"
#include "tools/script/python/fields.h"
#include "tools/script/python/load.h"
#include "tools/script/python/script.h"
#include "tools/script/python/syscall.h"
#include "tools/script/python/text.h"

#if HAVE_LIBPYTHON

/*
 * Returns the script of the capsule in @args. NULL, with Python's error set: it is not a capsule,
 * or there are not @n arguments.
 */
static struct python_script *script_of(PyObject *args, Py_ssize_t n)
{
	Py_ssize_t given = PyTuple_Size(args);
	_cleanup_(freep) char *text = NULL;

	if (given == n)
		return PyCapsule_GetPointer(PyTuple_GetItem(args, 0), NULL);
	text = xasprintf("context expected %zd argument%s, got %zd", n, n == 1 ? "" : "s", given);
	PyErr_SetString(PyExc_TypeError, text);
	return NULL;
}

/* Returns a common field of the event as a number, or 0 if it has none. */
static PyObject *common_number(PyObject *args, size_t offset)
{
	struct python_script *s = script_of(args, 1);
	const struct python_fields *f;
	uint64_t v = 0;

	if (!s)
		return NULL;
	if (s->now && s->events) {
		f = python_events_fields(s->events, s->now);
		field_ref_number((const struct field_ref *)((const char *)f + offset),
				 s->now->sample->raw, s->now->sample->raw_size, &v);
	}
	return PyLong_FromLong((int)v);
}

static PyObject *common_pc(PyObject *self, PyObject *args)
{
	(void)self;
	return common_number(args, offsetof(struct python_fields, preempt));
}

static PyObject *common_flags(PyObject *self, PyObject *args)
{
	(void)self;
	return common_number(args, offsetof(struct python_fields, flags));
}

static PyObject *common_lock_depth(PyObject *self, PyObject *args)
{
	(void)self;
	return common_number(args, offsetof(struct python_fields, lock_depth));
}

/* Returns None: instructions belong to decoded hardware traces, of which there are none. */
static PyObject *perf_sample_insn(PyObject *self, PyObject *args)
{
	(void)self;
	return script_of(args, 1) ? python_none() : NULL;
}

/*
 * Sets options for decoding such traces. Returns 0 when they are set, and 1 if they were set
 * before.
 */
static PyObject *perf_set_itrace_options(PyObject *self, PyObject *args)
{
	struct python_script *s = script_of(args, 2);
	bool before;

	(void)self;
	if (!s)
		return NULL;
	before = s->has_itrace_options;
	s->has_itrace_options = true;
	return PyLong_FromLong(before);
}

static bool trace_context_line_of(const struct python_script *s, struct source_line *ret)
{
	const struct session_sample *ss = s->now;
	struct location loc;

	return ss &&
	       machine_locate(s->session, ss->sample->pid, address_mode_of(ss->sample->misc),
			      ss->sample->ip, ss->time, &loc) &&
	       loc.map->image && image_source_line(loc.map->image, loc.image_addr, ret);
}

static PyObject *trace_context_code_of(struct python_script *s, const struct source_line *at)
{
	static const struct text_files_options as_they_are;
	const struct text_file *file;
	const char *code;
	size_t n;

	if (!s->sources)
		s->sources = text_files_new(&as_they_are);
	file = text_files_find(s->sources, at->file);
	if (!file || !at->line || at->line > text_file_lines(file))
		return python_none();
	code = text_file_line(file, at->line, &n);
	return python_text(code, n);
}

/*
 * Returns (file, line), and with @has_code also the text of the line. Unknown values are None and
 * 0.
 */
static PyObject *line_tuple(PyObject *args, bool has_code)
{
	struct python_script *s = script_of(args, 1);
	struct source_line at = { 0 };
	PyObject *t;
	bool known;

	t = s ? PyTuple_New(has_code ? 3 : 2) : NULL;
	if (!t)
		return NULL;
	known = trace_context_line_of(s, &at) && at.file;
	PyTuple_SetItem(t, 0, known ? python_string(at.file) : python_none());
	PyTuple_SetItem(t, 1, PyLong_FromLong(known ? (long)at.line : 0));
	if (has_code)
		PyTuple_SetItem(t, 2, known ? trace_context_code_of(s, &at) : python_none());
	return t;
}

static PyObject *perf_sample_srcline(PyObject *self, PyObject *args)
{
	(void)self;
	return line_tuple(args, false);
}

static PyObject *perf_sample_srccode(PyObject *self, PyObject *args)
{
	(void)self;
	return line_tuple(args, true);
}

/* The only function without a context argument: the script is that of the module. */
static PyObject *perf_config_get(PyObject *self, PyObject *name)
{
	_cleanup_(python_unrefp)
		PyObject *context = PyObject_GetAttrString(self, "perf_script_context");
	const struct python_script *s = context ? PyCapsule_GetPointer(context, NULL) : NULL;
	_cleanup_(freep) char *key = s ? python_text_copy(name) : NULL;
	const char *value;

	if (!s)
		return NULL;
	if (!key) {
		PyErr_SetString(PyExc_TypeError, "the name of a setting is a str");
		return NULL;
	}
	value = s->request->config_get ? s->request->config_get(s->request->config, key) : NULL;
	return value ? python_string(value) : python_none();
}

static PyMethodDef methods[] = {
	{ "common_pc", common_pc, METH_VARARGS, "The preemption count of the event." },
	{ "common_flags", common_flags, METH_VARARGS, "The flags of the event." },
	{ "common_lock_depth", common_lock_depth, METH_VARARGS, "The lock depth of the event." },
	{ "perf_sample_insn", perf_sample_insn, METH_VARARGS,
	  "The bytes of the sampled instruction, of a decoded hardware trace; else None." },
	{ "perf_set_itrace_options", perf_set_itrace_options, METH_VARARGS,
	  "Sets how hardware traces are decoded." },
	{ "perf_sample_srcline", perf_sample_srcline, METH_VARARGS,
	  "(file, line) of the sampled address." },
	{ "perf_sample_srccode", perf_sample_srccode, METH_VARARGS,
	  "(file, line, text of the line) of the sampled address." },
	{ "perf_config_get", perf_config_get, METH_O, "A setting of perfconfig, or None." },
	{ "syscall_name", python_syscall_name, METH_VARARGS,
	  "The name of a system call (number[, machine]), or None." },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef module = {
	PyModuleDef_HEAD_INIT, .m_name = "perf_trace_context", .m_doc = "",
	.m_size = -1,          .m_methods = methods,
};

static PyObject *make_module(void)
{
	return PyModule_Create(&module);
}

void trace_context_register(void)
{
	PyImport_AppendInittab("perf_trace_context", make_module);
}

PyObject *trace_context_new(struct python_script *s)
{
	_cleanup_(python_unrefp) PyObject *m = PyImport_ImportModule("perf_trace_context");
	PyObject *context = m ? PyCapsule_New(s, NULL, NULL) : NULL;

	if (!context || PyObject_SetAttrString(m, "perf_script_context", context) < 0)
		return NULL;
	return context;
}

#endif
