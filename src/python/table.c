/* SPDX-License-Identifier: MIT */
/*
 * perf.table, and perf.columns() which makes it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "profile/sample-table.h"
#include "python/arrow-capsule.h"
#include "python/column.h"
#include "python/reading.h"
#include "python/sample-columns.h"

#define MAX_STACK 127 /* the kernel's default limit for the depth of stacks */

struct table_object {
	PyObject_HEAD struct sample_table *table;
	PyObject *notes; /* a tuple of str */
};

static void table_dealloc(PyObject *self)
{
	struct table_object *t = (struct table_object *)self;

	sample_table_unref(t->table);
	Py_XDECREF(t->notes);
	module_release(self);
}

static PyObject *table_names(PyObject *self, void *unused)
{
	const struct sample_table *t = ((struct table_object *)self)->table;
	PyObject *names = PyTuple_New((Py_ssize_t)t->n_columns);

	(void)unused;
	for (size_t i = 0; names && i < t->n_columns; i++)
		module_tuple_put(&names, i, module_text(t->columns[i].name));
	return names;
}

static PyObject *table_keys(PyObject *self, PyObject *unused)
{
	(void)unused;
	return table_names(self, NULL);
}

static PyObject *table_notes(PyObject *self, void *unused)
{
	PyObject *notes = ((struct table_object *)self)->notes;

	(void)unused;
	Py_INCREF(notes);
	return notes;
}

static PyObject *table_num_rows(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromSize_t(((struct table_object *)self)->table->n_rows);
}

static PyObject *table_num_columns(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromSize_t(((struct table_object *)self)->table->n_columns);
}

static Py_ssize_t table_length(PyObject *self)
{
	return (Py_ssize_t)((struct table_object *)self)->table->n_rows;
}

static const struct sample_column *column_by_name(const struct sample_table *t, PyObject *key)
{
	PyObject *bytes = PyUnicode_EncodeFSDefault(key);
	const struct sample_column *c = bytes ? sample_table_find(t, PyBytes_AsString(bytes))
					      : NULL;

	if (bytes && !c)
		PyErr_SetObject(PyExc_KeyError, key);
	Py_XDECREF(bytes);
	return c;
}

static const struct sample_column *column_by_number(const struct sample_table *t, PyObject *key)
{
	Py_ssize_t i = PyNumber_AsSsize_t(key, PyExc_IndexError);

	if (i == -1 && PyErr_Occurred())
		return NULL;
	if (i < 0)
		i += (Py_ssize_t)t->n_columns;
	if (i >= 0 && i < (Py_ssize_t)t->n_columns)
		return &t->columns[i];
	PyErr_SetString(PyExc_IndexError, "Index out of range");
	return NULL;
}

static PyObject *python_table_get(PyObject *self, PyObject *key)
{
	struct sample_table *t = ((struct table_object *)self)->table;
	const struct sample_column *c = PyUnicode_Check(key) ? column_by_name(t, key)
							     : column_by_number(t, key);

	return c ? column_object_new(t, c) : NULL;
}

/* Iterates over the names, like a mapping. */
static PyObject *table_iter(PyObject *self)
{
	PyObject *names = table_names(self, NULL);
	PyObject *iter = names ? PyObject_GetIter(names) : NULL;

	Py_XDECREF(names);
	return iter;
}

static PyObject *table_repr(PyObject *self)
{
	const struct sample_table *t = ((struct table_object *)self)->table;
	PyObject *names = table_names(self, NULL), *repr = NULL;

	if (names)
		repr = PyUnicode_FromFormat("<perf.table: %zd rows of %R>", (Py_ssize_t)t->n_rows,
					    names);
	Py_XDECREF(names);
	return repr;
}

static PyObject *table_arrow_schema(PyObject *self, PyObject *unused)
{
	(void)unused;
	return arrow_capsule_schema(((struct table_object *)self)->table, NULL);
}

static PyObject *table_arrow_array(PyObject *self, PyObject *args, PyObject *kwargs)
{
	return arrow_capsule_check(args, kwargs)
		       ? arrow_capsule_array(((struct table_object *)self)->table, NULL)
		       : NULL;
}

static PyObject *table_arrow_stream(PyObject *self, PyObject *args, PyObject *kwargs)
{
	return arrow_capsule_check(args, kwargs)
		       ? arrow_capsule_stream(((struct table_object *)self)->table)
		       : NULL;
}

static PyObject *python_table_refuse_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)type, (void)args, (void)kwargs;
	PyErr_SetString(PyExc_TypeError, "perf.columns() makes tables");
	return NULL;
}

static PyGetSetDef table_attributes[] = {
	{ "names", table_names, NULL, "the names of the columns", NULL },
	{ "num_rows", table_num_rows, NULL, "how many samples there are", NULL },
	{ "num_columns", table_num_columns, NULL, "how many columns there are", NULL },
	{ "notes", table_notes, NULL,
	  "sentences about what was lost while recording or could not be read", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

#define WITH_KEYWORDS(f) (PyCFunction)(void (*)(void)) f, METH_VARARGS | METH_KEYWORDS

static PyMethodDef table_methods[] = {
	{ "keys", table_keys, METH_NOARGS, "the names of the columns" },
	{ "__arrow_c_schema__", table_arrow_schema, METH_NOARGS, "the Arrow schema, as a capsule" },
	{ "__arrow_c_array__", WITH_KEYWORDS(table_arrow_array),
	  "the Arrow schema and array, as capsules" },
	{ "__arrow_c_stream__", WITH_KEYWORDS(table_arrow_stream),
	  "an Arrow stream of one batch, as a capsule" },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot table_slots[] = {
	{ Py_tp_doc, "Samples as columns: table['time'] is an array over all of them." },
	{ Py_tp_new, python_table_refuse_new },
	{ Py_tp_dealloc, table_dealloc },
	{ Py_tp_repr, table_repr },
	{ Py_tp_iter, table_iter },
	{ Py_tp_getset, table_attributes },
	{ Py_tp_methods, table_methods },
	{ Py_mp_length, table_length },
	{ Py_mp_subscript, python_table_get },
	{ 0, NULL },
};

PyType_Spec table_spec = {
	.name = "perf.table",
	.basicsize = sizeof(struct table_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = table_slots,
};

/* The data of a reading without the GIL, and everything that it uses. */
struct columns_work {
	struct reading_choice choice;
	struct module_texts fields, events;
	struct sample_columns_request rq;
	struct sample_table *table;
	struct notes notes;
	struct diag diag;
	int result;
	atomic_bool stop;
};

static void columns_work_free(struct columns_work *w)
{
	module_texts_done(&w->fields);
	module_texts_done(&w->events);
	reading_choice_done(&w->choice);
	notes_done(&w->notes);
	diag_done(&w->diag);
	sample_table_unref(w->table);
	free(w);
}

static void python_table_read_columns(void *arg)
{
	struct columns_work *w = arg;

	w->result = sample_columns_read(&w->rq, &w->table, &w->notes, &w->diag);
}

static PyObject *python_table_of(struct columns_work *w)
{
	PyObject *notes = module_notes(&w->notes);
	struct table_object *t = notes ? module_new(TYPE_TABLE) : NULL;

	if (!t) {
		Py_XDECREF(notes);
		return NULL;
	}
	t->table = TAKE(w->table);
	t->notes = notes;
	return (PyObject *)t;
}

/* Reads, and releases @w unless it is still in use. */
static PyObject *python_table_run(struct columns_work *w)
{
	enum module_wait waited = module_wait_for(python_table_read_columns, w, &w->stop);
	PyObject *result = NULL;

	if (waited == WAIT_ABANDONED)
		return NULL;
	if (waited == WAIT_DONE)
		result = w->result < 0 ? module_fail(w->result, &w->diag) : python_table_of(w);
	columns_work_free(w);
	return result;
}

static const char *const default_fields[] = { "time",  "cpu",    "pid", "tid",    "comm",
					      "event", "period", "ip",  "symbol", "dso" };

static bool parse_work(struct columns_work *w, PyObject *fields, PyObject *event,
		       const struct reading_words *words)
{
	if (!reading_choice_parse(words, &w->choice) ||
	    !module_texts_parse(fields, "fields", &w->fields) ||
	    !module_texts_parse(event, "event", &w->events))
		return false;
	w->rq.path = w->choice.path;
	w->rq.filter = w->choice.filter;
	w->rq.symbols = w->choice.symbols;
	w->rq.buildid_dir = w->choice.buildid_dir;
	w->rq.fields = w->fields.owner ? w->fields.items : default_fields;
	w->rq.n_fields = w->fields.owner ? w->fields.n : ARRAY_SIZE(default_fields);
	w->rq.events = w->events.items;
	w->rq.n_events = w->events.n;
	w->rq.stop = &w->stop;
	return true;
}

PyObject *module_columns(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "path",     "fields",    "event", "time",   "cpu",   "pid",
				 "tid",      "comm",      "dso",   "symbol", "symfs", "vmlinux",
				 "kallsyms", "max_stack", "force", NULL };
	struct reading_words words = { 0 };
	PyObject *fields = NULL, *event = NULL;
	Py_ssize_t max_stack = MAX_STACK;
	int force = 0;
	struct columns_work *w;

	(void)self;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO$OOOOOOOOOOOnp", names, &words.path,
					 &fields, &event, &words.time, &words.cpu, &words.pid,
					 &words.tid, &words.comm, &words.dso, &words.symbol,
					 &words.symfs, &words.vmlinux, &words.kallsyms, &max_stack,
					 &force))
		return NULL;
	if (max_stack < 0) {
		PyErr_SetString(PyExc_ValueError, "max_stack must not be negative");
		return NULL;
	}
	w = xcalloc(1, sizeof(*w));
	w->rq.force = force;
	w->rq.max_stack = (size_t)max_stack;
	if (parse_work(w, fields, event, &words))
		return python_table_run(w);
	columns_work_free(w);
	return NULL;
}

PyObject *module_column_fields(PyObject *self, PyObject *unused)
{
	PyObject *list = PyList_New(0);

	(void)self, (void)unused;
	for (size_t i = 0; list && sample_table_field(i); i++)
		python_append(&list, module_text(sample_table_field(i)));
	return list;
}
