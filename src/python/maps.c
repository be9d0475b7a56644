/* SPDX-License-Identifier: MIT */
/* perf.cpu_map and perf.thread_map: the CPUs and threads on which events are opened. */
#include "python/maps.h"

#include <limits.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "capture/task-list.h"
#include "kernel/topology.h"

struct map_object {
	PyObject_HEAD struct int_list list;
};

const struct int_list *map_list(PyObject *o)
{
	return &((struct map_object *)o)->list;
}

static void map_dealloc(PyObject *self)
{
	int_list_done(&((struct map_object *)self)->list);
	module_release(self);
}

static Py_ssize_t map_length(PyObject *self)
{
	return (Py_ssize_t)map_list(self)->n;
}

static PyObject *map_item(PyObject *self, Py_ssize_t i)
{
	const struct int_list *l = map_list(self);

	if (i >= 0 && (size_t)i < l->n)
		return PyLong_FromLong(l->items[i]);
	PyErr_SetString(PyExc_IndexError, "Index out of range");
	return NULL;
}

PyObject *map_new(enum module_type type, const struct int_list *list)
{
	struct map_object *m = module_new(type);

	if (m)
		int_list_copy(&m->list, list);
	return (PyObject *)m;
}

/* Lists the CPUs of @text, or all that are online. */
static int list_cpus(const char *text, struct int_list *ret, struct diag *diag)
{
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };
	int r = text ? cpu_list_parse(text, &cpus) : topology_online(SYSTEM_DEVICES, &cpus, diag);

	if (r < 0 && text)
		diag_set(diag, r, "'%s' is not a list of CPUs such as '0-3,5'", text);
	for (size_t i = 0; r >= 0 && i < cpus.n; i++)
		int_list_add(ret, (int)cpus.items[i]);
	return r;
}

/* Sets the numbers, unless @r is an error. */
static int map_set(PyObject *self, int r, struct int_list *list, struct diag *diag)
{
	if (r < 0) {
		int_list_done(list);
		module_fail(r, diag);
		return -1;
	}
	int_list_done(&((struct map_object *)self)->list);
	((struct map_object *)self)->list = *list;
	return 0;
}

static int cpu_map_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "cpustr", NULL };
	struct diag diag = { 0 };
	struct int_list list = { 0 };
	const char *text = NULL;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|z", names, &text))
		return -1;
	return map_set(self, list_cpus(text, &list, &diag), &list, &diag);
}

static int list_threads(int pid, int tid, unsigned uid, struct int_list *ret, struct diag *diag)
{
	_cleanup_(task_list_done) struct task_list tasks = { 0 };
	int r;

	if (pid == -1 && tid == -1 && uid == UINT_MAX) {
		int_list_add(ret, -1);
		return 0;
	}
	if (pid != -1)
		r = task_list_add_process(&tasks, pid, diag);
	else if (tid != -1)
		r = task_list_add(&tasks, tid, diag);
	else
		r = task_list_add_user(&tasks, uid, diag);
	for (size_t i = 0; r >= 0 && i < tasks.n; i++)
		int_list_add(ret, tasks.items[i].tid);
	return r;
}

static int thread_map_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "pid", "tid", "uid", NULL };
	struct diag diag = { 0 };
	struct int_list list = { 0 };
	int pid = -1, tid = -1;
	unsigned uid = UINT_MAX;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|iiI", names, &pid, &tid, &uid))
		return -1;
	return map_set(self, list_threads(pid, tid, uid, &list, &diag), &list, &diag);
}

static PyType_Slot cpu_map_slots[] = {
	{ Py_tp_doc, "cpu_map(cpustr=None): the CPUs that are online, or those of '0-3,5'." },
	{ Py_tp_init, cpu_map_init },
	{ Py_tp_dealloc, map_dealloc },
	{ Py_sq_length, map_length },
	{ Py_sq_item, map_item },
	{ 0, NULL },
};

PyType_Spec cpu_map_spec = {
	.name = "perf.cpu_map",
	.basicsize = sizeof(struct map_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = cpu_map_slots,
};

static PyType_Slot thread_map_slots[] = {
	{ Py_tp_doc,
	  "thread_map(pid=-1, tid=-1, uid=-1): the threads of a process, one thread, those\n"
	  "of a user, or -1 for whatever runs on the CPUs." },
	{ Py_tp_init, thread_map_init },
	{ Py_tp_dealloc, map_dealloc },
	{ Py_sq_length, map_length },
	{ Py_sq_item, map_item },
	{ 0, NULL },
};

PyType_Spec thread_map_spec = {
	.name = "perf.thread_map",
	.basicsize = sizeof(struct map_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = thread_map_slots,
};
