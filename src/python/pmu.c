/* SPDX-License-Identifier: MIT */
/* perf.pmus(): the PMUs of this machine, and the events of each. */
#include "kernel/pmu.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/catalog.h"
#include "event/env.h"
#include "python/module.h"

struct pmu_object {
	PyObject_HEAD char *name;
};

static void pmu_dealloc(PyObject *self)
{
	free(((struct pmu_object *)self)->name);
	module_release(self);
}

static PyObject *python_pmu_name(PyObject *self, PyObject *unused)
{
	(void)unused;
	return module_text(((struct pmu_object *)self)->name);
}

static PyObject *pmu_str(PyObject *self)
{
	return python_pmu_name(self, NULL);
}

static PyObject *pmu_repr(PyObject *self)
{
	PyObject *name = python_pmu_name(self, NULL), *repr = NULL;

	if (name && name != Py_None)
		repr = PyUnicode_FromFormat("pmu(%U)", name);
	else if (name)
		repr = PyUnicode_FromString("pmu()");
	Py_XDECREF(name);
	return repr;
}

/*
 * True if @e is one of the events of the PMU @name. Some kinds belong to PMUs that have no sysfs
 * events.
 */
static bool is_of_pmu(const struct catalog_entry *e, const char *name)
{
	switch (e->kind) {
	case CATALOG_SOFTWARE:
		return !strcmp(name, "software");
	case CATALOG_TOOL:
		return !strcmp(name, "tool");
	case CATALOG_TRACEPOINT:
		return !strcmp(name, "tracepoint");
	case CATALOG_HARDWARE:
	case CATALOG_CACHE:
	case CATALOG_PMU:
		return e->pmu && !strcmp(e->pmu, name);
	default:
		return false;
	}
}

static bool python_pmu_put(PyObject *dict, const char *key, const char *text)
{
	PyObject *value;
	bool fine;

	if (!text)
		return true;
	value = module_text(text);
	fine = value && PyDict_SetItemString(dict, key, value) >= 0;
	Py_XDECREF(value);
	return fine;
}

static PyObject *event_dict(const struct catalog_entry *e)
{
	PyObject *dict = PyDict_New();

	if (dict && python_pmu_put(dict, "name", e->name) &&
	    python_pmu_put(dict, "desc", e->brief) &&
	    python_pmu_put(dict, "long_desc", e->description) &&
	    python_pmu_put(dict, "encoding_desc", e->encoding) &&
	    python_pmu_put(dict, "topic", e->topic) &&
	    python_pmu_put(dict, "event_type_desc", catalog_kind_label(e->kind)) &&
	    python_pmu_put(dict, "scale_unit", e->scale_unit) &&
	    python_pmu_put(dict, "deprecated", e->deprecated ? "deprecated" : NULL))
		return dict;
	Py_XDECREF(dict);
	return NULL;
}

static PyObject *pmu_events(PyObject *self, PyObject *unused)
{
	const char *name = ((struct pmu_object *)self)->name;
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(catalog_done) struct catalog catalog = { 0 };
	PyObject *list = PyList_New(0);

	(void)unused;
	/* Tracepoints that cannot be read are left out. */
	catalog_gather(env, &(struct catalog_query){ .deprecated = true }, &catalog, &diag);
	for (size_t i = 0; name && list && i < catalog.n; i++)
		if (is_of_pmu(&catalog.items[i], name))
			python_append(&list, event_dict(&catalog.items[i]));
	return list;
}

static bool python_pmu_add(PyObject *list, const char *name)
{
	struct pmu_object *p = module_new(TYPE_PMU);
	bool fine;

	if (!p)
		return false;
	p->name = xstrdup(name);
	fine = PyList_Append(list, (PyObject *)p) >= 0;
	Py_DECREF((PyObject *)p);
	return fine;
}

PyObject *module_pmus(PyObject *self, PyObject *unused)
{
	_cleanup_(pmu_list_freep) struct pmu_list *pmus = pmu_list_open(PMU_DEVICES);
	PyObject *list = PyList_New(0), *iter = NULL;
	bool fine = list && python_pmu_add(list, "tool");

	(void)self, (void)unused;
	for (size_t i = 0; fine && i < pmu_list_count(pmus); i++)
		fine = python_pmu_add(list, pmu_list_name(pmus, i));
	if (fine)
		iter = PyObject_GetIter(list);
	Py_XDECREF(list);
	return iter;
}

static PyMethodDef pmu_methods[] = {
	{ "name", python_pmu_name, METH_NOARGS, "Name of the PMU." },
	{ "events", pmu_events, METH_NOARGS, "Events of the PMU, as dictionaries of strings." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot pmu_slots[] = {
	{ Py_tp_doc, "perf pmu object." }, { Py_tp_dealloc, pmu_dealloc },
	{ Py_tp_repr, pmu_repr },          { Py_tp_str, pmu_str },
	{ Py_tp_methods, pmu_methods },    { 0, NULL },
};

PyType_Spec pmu_spec = {
	.name = "perf.pmu",
	.basicsize = sizeof(struct pmu_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = pmu_slots,
};
