/* SPDX-License-Identifier: MIT */
#include "python/evlist.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/sampling.h"
#include "event/env.h"
#include "event/event.h"
#include "python/maps.h"
#include "python/record-object.h"

#define PAGES_DEFAULT 128

static struct evlist_object *evlist_of(PyObject *o)
{
	return (struct evlist_object *)o;
}

size_t evlist_count(const struct evlist_object *l)
{
	return l->evsels ? (size_t)PyList_Size(l->evsels) : 0;
}

struct evsel_object *evlist_get(const struct evlist_object *l, size_t i)
{
	return (struct evsel_object *)PyList_GetItem(l->evsels, (Py_ssize_t)i);
}

static void evlist_dealloc(PyObject *self)
{
	struct evlist_object *l = evlist_of(self);

	live_rings_done(&l->rings);
	evlist_metrics_done(l);
	free(l->record);
	Py_XDECREF(l->evsels);
	Py_XDECREF(l->cpus);
	Py_XDECREF(l->threads);
	module_release(self);
}

static bool take_maps(struct evlist_object *l, PyObject *cpus, PyObject *threads)
{
	PyObject *events = PyList_New(0);

	if (!events)
		return false;
	Py_INCREF(cpus);
	Py_INCREF(threads);
	live_rings_done(&l->rings);
	Py_XDECREF(l->evsels);
	Py_XDECREF(l->cpus);
	Py_XDECREF(l->threads);
	l->evsels = events;
	l->cpus = cpus;
	l->threads = threads;
	return true;
}

static int evlist_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	struct module_state *state = module_state();
	PyObject *cpus, *threads;

	if (kwargs && PyDict_Size(kwargs)) {
		PyErr_SetString(PyExc_TypeError, "evlist() takes no keyword arguments");
		return -1;
	}
	if (!state || !PyArg_ParseTuple(args, "O!O!", state->types[TYPE_CPU_MAP], &cpus,
					state->types[TYPE_THREAD_MAP], &threads))
		return -1;
	return take_maps(evlist_of(self), cpus, threads) ? 0 : -1;
}

/* Makes a map of @type by its own constructor: all CPUs, or any thread. */
static PyObject *default_map(PyObject *given, enum module_type type)
{
	struct module_state *state = module_state();

	if (!given || given == Py_None)
		return state ? PyObject_CallObject(state->types[type], NULL) : NULL;
	if (!module_is(given, type)) {
		PyErr_Format(PyExc_TypeError, "a %s is needed, not %R",
			     type == TYPE_CPU_MAP ? "cpu_map" : "thread_map",
			     (PyObject *)Py_TYPE(given));
		return NULL;
	}
	Py_INCREF(given);
	return given;
}

struct evlist_object *evlist_new(PyObject *cpus, PyObject *threads)
{
	PyObject *c = default_map(cpus, TYPE_CPU_MAP);
	PyObject *t = c ? default_map(threads, TYPE_THREAD_MAP) : NULL;
	struct evlist_object *l = t ? module_new(TYPE_EVLIST) : NULL;

	if (l && !take_maps(l, c, t)) {
		Py_DECREF((PyObject *)l);
		l = NULL;
	}
	Py_XDECREF(c);
	Py_XDECREF(t);
	return l;
}

bool evlist_add_parsed(struct evlist_object *l, const struct event_list *events)
{
	size_t base = evlist_count(l);

	for (size_t i = 0; i < events->n; i++) {
		struct evsel_object *e = (struct evsel_object *)evsel_new(events->items[i]);
		int r;

		if (!e)
			return false;
		e->leader = base + events->items[i]->leader;
		e->tracking = base + i == 0;
		e->event.attr.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
					     PERF_FORMAT_TOTAL_TIME_RUNNING;
		e->event.attr.disabled = e->leader == base + i;
		Py_INCREF(l->cpus);
		Py_INCREF(l->threads);
		e->cpus = l->cpus;
		e->threads = l->threads;
		r = PyList_Append(l->evsels, (PyObject *)e);
		Py_DECREF((PyObject *)e);
		if (r < 0)
			return false;
	}
	return true;
}

/* True if the object has maps. One for which __init__ was never called has none. */
static bool is_made(const struct evlist_object *l)
{
	if (!l->evsels)
		PyErr_SetString(PyExc_ValueError, "evlist.__init__() was not called");
	return l->evsels;
}

static PyObject *evlist_add(PyObject *self, PyObject *evsel)
{
	struct evlist_object *l = evlist_of(self);

	if (!is_made(l))
		return NULL;
	if (!module_is(evsel, TYPE_EVSEL)) {
		PyErr_Format(PyExc_TypeError, "argument 1 must be perf.evsel, not %R",
			     (PyObject *)Py_TYPE(evsel));
		return NULL;
	}
	((struct evsel_object *)evsel)->leader = evlist_count(l);
	((struct evsel_object *)evsel)->tracking = !evlist_count(l);
	if (PyList_Append(l->evsels, evsel) < 0)
		return NULL;
	return PyLong_FromSize_t(evlist_count(l));
}

static Py_ssize_t evlist_length(PyObject *self)
{
	return (Py_ssize_t)evlist_count(evlist_of(self));
}

static PyObject *evlist_item(PyObject *self, Py_ssize_t i)
{
	PyObject *evsel;

	if (i < 0 || i >= evlist_length(self)) {
		PyErr_SetString(PyExc_IndexError, "Index out of range");
		return NULL;
	}
	evsel = (PyObject *)evlist_get(evlist_of(self), (size_t)i);
	Py_INCREF(evsel);
	return evsel;
}

/* Closes everything, the rings first. */
static void evlist_close_all(struct evlist_object *l)
{
	live_rings_done(&l->rings);
	for (size_t i = 0; i < evlist_count(l); i++)
		live_event_close(&evlist_get(l, i)->event);
}

static PyObject *evlist_close(PyObject *self, PyObject *unused)
{
	(void)unused;
	evlist_close_all(evlist_of(self));
	return module_none();
}

/*
 * Adds ids to samples, which then begin with them. Records of several events are told apart by an
 * id.
 */
static void evlist_add_ids(struct evlist_object *l)
{
	for (size_t i = 0; evlist_count(l) > 1 && i < evlist_count(l); i++) {
		struct attr *a = &evlist_get(l, i)->event.attr;

		if (a->sample_period && !(a->sample_type & PERF_SAMPLE_ID))
			a->sample_type |= PERF_SAMPLE_IDENTIFIER;
	}
}

static PyObject *evlist_open(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "group", "inherit", NULL };
	struct evlist_object *l = evlist_of(self);
	int group = 0, inherit = 0;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|ii", names, &group, &inherit))
		return NULL;
	evlist_close_all(l);
	evlist_add_ids(l);
	for (size_t i = 0; i < evlist_count(l); i++) {
		struct evsel_object *e = evlist_get(l, i);
		size_t leader = group ? 0 : e->leader;

		if (!evsel_open_at(e, l->cpus, l->threads,
				   leader < i ? evlist_get(l, leader) : NULL, inherit)) {
			evlist_close_all(l);
			return NULL;
		}
	}
	return module_none();
}

static PyObject *evlist_switch_all(PyObject *self, bool on)
{
	struct evlist_object *l = evlist_of(self);
	struct diag diag = { 0 };

	for (size_t i = 0; i < evlist_count(l); i++) {
		int r = live_event_enable(&evlist_get(l, i)->event, on);

		if (r < 0)
			return module_fail(r, &diag);
	}
	return module_none();
}

static PyObject *evlist_enable(PyObject *self, PyObject *unused)
{
	(void)unused;
	return evlist_switch_all(self, true);
}

static PyObject *evlist_disable(PyObject *self, PyObject *unused)
{
	(void)unused;
	return evlist_switch_all(self, false);
}

static bool is_power_of_two(Py_ssize_t n)
{
	return n > 0 && !(n & (n - 1));
}

static PyObject *evlist_mmap(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "pages", "overwrite", NULL };
	struct evlist_object *l = evlist_of(self);
	Py_ssize_t pages = PAGES_DEFAULT;
	int overwrite = 0, r = 0;
	struct diag diag = { 0 };
	size_t n = evlist_count(l);
	_cleanup_(freep) struct live_event **events = xcalloc(n + 1, sizeof(*events));

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|ni", names, &pages, &overwrite))
		return NULL;
	if (overwrite || !is_power_of_two(pages)) {
		PyErr_SetString(PyExc_ValueError,
				overwrite ? "rings that the kernel overwrites cannot be read one "
					    "record at a time"
					  : "pages must be a power of two");
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		events[i] = &evlist_get(l, i)->event;
		if (!live_event_is_open(events[i])) {
			diag_set(&diag, -EBADF, "the event '%s' is not open", events[i]->name);
			return module_fail(-EBADF, &diag);
		}
	}
	r = live_rings_map(&l->rings, events, n, (size_t)pages, &diag);
	if (r < 0)
		return module_fail(r, &diag);
	return module_none();
}

static PyObject *evlist_get_pollfd(PyObject *self, PyObject *unused)
{
	const struct live_rings *rings = &evlist_of(self)->rings;
	PyObject *list = PyList_New(0);

	(void)unused;
	for (size_t i = 0; list && i < rings->n; i++) {
		PyObject *file = PyFile_FromFd(rings->items[i].ring.fd, "perf", "r", -1, NULL, NULL,
					       NULL, 0);

		python_append(&list, file);
	}
	return list;
}

/* Calls poll() without the GIL. A signal is handled, and ends a wait that has a limit. */
static int poll_fds(struct pollfd *fds, size_t n, int timeout)
{
	PyThreadState *state;
	int r, error;

	do {
		state = PyEval_SaveThread();
		r = poll(fds, n, timeout);
		error = errno;
		PyEval_RestoreThread(state);
		if (r < 0 && error == EINTR && PyErr_CheckSignals() < 0)
			return -1;
	} while (r < 0 && error == EINTR && timeout < 0);
	if (r < 0 && error == EINTR)
		return 0;
	if (r < 0) {
		errno = error;
		PyErr_SetFromErrno(PyExc_OSError);
	}
	return r;
}

static PyObject *evlist_poll(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "timeout", NULL };
	const struct live_rings *rings = &evlist_of(self)->rings;
	_cleanup_(freep) struct pollfd *fds = xcalloc(rings->n + 1, sizeof(*fds));
	int timeout = -1, r;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|i", names, &timeout))
		return NULL;
	if (!rings->n && timeout < 0) {
		PyErr_SetString(PyExc_ValueError,
				"there is nothing to wait for: mmap() comes first");
		return NULL;
	}
	for (size_t i = 0; i < rings->n; i++)
		fds[i] = (struct pollfd){ .fd = rings->items[i].ring.fd, .events = POLLIN };
	r = poll_fds(fds, rings->n, timeout);
	return r < 0 ? NULL : PyLong_FromLong(r);
}

/* Returns the event that wrote the record, by the id in it. */
static struct evsel_object *event_of_record(const struct evlist_object *l, const uint8_t *record,
					    size_t size)
{
	const struct attr *attr = &evlist_get(l, 0)->event.attr;
	uint64_t id = 0;

	if (evlist_count(l) == 1)
		return evlist_get(l, 0);
	if (record_header_at(record, false).type == PERF_RECORD_SAMPLE) {
		int offset = sample_id_offset(attr);

		if (offset >= 0 && (size_t)offset + sizeof(id) <= size)
			memcpy(&id, record + offset, sizeof(id));
	} else if (attr->sample_id_all && attr->sample_type & PERF_SAMPLE_IDENTIFIER &&
		   size >= RECORD_HEADER_SIZE + sizeof(id)) {
		memcpy(&id, record + size - sizeof(id), sizeof(id));
	}
	for (size_t i = 0; i < evlist_count(l); i++)
		if (id && live_event_has_id(&evlist_get(l, i)->event, id))
			return evlist_get(l, i);
	return evlist_get(l, 0);
}

static PyObject *evlist_read_on_cpu(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "cpu", "sample_id_all", NULL };
	struct evlist_object *l = evlist_of(self);
	int cpu, sample_id_all = 1, size;
	struct evsel_object *e;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i|i", names, &cpu, &sample_id_all))
		return NULL;
	if (!l->record)
		l->record = xmalloc(UINT16_MAX + 1);
	size = live_rings_take(&l->rings, cpu, l->record);
	if (size < 0) {
		PyErr_Format(PyExc_TypeError, "Unknown CPU '%d'", cpu);
		return NULL;
	}
	if (!size)
		return module_none();
	e = event_of_record(l, l->record, (size_t)size);
	return record_object_new(
		l->record, (size_t)size,
		&(struct record_origin){ .attr = &e->event.attr, .evsel = (PyObject *)e });
}

static PyObject *evlist_all_cpus(PyObject *self, PyObject *unused)
{
	PyObject *cpus = evlist_of(self)->cpus;

	(void)unused;
	if (!cpus)
		return module_none();
	Py_INCREF(cpus);
	return cpus;
}

/* Lends the events of @l to @list, for code that completes attrs. */
static void evlist_lend(const struct evlist_object *l, struct event_list *list)
{
	for (size_t i = 0; i < evlist_count(l); i++) {
		struct evsel_object *e = evlist_get(l, i);
		struct event *copy = xcalloc(1, sizeof(*copy));

		*copy = (struct event){ .attr = e->event.attr,
					.name = xstrdup(e->event.name),
					.unit = xstrdup(""),
					.scale = 1,
					.leader = e->leader };
		copy->attr.disabled = 0;
		copy->attr.read_format = 0;
		*ARRAY_ADD(list) = copy;
	}
}

static int complete_attrs(const struct int_list *cpus, const struct int_list *threads,
			  struct event_list *list, struct diag *diag)
{
	_cleanup_(event_env_freep) struct event_env *env = event_env_new(NULL, NULL);
	const struct sampling s = { .arch = arch_host(),
				    .system = threads->n == 1 && threads->items[0] == -1,
				    .per_thread = cpus->n == 1 && cpus->items[0] == -1,
				    .inherit = true,
				    .freq = SAMPLING_FREQ_DEFAULT };

	return sampling_apply(&s, list, env, diag);
}

/* Sets the attrs as perf record would if these events were named to it. */
static PyObject *evlist_config(PyObject *self, PyObject *unused)
{
	struct evlist_object *l = evlist_of(self);
	_cleanup_(event_list_done) struct event_list list = { 0 };
	struct diag diag = { 0 };
	size_t n = evlist_count(l);
	int r;

	(void)unused;
	if (!is_made(l))
		return NULL;
	evlist_lend(l, &list);
	r = complete_attrs(map_list(l->cpus), map_list(l->threads), &list, &diag);
	if (r < 0)
		return module_fail(r, &diag);
	for (size_t i = 0; i < n; i++) {
		struct attr *a = &evlist_get(l, i)->event.attr;
		uint64_t period = a->sample_period;
		bool own = period && !a->freq;

		*a = list.items[i]->attr;
		a->size = sizeof(*a);
		if (own) {
			a->freq = 0;
			a->sample_period = period;
		}
	}
	return module_none();
}

static PyObject *evlist_repr(PyObject *self)
{
	struct evlist_object *l = evlist_of(self);
	PyObject *names = PyList_New(0), *comma = PyUnicode_FromString(","), *joined = NULL,
		 *repr = NULL;

	for (size_t i = 0; names && i < evlist_count(l); i++)
		python_append(&names, evsel_text(evlist_get(l, i)));
	if (names && comma)
		joined = PyUnicode_Join(comma, names);
	if (joined)
		repr = PyUnicode_FromFormat("evlist([%U])", joined);
	Py_XDECREF(names);
	Py_XDECREF(comma);
	Py_XDECREF(joined);
	return repr;
}

#define WITH_KEYWORDS(f) (PyCFunction)(void (*)(void)) f, METH_VARARGS | METH_KEYWORDS

static PyMethodDef evlist_methods[] = {
	{ "add", evlist_add, METH_O, "adds an event selector to the list." },
	{ "all_cpus", evlist_all_cpus, METH_NOARGS, "CPU map union of all evsel CPU maps." },
	{ "close", evlist_close, METH_NOARGS, "close the file descriptors." },
	{ "compute_metric", WITH_KEYWORDS(evlist_compute_metric),
	  "compute metric for given name, cpu and thread" },
	{ "config", evlist_config, METH_NOARGS, "Apply default record options to the evlist." },
	{ "disable", evlist_disable, METH_NOARGS, "Disable the evsels in the evlist." },
	{ "enable", evlist_enable, METH_NOARGS, "Enable the evsels in the evlist." },
	{ "get_pollfd", evlist_get_pollfd, METH_NOARGS, "get the poll file descriptor table." },
	{ "metrics", evlist_metrics, METH_NOARGS, "List of metric names within the evlist." },
	{ "mmap", WITH_KEYWORDS(evlist_mmap), "mmap the file descriptor table." },
	{ "open", WITH_KEYWORDS(evlist_open), "open the file descriptors." },
	{ "poll", WITH_KEYWORDS(evlist_poll), "poll the file descriptor table." },
	{ "read_on_cpu", WITH_KEYWORDS(evlist_read_on_cpu), "reads an event." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot evlist_slots[] = {
	{ Py_tp_doc, "perf event selector list object: evlist(cpus, threads)." },
	{ Py_tp_init, evlist_init },
	{ Py_tp_dealloc, evlist_dealloc },
	{ Py_tp_repr, evlist_repr },
	{ Py_tp_methods, evlist_methods },
	{ Py_sq_length, evlist_length },
	{ Py_sq_item, evlist_item },
	{ 0, NULL },
};

PyType_Spec evlist_spec = {
	.name = "perf.evlist",
	.basicsize = sizeof(struct evlist_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = evlist_slots,
};
