/* SPDX-License-Identifier: MIT */
#include "python/column.h"

#include <string.h>

#include "base/memory.h"
#include "profile/sample-table.h"
#include "python/arrow-capsule.h"

/* An array of numbers in a table. */
struct plain_array {
	const void *data;
	size_t n;
	Py_ssize_t width;
	const char *format; /* in the notation of the module struct */
	const char *type;   /* in NumPy's notation, without the byte order */
};

struct array_object {
	PyObject_HEAD struct sample_table *table;
	const struct sample_column *column; /* NULL: a perf.buffer */
	struct plain_array array;
	Py_ssize_t shape, stride;
};

/*
 * Py_buffer and its slots are part of the limited API only since 3.11, but have not changed since
 * 3.3, and types made from a PyType_Spec may have these slots since 3.9.
 */
struct buffer_view {
	void *buf;
	PyObject *obj;
	Py_ssize_t len, itemsize;
	int readonly, ndim;
	char *format;
	Py_ssize_t *shape, *strides, *suboffsets;
	void *internal;
};

enum {
	SLOT_GETBUFFER = 1, /* Py_bf_getbuffer */
	VIEW_WRITABLE = 1,  /* PyBUF_WRITABLE */
	VIEW_FORMAT = 4,    /* PyBUF_FORMAT */
	VIEW_ND = 8,        /* PyBUF_ND */
	VIEW_STRIDES = 16,  /* the bit of PyBUF_STRIDES */
};

static int get_buffer(PyObject *self, struct buffer_view *view, int flags)
{
	struct array_object *a = (struct array_object *)self;

	view->obj = NULL;
	if (!a->array.data || flags & VIEW_WRITABLE) {
		PyErr_SetString(PyExc_BufferError, "the columns of a table are read-only");
		return -1;
	}
	*view = (struct buffer_view){
		.buf = (void *)a->array.data,
		.obj = self,
		.len = (Py_ssize_t)a->array.n * a->array.width,
		.itemsize = a->array.width,
		.readonly = 1,
		.ndim = 1,
		.format = flags & VIEW_FORMAT ? (char *)a->array.format : NULL,
		.shape = flags & VIEW_ND ? &a->shape : NULL,
		.strides = flags & VIEW_STRIDES ? &a->stride : NULL,
	};
	Py_INCREF(self);
	return 0;
}

static struct plain_array array_of_type(enum sample_column_type type, const void *data, size_t n)
{
	switch (type) {
	case SAMPLE_COLUMN_U64:
	case SAMPLE_COLUMN_LIST_U64:
		return (struct plain_array){ data, n, 8, "Q", "u8" };
	case SAMPLE_COLUMN_I64:
		return (struct plain_array){ data, n, 8, "q", "i8" };
	default:
		return (struct plain_array){ data, n, 4, "i", "i4" };
	}
}

static PyObject *array_object_new(enum module_type type, struct sample_table *t,
				  const struct sample_column *c, struct plain_array array)
{
	struct array_object *a = module_new(type);

	if (!a)
		return NULL;
	a->table = sample_table_ref(t);
	a->column = c;
	a->array = array;
	a->shape = (Py_ssize_t)array.n;
	a->stride = array.width;
	return (PyObject *)a;
}

PyObject *column_object_new(struct sample_table *t, const struct sample_column *c)
{
	return array_object_new(TYPE_COLUMN, t, c, array_of_type(c->type, c->values, c->n_values));
}

static void array_dealloc(PyObject *self)
{
	sample_table_unref(((struct array_object *)self)->table);
	module_release(self);
}

/* Returns the description of the array, for uses in which NumPy does not take the buffer. */
static PyObject *array_interface(PyObject *self, void *unused)
{
	struct array_object *a = (struct array_object *)self;
	bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	char type[4] = { big ? '>' : '<', a->array.type[0], a->array.type[1], '\0' };

	(void)unused;
	if (a->array.width == 1)
		type[0] = '|';
	return Py_BuildValue("{s:i,s:(n),s:s,s:(NO)}", "version", 3, "shape", a->shape, "typestr",
			     type, "data", PyLong_FromVoidPtr((void *)a->array.data), Py_True);
}

static Py_ssize_t buffer_length(PyObject *self)
{
	return ((struct array_object *)self)->shape;
}

static PyObject *number_at(const struct plain_array *a, size_t i)
{
	const char *at = (const char *)a->data + i * (size_t)a->width;
	int64_t wide;
	int32_t narrow;

	if (a->width == 1)
		return PyLong_FromLong(*(const uint8_t *)at);
	if (a->width == 4) {
		memcpy(&narrow, at, sizeof(narrow));
		return PyLong_FromLong(narrow);
	}
	memcpy(&wide, at, sizeof(wide));
	return a->type[0] == 'u' ? PyLong_FromUnsignedLongLong((uint64_t)wide)
				 : PyLong_FromLongLong(wide);
}

static PyObject *index_error(void)
{
	PyErr_SetString(PyExc_IndexError, "Index out of range");
	return NULL;
}

static PyObject *buffer_item(PyObject *self, Py_ssize_t i)
{
	struct array_object *a = (struct array_object *)self;

	return i < 0 || i >= a->shape ? index_error() : number_at(&a->array, (size_t)i);
}

static PyObject *to_bytes(PyObject *self, PyObject *unused)
{
	struct array_object *a = (struct array_object *)self;

	(void)unused;
	return PyBytes_FromStringAndSize(a->array.data, a->shape * a->array.width);
}

static Py_ssize_t column_length(PyObject *self)
{
	struct array_object *a = (struct array_object *)self;

	return a->table ? (Py_ssize_t)a->table->n_rows : 0;
}

static PyObject *name_at(const struct sample_column *c, size_t i)
{
	int32_t code = ((const int32_t *)c->values)[i];
	const char *text;
	size_t length;

	if (code < 0)
		return module_none();
	text = sample_names_get(&c->names, (size_t)code, &length);
	return python_text(text, length);
}

static PyObject *item_at(const struct array_object *a, size_t i)
{
	return sample_column_has_names(a->column->type) ? name_at(a->column, i)
							: number_at(&a->array, i);
}

static PyObject *list_at(const struct array_object *a, size_t row)
{
	const struct sample_column *c = a->column;
	size_t first = (size_t)c->offsets[row], n = (size_t)c->offsets[row + 1] - first;
	PyObject *list = PyList_New((Py_ssize_t)n);

	for (size_t i = 0; list && i < n; i++)
		module_list_put(&list, i, item_at(a, first + i));
	return list;
}

static PyObject *column_value_at(const struct array_object *a, size_t row)
{
	const struct sample_column *c = a->column;

	if (sample_column_is_list(c->type))
		return list_at(a, row);
	if (c->valid && !(c->valid[row / 8] >> row % 8 & 1))
		return module_none();
	return item_at(a, row);
}

static PyObject *column_item(PyObject *self, Py_ssize_t i)
{
	return i < 0 || i >= column_length(self)
		       ? index_error()
		       : column_value_at((struct array_object *)self, (size_t)i);
}

static PyObject *column_to_list(PyObject *self, PyObject *unused)
{
	Py_ssize_t n = column_length(self);
	PyObject *list = PyList_New(n);

	(void)unused;
	for (size_t i = 0; list && i < (size_t)n; i++)
		module_list_put(&list, i, column_value_at((struct array_object *)self, i));
	return list;
}

static PyObject *column_name(PyObject *self, void *unused)
{
	(void)unused;
	return module_text(((struct array_object *)self)->column->name);
}

static PyObject *column_type(PyObject *self, void *unused)
{
	static const char *const names[] = {
		[SAMPLE_COLUMN_U64] = "uint64",
		[SAMPLE_COLUMN_I64] = "int64",
		[SAMPLE_COLUMN_I32] = "int32",
		[SAMPLE_COLUMN_NAME] = "name",
		[SAMPLE_COLUMN_LIST_U64] = "list<uint64>",
		[SAMPLE_COLUMN_LIST_NAMES] = "list<name>",
	};

	(void)unused;
	return module_text(names[((struct array_object *)self)->column->type]);
}

static PyObject *column_null_count(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromSize_t(((struct array_object *)self)->column->n_null);
}

/* Returns the distinct texts, indexed by code. */
static PyObject *column_names(PyObject *self, void *unused)
{
	const struct sample_names *names = &((struct array_object *)self)->column->names;
	PyObject *list = PyTuple_New((Py_ssize_t)names->n);

	(void)unused;
	for (size_t i = 0; list && i < names->n; i++) {
		size_t length;
		const char *text = sample_names_get(names, i, &length);

		module_tuple_put(&list, i, python_text(text, length));
	}
	return list;
}

static PyObject *column_offsets(PyObject *self, void *unused)
{
	struct array_object *a = (struct array_object *)self;

	(void)unused;
	if (!a->column->offsets)
		return module_none();
	return array_object_new(
		TYPE_BUFFER, a->table, NULL,
		array_of_type(SAMPLE_COLUMN_I64, a->column->offsets, a->table->n_rows + 1));
}

static PyObject *column_valid(PyObject *self, void *unused)
{
	struct array_object *a = (struct array_object *)self;

	(void)unused;
	if (!a->column->valid)
		return module_none();
	return array_object_new(
		TYPE_BUFFER, a->table, NULL,
		(struct plain_array){ a->column->valid, (a->table->n_rows + 7) / 8, 1, "B", "u1" });
}

static PyObject *column_repr(PyObject *self)
{
	struct array_object *a = (struct array_object *)self;
	PyObject *type = column_type(self, NULL), *name = column_name(self, NULL), *repr = NULL;

	if (type && name)
		repr = PyUnicode_FromFormat("<perf.column %R: %zd of %U>", name,
					    column_length(self), type);
	(void)a;
	Py_XDECREF(type);
	Py_XDECREF(name);
	return repr;
}

static PyObject *column_arrow_schema(PyObject *self, PyObject *unused)
{
	struct array_object *a = (struct array_object *)self;

	(void)unused;
	return arrow_capsule_schema(a->table, a->column);
}

static PyObject *column_arrow_array(PyObject *self, PyObject *args, PyObject *kwargs)
{
	struct array_object *a = (struct array_object *)self;

	return arrow_capsule_check(args, kwargs) ? arrow_capsule_array(a->table, a->column) : NULL;
}

static PyObject *column_refuse_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	(void)args, (void)kwargs;
	PyErr_Format(PyExc_TypeError, "perf.columns() makes tables; %R cannot be called",
		     (PyObject *)type);
	return NULL;
}

static PyGetSetDef column_attributes[] = {
	{ "name", column_name, NULL, "its name in the table", NULL },
	{ "type", column_type, NULL, "uint64, int64, int32, name, list<uint64> or list<name>",
	  NULL },
	{ "null_count", column_null_count, NULL, "how many rows have no value", NULL },
	{ "names", column_names, NULL,
	  "the distinct texts that the codes of a column of names number", NULL },
	{ "offsets", column_offsets, NULL,
	  "where the items of each row of a column of lists begin; None of others", NULL },
	{ "valid", column_valid, NULL, "a bitmap of the rows that have a value; None: all have",
	  NULL },
	{ "__array_interface__", array_interface, NULL, "for NumPy", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyMethodDef column_methods[] = {
	{ "tolist", column_to_list, METH_NOARGS, "all values as a list; None where there is none" },
	{ "tobytes", to_bytes, METH_NOARGS, "a copy of the numbers, codes or items" },
	{ "__arrow_c_schema__", column_arrow_schema, METH_NOARGS, "the Arrow type, as a capsule" },
	{ "__arrow_c_array__", (PyCFunction)(void (*)(void))column_arrow_array,
	  METH_VARARGS | METH_KEYWORDS, "the Arrow type and array, as capsules" },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot column_slots[] = {
	{ Py_tp_doc, "A column of a table: an array of numbers, of codes of names, or of lists." },
	{ Py_tp_new, column_refuse_new },
	{ Py_tp_dealloc, array_dealloc },
	{ Py_tp_repr, column_repr },
	{ Py_tp_getset, column_attributes },
	{ Py_tp_methods, column_methods },
	{ Py_sq_length, column_length },
	{ Py_sq_item, column_item },
	{ SLOT_GETBUFFER, get_buffer },
	{ 0, NULL },
};

PyType_Spec column_spec = {
	.name = "perf.column",
	.basicsize = sizeof(struct array_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = column_slots,
};

static PyGetSetDef buffer_attributes[] = {
	{ "__array_interface__", array_interface, NULL, "for NumPy", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyMethodDef buffer_methods[] = {
	{ "tobytes", to_bytes, METH_NOARGS, "a copy of the numbers" },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot buffer_slots[] = {
	{ Py_tp_doc, "An array of numbers that belongs to a column." },
	{ Py_tp_new, column_refuse_new },
	{ Py_tp_dealloc, array_dealloc },
	{ Py_tp_getset, buffer_attributes },
	{ Py_tp_methods, buffer_methods },
	{ Py_sq_length, buffer_length },
	{ Py_sq_item, buffer_item },
	{ SLOT_GETBUFFER, get_buffer },
	{ 0, NULL },
};

PyType_Spec buffer_spec = {
	.name = "perf.buffer",
	.basicsize = sizeof(struct array_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = buffer_slots,
};
