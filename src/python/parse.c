/* SPDX-License-Identifier: MIT */
/*
 * Events by name: perf.parse_events(), perf.tracepoint(), and names of system calls.
 */
#include <errno.h>

#include "arch/arch.h"
#include "arch/syscall/syscall.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "event/env.h"
#include "event/event.h"
#include "kernel/tracefs.h"
#include "python/evlist.h"

PyObject *module_parse_events(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "events", "cpus", "threads", NULL };
	PyObject *cpus = NULL, *threads = NULL;
	_cleanup_(event_env_freep) struct event_env *env = NULL;
	_cleanup_(event_list_done) struct event_list events = { 0 };
	struct diag diag = { 0 };
	struct evlist_object *l;
	const char *text;
	int r;

	(void)self;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|OO", names, &text, &cpus, &threads))
		return NULL;
	env = event_env_new(NULL, NULL);
	r = event_list_parse(&events, text, env, EVENT_USE_SAMPLING, &diag);
	if (r < 0)
		return module_fail(r, &diag);
	l = evlist_new(cpus, threads);
	if (l && !evlist_add_parsed(l, &events)) {
		Py_DECREF((PyObject *)l);
		l = NULL;
	}
	return (PyObject *)l;
}

/*
 * Returns the number of a tracepoint; a negative number, for which programs check, if there is
 * none.
 */
PyObject *module_tracepoint(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "sys", "name", NULL };
	_cleanup_(tracefs_freep) struct tracefs *t = NULL;
	struct diag diag = { 0 };
	const char *system = NULL, *name = NULL;
	uint64_t id = 0;
	int r;

	(void)self;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|ss", names, &system, &name))
		return NULL;
	r = tracefs_open(NULL, &t, &diag);
	if (r < 0)
		return module_fail(r, &diag);
	r = system && name ? tracefs_event_id(t, system, name, &id) : -ENOENT;
	if (r == -EACCES) {
		tracefs_explain_denied(t, &diag);
		return module_fail(r, &diag);
	}
	return r < 0 ? PyLong_FromLong(-1) : PyLong_FromUnsignedLongLong(id);
}

static enum syscall_abi abi_here(void)
{
	return syscall_abi_of(arch_host()->elf_machine, false);
}

PyObject *module_syscall_name(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "id", NULL };
	const struct syscall_desc *desc;
	int nr;

	(void)self;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i", names, &nr))
		return NULL;
	desc = nr < 0 ? NULL : syscall_find(abi_here(), (unsigned)nr);
	return module_text(desc ? desc->name : NULL);
}

PyObject *module_syscall_id(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "name", NULL };
	const char *name;
	int nr;

	(void)self;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s", names, &name))
		return NULL;
	nr = syscall_number(abi_here(), name);
	if (nr >= 0)
		return PyLong_FromLong(nr);
	PyErr_Format(PyExc_ValueError, "there is no system call '%s'", name);
	return NULL;
}
