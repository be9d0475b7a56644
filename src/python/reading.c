/* SPDX-License-Identifier: MIT */
#include "python/reading.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "symbol/buildid/cache.h"

static bool reading_is_given(PyObject *o)
{
	return o && o != Py_None;
}

/* Takes a path that stays valid until reading_choice_done(). */
static bool reading_take_path(struct reading_choice *c, PyObject *o, const char **ret)
{
	PyObject *owner;

	if (!reading_is_given(o))
		return true;
	*ret = module_path(o, &owner);
	if (!*ret)
		return false;
	c->owners[c->n_owners++] = owner;
	return true;
}

/* Takes one name or several, in the form of the lists of perf's options. */
static bool reading_take_names(PyObject *o, const char *what, char **ret)
{
	struct module_texts texts = { 0 };
	struct text joined = TEXT_EMPTY;
	bool fine = module_texts_parse(o, what, &texts);

	for (size_t i = 0; fine && i < texts.n; i++)
		text_addf(&joined, "%s%s", i ? "," : "", texts.items[i]);
	if (fine && texts.n)
		*ret = text_take(&joined);
	text_done(&joined);
	module_texts_done(&texts);
	return fine;
}

static bool reading_add_number(PyObject *o, long most, int **items, size_t *n, size_t *room)
{
	long value = PyLong_AsLong(o);

	if (value == -1 && PyErr_Occurred())
		return false;
	if (value < -1 || value > most) {
		PyErr_Format(PyExc_ValueError, "%ld is out of range", value);
		return false;
	}
	*items = array_reserve(*items, room, *n + 1, sizeof(**items));
	(*items)[(*n)++] = (int)value;
	return true;
}

/* Takes a number or a sequence of numbers. */
static bool reading_take_numbers(PyObject *o, long most, struct id_list *ret)
{
	PyObject *sequence;
	bool fine = true;

	if (!reading_is_given(o))
		return true;
	if (PyLong_Check(o))
		return reading_add_number(o, most, &ret->items, &ret->n, &ret->room);
	sequence = PySequence_List(o);
	if (!sequence)
		return false;
	for (Py_ssize_t i = 0; fine && i < PyList_Size(sequence); i++)
		fine = reading_add_number(PyList_GetItem(sequence, i), most, &ret->items, &ret->n,
					  &ret->room);
	Py_DECREF(sequence);
	return fine;
}

static int reading_compare_cpus(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

/* Takes "0-3,5", a number or a sequence of numbers. */
static bool reading_take_cpus(PyObject *o, struct cpu_list *ret)
{
	struct id_list ids = { 0 };
	bool fine;

	if (reading_is_given(o) && PyUnicode_Check(o)) {
		PyObject *bytes = PyUnicode_AsUTF8String(o);
		int r = bytes ? cpu_list_parse(PyBytes_AsString(bytes), ret) : 0;

		if (r < 0)
			PyErr_Format(PyExc_ValueError, "%R is not a list of CPUs such as '0-3,5'",
				     o);
		Py_XDECREF(bytes);
		return bytes && r >= 0;
	}
	fine = reading_take_numbers(o, CPU_MAX - 1, &ids);
	for (size_t i = 0; fine && i < ids.n; i++)
		if (ids.items[i] >= 0)
			*ARRAY_ADD(ret) = (unsigned)ids.items[i];
	if (fine && ret->n)
		qsort(ret->items, ret->n, sizeof(*ret->items), reading_compare_cpus);
	id_list_done(&ids);
	return fine;
}

/* Takes an end of a span in nanoseconds; None: open. */
static bool reading_take_moment(PyObject *o, uint64_t open, uint64_t *ret)
{
	*ret = open;
	if (o == Py_None)
		return true;
	*ret = PyLong_AsUnsignedLongLong(o);
	return !PyErr_Occurred();
}

/* Takes the text of --time, or (from, to) in nanoseconds. */
static bool reading_take_time(PyObject *o, struct reading_choice *c)
{
	size_t offset = 0;

	if (!reading_is_given(o))
		return true;
	if (PyTuple_Check(o) && PyTuple_Size(o) == 2) {
		struct time_range *range = ARRAY_ADD(&c->filter.time);

		return reading_take_moment(PyTuple_GetItem(o, 0), 0, &range->from_ns) &&
		       reading_take_moment(PyTuple_GetItem(o, 1), TIME_OPEN, &range->to_ns);
	}
	if (!reading_take_names(o, "time", &c->time_text))
		return false;
	if (!c->time_text || time_window_parse(c->time_text, &c->filter.time, &offset) >= 0)
		return true;
	PyErr_Format(PyExc_ValueError,
		     "%R is not a span of time such as '10.5,11' (seconds) or '10%%-20%%'", o);
	return false;
}

bool reading_choice_parse(const struct reading_words *w, struct reading_choice *ret)
{
	struct filter_request *f = &ret->filter;

	ret->path = "perf.data";
	if (!reading_take_path(ret, w->path, &ret->path) ||
	    !reading_take_path(ret, w->symfs, &ret->symbols.symfs) ||
	    !reading_take_path(ret, w->vmlinux, &ret->symbols.vmlinux) ||
	    !reading_take_path(ret, w->kallsyms, &ret->symbols.kallsyms))
		return false;
	if (!reading_take_names(w->comm, "comm", &ret->comms) ||
	    !reading_take_names(w->dso, "dso", &ret->dsos) ||
	    !reading_take_names(w->symbol, "symbol", &ret->names))
		return false;
	f->comms = ret->comms;
	f->dsos = ret->dsos;
	f->symbols = ret->names;
	if (!reading_take_cpus(w->cpu, &f->cpus) ||
	    !reading_take_numbers(w->pid, INT_MAX, &f->pids) ||
	    !reading_take_numbers(w->tid, INT_MAX, &f->tids) || !reading_take_time(w->time, ret))
		return false;
	ret->buildid_dir = buildid_cache_dir(NULL);
	return true;
}

void reading_choice_done(struct reading_choice *c)
{
	filter_request_done(&c->filter);
	for (size_t i = 0; i < c->n_owners; i++)
		Py_DECREF(c->owners[i]);
	free(c->comms);
	free(c->dsos);
	free(c->names);
	free(c->time_text);
	free(c->buildid_dir);
}
