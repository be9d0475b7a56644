/* SPDX-License-Identifier: MIT */
#include "python/counts.h"

#define N_COUNTS 5

struct counts_object {
	PyObject_HEAD uint64_t values[N_COUNTS]; /* val, ena, run, id, lost */
};

PyObject *counts_new(const struct live_count *c)
{
	struct counts_object *o = module_new(TYPE_COUNTS_VALUES);

	if (!o)
		return NULL;
	o->values[0] = c->value;
	o->values[1] = c->enabled;
	o->values[2] = c->running;
	o->values[3] = c->id;
	o->values[4] = c->lost;
	return (PyObject *)o;
}

static void counts_dealloc(PyObject *self)
{
	module_release(self);
}

static PyObject *counts_get_count(PyObject *self, void *closure)
{
	return PyLong_FromUnsignedLongLong(
		((struct counts_object *)self)->values[(uintptr_t)closure]);
}

static int set_count(PyObject *self, PyObject *value, void *closure)
{
	uint64_t *n = &((struct counts_object *)self)->values[(uintptr_t)closure];

	return module_number(value, n) ? 0 : -1;
}

static PyObject *get_values(PyObject *self, void *unused)
{
	PyObject *list = PyList_New(N_COUNTS);

	(void)unused;
	for (uintptr_t i = 0; list && i < N_COUNTS; i++)
		module_list_put(&list, i, counts_get_count(self, (void *)i));
	return list;
}

static int set_values(PyObject *self, PyObject *list, void *unused)
{
	(void)unused;
	if (!list || !PyList_Check(list)) {
		PyErr_SetString(PyExc_TypeError, "Value assigned must be a list");
		return -1;
	}
	for (uintptr_t i = 0; i < N_COUNTS && (Py_ssize_t)i < PyList_Size(list); i++)
		if (set_count(self, PyList_GetItem(list, (Py_ssize_t)i), (void *)i) < 0)
			return -1;
	return 0;
}

static PyObject *counts_repr(PyObject *self)
{
	const uint64_t *v = ((struct counts_object *)self)->values;

	return PyUnicode_FromFormat("counts_values(val=%llu, ena=%llu, run=%llu)",
				    (unsigned long long)v[0], (unsigned long long)v[1],
				    (unsigned long long)v[2]);
}

#define COUNT(name, i, doc)                                                                        \
	{                                                                                          \
		name, counts_get_count, set_count, doc, (void *)(uintptr_t)(i)                     \
	}

static PyGetSetDef counts_attributes[] = {
	COUNT("val", 0, "Value of event"),
	COUNT("ena", 1, "Time for which enabled"),
	COUNT("run", 2, "Time for which running"),
	COUNT("id", 3, "Unique ID for an event"),
	COUNT("lost", 4, "Num of lost samples"),
	{ "values", get_values, set_values, "all of them as a list", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot counts_slots[] = {
	{ Py_tp_doc, "perf counts values object." },
	{ Py_tp_dealloc, counts_dealloc },
	{ Py_tp_repr, counts_repr },
	{ Py_tp_getset, counts_attributes },
	{ 0, NULL },
};

PyType_Spec counts_values_spec = {
	.name = "perf.counts_values",
	.basicsize = sizeof(struct counts_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = counts_slots,
};
