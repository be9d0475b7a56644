/* SPDX-License-Identifier: MIT */
/* Converts errors, texts and lists of texts between C and Python. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "python/module.h"

PyObject *module_none(void)
{
	Py_INCREF(Py_None);
	return Py_None;
}

PyObject *module_text(const char *s)
{
	return s ? python_text(s, strlen(s)) : module_none();
}

/* Returns the sentence, the marked text and the next step. */
static char *diag_sentence(const struct diag *d, int error)
{
	struct text t = TEXT_EMPTY;

	text_add(&t, d->message ? d->message : strerror(error));
	if (d->excerpt) {
		text_addf(&t, "\n%s\n", d->excerpt);
		text_pad(&t, t.length, d->offset, 0, ' ');
		text_pad(&t, t.length, d->length ? d->length : 1, 0, '^');
	}
	if (d->hint)
		text_addf(&t, "\n%s", d->hint);
	return text_take(&t);
}

/*
 * True if an argument or the contents of a file make no sense; false if the kernel refused
 * something.
 */
static bool is_mistake(int error)
{
	return error == EINVAL || error == EBADMSG || error == ENODATA || error == ERANGE ||
	       error == E2BIG || error == EPROTO || error == EILSEQ;
}

PyObject *module_fail(int error, struct diag *diag)
{
	struct module_state *state = module_state();
	_cleanup_(freep) char *sentence = diag_sentence(diag, -error);
	PyObject *text = module_text(sentence), *args = NULL;

	diag_done(diag);
	*diag = (struct diag){ 0 };
	if (text && state)
		args = Py_BuildValue("(iO)", -error, text);
	if (args)
		PyErr_SetObject(is_mistake(-error) ? state->error : PyExc_OSError, args);
	Py_XDECREF(text);
	Py_XDECREF(args);
	return NULL;
}

void module_list_put(PyObject **list, size_t i, PyObject *item)
{
	if (item)
		PyList_SetItem(*list, (Py_ssize_t)i, item);
	else
		Py_CLEAR(*list);
}

void module_tuple_put(PyObject **tuple, size_t i, PyObject *item)
{
	if (item)
		PyTuple_SetItem(*tuple, (Py_ssize_t)i, item);
	else
		Py_CLEAR(*tuple);
}

bool module_number(PyObject *value, uint64_t *ret)
{
	unsigned long long n;

	if (!value) {
		PyErr_SetString(PyExc_TypeError, "it cannot be deleted");
		return false;
	}
	n = PyLong_AsUnsignedLongLong(value);
	if (PyErr_Occurred())
		return false;
	*ret = n;
	return true;
}

PyObject *module_notes(const struct notes *notes)
{
	PyObject *list = PyTuple_New((Py_ssize_t)notes->n);

	for (size_t i = 0; list && i < notes->n; i++) {
		_cleanup_(freep) char *sentence = diag_sentence(&notes->items[i].what, 0);

		module_tuple_put(&list, i, module_text(sentence));
	}
	return list;
}

const char *module_path(PyObject *o, PyObject **owner)
{
	char *path;

	*owner = NULL;
	if (!PyUnicode_FSConverter(o, owner))
		return NULL;
	path = PyBytes_AsString(*owner);
	if (!path)
		Py_CLEAR(*owner);
	return path;
}

/* Adds the str @o, encoded like file names, so that every name can be given. */
static bool python_module_text_add(struct module_texts *t, PyObject *list, PyObject *o,
				   const char *what)
{
	PyObject *bytes;
	const char *text;

	if (!PyUnicode_Check(o)) {
		PyErr_Format(PyExc_TypeError, "%s must be a str or a sequence of str, not %R", what,
			     (PyObject *)Py_TYPE(o));
		return false;
	}
	bytes = PyUnicode_EncodeFSDefault(o);
	if (!bytes)
		return false;
	text = PyBytes_AsString(bytes);
	if (strlen(text) != (size_t)PyBytes_Size(bytes) || PyList_Append(list, bytes) < 0) {
		if (!PyErr_Occurred())
			PyErr_Format(PyExc_ValueError, "%s must not contain a NUL", what);
		Py_DECREF(bytes);
		return false;
	}
	Py_DECREF(bytes);
	t->items = array_reserve(t->items, &t->room, t->n + 1, sizeof(*t->items));
	t->items[t->n++] = text;
	return true;
}

bool module_texts_parse(PyObject *o, const char *what, struct module_texts *ret)
{
	PyObject *sequence;
	bool fine = true;

	if (!o || o == Py_None)
		return true;
	ret->owner = PyList_New(0);
	if (!ret->owner)
		return false;
	if (PyUnicode_Check(o))
		return python_module_text_add(ret, ret->owner, o, what);
	sequence = PySequence_List(o);
	if (!sequence) {
		if (PyErr_ExceptionMatches(PyExc_TypeError))
			PyErr_Format(PyExc_TypeError,
				     "%s must be a str or a sequence of str, not %R", what,
				     (PyObject *)Py_TYPE(o));
		return false;
	}
	for (Py_ssize_t i = 0; fine && i < PyList_Size(sequence); i++)
		fine = python_module_text_add(ret, ret->owner, PyList_GetItem(sequence, i), what);
	Py_DECREF(sequence);
	return fine;
}

void module_texts_done(struct module_texts *t)
{
	free(t->items);
	Py_XDECREF(t->owner);
}
