/* SPDX-License-Identifier: MIT */
#include "python/arrow-capsule.h"

#include <stdlib.h>

#include "base/memory.h"
#include "python/arrow.h"

#define SCHEMA "arrow_schema"
#define ARRAY  "arrow_array"
#define STREAM "arrow_array_stream"

bool arrow_capsule_check(PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "requested_schema", NULL };
	PyObject *schema = NULL;

	return PyArg_ParseTupleAndKeywords(args, kwargs, "|O", names, &schema);
}

static void free_schema(PyObject *capsule)
{
	struct arrow_schema *s = PyCapsule_GetPointer(capsule, SCHEMA);

	if (s->release)
		s->release(s);
	free(s);
}

static void free_array(PyObject *capsule)
{
	struct arrow_array *a = PyCapsule_GetPointer(capsule, ARRAY);

	if (a->release)
		a->release(a);
	free(a);
}

static void free_stream(PyObject *capsule)
{
	struct arrow_stream *s = PyCapsule_GetPointer(capsule, STREAM);

	if (s->release)
		s->release(s);
	free(s);
}

PyObject *arrow_capsule_schema(struct sample_table *t, const struct sample_column *c)
{
	struct arrow_schema *s = xcalloc(1, sizeof(*s));
	PyObject *capsule;

	if (c)
		arrow_export_column_schema(t, c, s);
	else
		arrow_export_table_schema(t, s);
	capsule = PyCapsule_New(s, SCHEMA, free_schema);
	if (!capsule) {
		s->release(s);
		free(s);
	}
	return capsule;
}

static PyObject *array_capsule(struct sample_table *t, const struct sample_column *c)
{
	struct arrow_array *a = xcalloc(1, sizeof(*a));
	PyObject *capsule;

	if (c)
		arrow_export_column(t, c, a);
	else
		arrow_export_table(t, a);
	capsule = PyCapsule_New(a, ARRAY, free_array);
	if (!capsule) {
		a->release(a);
		free(a);
	}
	return capsule;
}

PyObject *arrow_capsule_array(struct sample_table *t, const struct sample_column *c)
{
	PyObject *schema = arrow_capsule_schema(t, c), *array = array_capsule(t, c), *both = NULL;

	if (schema && array)
		both = PyTuple_Pack(2, schema, array);
	Py_XDECREF(schema);
	Py_XDECREF(array);
	return both;
}

PyObject *arrow_capsule_stream(struct sample_table *t)
{
	struct arrow_stream *s = xcalloc(1, sizeof(*s));
	PyObject *capsule;

	arrow_export_stream(t, s);
	capsule = PyCapsule_New(s, STREAM, free_stream);
	if (!capsule) {
		s->release(s);
		free(s);
	}
	return capsule;
}
