/* SPDX-License-Identifier: MIT */
/*
 * perf.data and perf.session: a recording whose samples and records are passed to functions.
 *
 * Everything happens on the caller's thread, so that functions may use objects that belong to it;
 * the GIL is released while the recording is read.
 */
#include "session/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "python/evsel.h"
#include "python/reading.h"
#include "python/record-object.h"
#include "python/session-core.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "session/reading.h"
#include "session/sample-filter.h"

struct data_object {
	PyObject_HEAD PyObject *path; /* a bytes object */
};

static void data_dealloc(PyObject *self)
{
	Py_XDECREF(((struct data_object *)self)->path);
	module_release(self);
}

static int data_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "path", "fd", NULL };
	struct data_object *d = (struct data_object *)self;
	PyObject *path = NULL, *bytes = NULL;
	int fd = -1;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|Oi", names, &path, &fd))
		return -1;
	if (fd >= 0)
		bytes = PyBytes_FromFormat("/proc/self/fd/%d", fd);
	else if (path && path != Py_None) {
		if (!module_path(path, &bytes))
			return -1;
	} else
		bytes = PyBytes_FromString("perf.data");
	if (!bytes)
		return -1;
	Py_XDECREF(d->path);
	d->path = bytes;
	return 0;
}

static PyObject *data_path(PyObject *self, void *unused)
{
	PyObject *path = ((struct data_object *)self)->path;

	(void)unused;
	return path ? PyUnicode_DecodeFSDefault(PyBytes_AsString(path)) : module_none();
}

static PyGetSetDef data_attributes[] = {
	{ "path", data_path, NULL, "name of the file", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot data_slots[] = {
	{ Py_tp_doc, "data(path='perf.data', fd=-1): a recording to be read." },
	{ Py_tp_init, data_init },
	{ Py_tp_dealloc, data_dealloc },
	{ Py_tp_getset, data_attributes },
	{ 0, NULL },
};

PyType_Spec data_spec = {
	.name = "perf.data",
	.basicsize = sizeof(struct data_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = data_slots,
};

/* The functions that a session calls, by the names of their keywords. */
static const struct session_handler {
	const char *name;
	uint64_t types; /* bits made by RECORD_TYPE_BIT() */
} handlers[] = {
	{ "sample", 0 },
	{ "mmap", RECORD_TYPE_BIT(PERF_RECORD_MMAP) | RECORD_TYPE_BIT(PERF_RECORD_MMAP2) },
	{ "comm", RECORD_TYPE_BIT(PERF_RECORD_COMM) },
	{ "fork", RECORD_TYPE_BIT(PERF_RECORD_FORK) },
	{ "exit", RECORD_TYPE_BIT(PERF_RECORD_EXIT) },
	{ "lost", RECORD_TYPE_BIT(PERF_RECORD_LOST) | RECORD_TYPE_BIT(PERF_RECORD_LOST_SAMPLES) },
	{ "throttle",
	  RECORD_TYPE_BIT(PERF_RECORD_THROTTLE) | RECORD_TYPE_BIT(PERF_RECORD_UNTHROTTLE) },
	{ "context_switch",
	  RECORD_TYPE_BIT(PERF_RECORD_SWITCH) | RECORD_TYPE_BIT(PERF_RECORD_SWITCH_CPU_WIDE) },
	{ "read", RECORD_TYPE_BIT(PERF_RECORD_READ) },
};

#define N_HANDLERS ARRAY_SIZE(handlers)

struct session_object {
	PyObject_HEAD struct session_core *core; /* NULL: closed */
	PyObject *functions[N_HANDLERS];
	struct {
		PyObject **items; /* perf.evsel, by event; NULL: not used yet */
		size_t n, room;
	} evsels;
	PyObject *notes; /* a tuple of str */
	bool is_reading;
	uint64_t now; /* the time of the record that is handed over */
	/* While reading without the GIL: */
	PyThreadState *state;
};

static struct session_object *python_session_of(PyObject *o)
{
	return (struct session_object *)o;
}

static int session_traverse(PyObject *self, visitproc visit, void *arg)
{
	struct session_object *s = python_session_of(self);

	Py_VISIT(Py_TYPE(self));
	for (size_t i = 0; i < N_HANDLERS; i++)
		Py_VISIT(s->functions[i]);
	Py_VISIT(s->notes);
	return 0;
}

static int session_clear(PyObject *self)
{
	struct session_object *s = python_session_of(self);

	for (size_t i = 0; i < N_HANDLERS; i++)
		Py_CLEAR(s->functions[i]);
	Py_CLEAR(s->notes);
	return 0;
}

static void session_release(struct session_object *s)
{
	for (size_t i = 0; i < s->evsels.n; i++)
		Py_CLEAR(s->evsels.items[i]);
	free(TAKE(s->evsels.items));
	s->evsels.n = s->evsels.room = 0;
	session_core_unref(TAKE(s->core));
}

static void session_dealloc(PyObject *self)
{
	PyObject_GC_UnTrack(self);
	session_clear(self);
	session_release(python_session_of(self));
	module_release(self);
}

/* Opens the recording that @words describes. */
static struct session_core *open_core(const struct reading_words *words, bool force)
{
	struct reading_choice choice = { 0 };
	struct session_core *core = NULL;
	struct diag diag = { 0 };
	int r;

	if (!reading_choice_parse(words, &choice)) {
		reading_choice_done(&choice);
		return NULL;
	}
	core = session_core_new(&choice);

	const struct reading_symbols how = { .request = &core->choice.symbols,
					     .buildid_dir = core->choice.buildid_dir,
					     .any_owner = force };

	r = reading_check_files(&how, &diag);
	if (r >= 0) {
		core->symbolizer = reading_symbolizer(&how);
		core->request = (struct recorded_request){ .path = core->choice.path,
							   .force = force,
							   .filter = core->choice.filter,
							   .symbolizer = core->symbolizer };
		r = recorded_open(&core->request, &core->recorded, &diag);
	}
	if (r < 0) {
		session_core_unref(core);
		module_fail(r, &diag);
		return NULL;
	}
	return core;
}

/* Takes the functions out of @kwargs, which keeps the other arguments. */
static bool python_session_take_functions(struct session_object *s, PyObject *kwargs)
{
	for (size_t i = 0; kwargs && i < N_HANDLERS; i++) {
		PyObject *f = PyDict_GetItemString(kwargs, handlers[i].name);

		/* A text is a filter: only tasks with that name. */
		if (!f || (!strcmp(handlers[i].name, "comm") && !PyCallable_Check(f)))
			continue;
		if (f != Py_None && !PyCallable_Check(f)) {
			PyErr_Format(PyExc_TypeError, "%s must be callable, not %R",
				     handlers[i].name, (PyObject *)Py_TYPE(f));
			return false;
		}
		if (f != Py_None) {
			Py_INCREF(f);
			Py_XDECREF(s->functions[i]);
			s->functions[i] = f;
		}
		if (PyDict_DelItemString(kwargs, handlers[i].name) < 0)
			return false;
	}
	return true;
}

static bool python_session_open(struct session_object *s, PyObject *args, PyObject *rest)
{
	static char *names[] = { "data",   "time",  "cpu",     "pid",      "tid",   "comm", "dso",
				 "symbol", "symfs", "vmlinux", "kallsyms", "force", NULL };
	struct reading_words w = { 0 };
	int force = 0;

	if (!PyArg_ParseTupleAndKeywords(args, rest, "|O$OOOOOOOOOOp", names, &w.path, &w.time,
					 &w.cpu, &w.pid, &w.tid, &w.comm, &w.dso, &w.symbol,
					 &w.symfs, &w.vmlinux, &w.kallsyms, &force))
		return false;
	if (w.path && module_is(w.path, TYPE_DATA))
		w.path = ((struct data_object *)w.path)->path;
	s->core = open_core(&w, force);
	return s->core;
}

static int session_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	struct session_object *s = python_session_of(self);
	PyObject *rest = kwargs ? PyDict_Copy(kwargs) : NULL;
	bool fine;

	if (kwargs && !rest)
		return -1;
	if (s->is_reading || s->core) {
		PyErr_SetString(PyExc_ValueError, "the session is open already");
		Py_XDECREF(rest);
		return -1;
	}
	fine = python_session_take_functions(s, rest) && python_session_open(s, args, rest);
	Py_XDECREF(rest);
	return fine ? 0 : -1;
}

static bool is_usable(const struct session_object *s)
{
	if (!s->core)
		PyErr_SetString(PyExc_ValueError, "the session is closed");
	else if (s->is_reading)
		PyErr_SetString(PyExc_ValueError, "the session is being read");
	return s->core && !s->is_reading;
}

/* Returns the perf.evsel of an event, borrowed. */
static PyObject *python_session_evsel_of(struct session_object *s, const struct session_event *e)
{
	size_t old = s->evsels.n;

	if (!e)
		return NULL;
	if (e->index >= old) {
		s->evsels.items = array_reserve(s->evsels.items, &s->evsels.room, e->index + 1,
						sizeof(*s->evsels.items));
		for (s->evsels.n = old; s->evsels.n <= e->index; s->evsels.n++)
			s->evsels.items[s->evsels.n] = NULL;
	}
	if (!s->evsels.items[e->index])
		s->evsels.items[e->index] = evsel_new_recorded(e);
	return s->evsels.items[e->index];
}

/* Calls @function with @o, which it releases. Returns 0, or -EINTR if an exception is set. */
static int python_session_call(PyObject *function, PyObject *o)
{
	PyObject *result = o ? PyObject_CallFunctionObjArgs(function, o, NULL) : NULL;

	Py_XDECREF(o);
	Py_XDECREF(result);
	return result ? 0 : -EINTR;
}

/*
 * True if filters for tasks and places pass the sample; filters for times and CPUs were applied
 * before.
 */
static bool python_session_passes(const struct session_object *s, const struct session_sample *item)
{
	const struct sample_filter *f = s->core->recorded.filter;
	const struct sample *sample = item->sample;
	struct session *session = s->core->recorded.session;
	struct location loc = { 0 };

	if (!f)
		return true;
	if (!sample_filter_passes_task(f, sample->pid, sample->tid) ||
	    !sample_filter_passes_comm(f,
				       machine_comm(session, sample->pid, sample->tid, item->time)))
		return false;
	if (!sample_filter_has_places(f))
		return true;
	machine_resolve(session, sample->pid, address_mode_of(sample->misc), sample->ip, item->time,
			&loc);
	return sample_filter_passes_place(f, &loc);
}

static int python_session_hand_sample(struct session_object *s, const struct session_sample *item)
{
	const struct delivered *d = item->record;
	PyObject *evsel;

	if (!python_session_passes(s, item))
		return 0;
	evsel = python_session_evsel_of(s, item->event);
	if (!evsel)
		return -EINTR;
	s->now = item->time;
	return python_session_call(
		s->functions[0],
		record_object_new(d->raw.bytes, d->raw.header.size,
				  &(struct record_origin){
					  .attr = &d->event->attr,
					  .swap = session_is_swapped(s->core->recorded.session),
					  .evsel = evsel,
					  .core = s->core,
					  .event = item->event,
					  .time = item->time,
					  .period = item->period }));
}

static int python_session_on_samples(void *arg, const struct sample_batch *b)
{
	struct session_object *s = arg;
	int r = 0;

	PyEval_RestoreThread(s->state);
	for (size_t i = 0; i < b->n && !r; i++)
		r = python_session_hand_sample(s, &b->items[i]);
	if (!r && PyErr_CheckSignals() < 0)
		r = -EINTR;
	s->state = PyEval_SaveThread();
	return r;
}

static PyObject *function_for(const struct session_object *s, unsigned type)
{
	for (size_t i = 1; i < N_HANDLERS; i++)
		if (handlers[i].types & RECORD_TYPE_BIT(type))
			return s->functions[i];
	return NULL;
}

static int hand_record(struct session_object *s, const struct delivered *d)
{
	PyObject *function = function_for(s, d->raw.header.type);
	const struct session_event *e = d->event;

	if (!e && session_event_count(s->core->recorded.session))
		e = session_event(s->core->recorded.session, 0);
	if (!function || !e)
		return 0;
	s->now = d->time;
	return python_session_call(
		function,
		record_object_new(d->raw.bytes, d->raw.header.size,
				  &(struct record_origin){
					  .attr = &e->attr,
					  .swap = session_is_swapped(s->core->recorded.session) }));
}

static int python_session_on_records(void *arg, const struct record_batch *b)
{
	struct session_object *s = arg;
	int r = 0;

	PyEval_RestoreThread(s->state);
	for (size_t i = 0; i < b->n && !r; i++)
		r = hand_record(s, &b->items[i]);
	if (!r && PyErr_CheckSignals() < 0)
		r = -EINTR;
	s->state = PyEval_SaveThread();
	return r;
}

/*
 * Takes perf's own records, and ignores them. A consumer that takes them is called on the caller's
 * thread, because the session does not read ahead for it.
 */
static int python_session_on_user(void *arg, const struct delivered *d)
{
	(void)arg, (void)d;
	return 0;
}

static int python_session_feed(struct session_object *s, struct notes *notes, struct diag *diag)
{
	struct consumer c = { .order = CONSUMER_IN_ORDER,
			      .samples = s->functions[0] ? python_session_on_samples : NULL,
			      .user = python_session_on_user,
			      .arg = s };
	int r;

	for (size_t i = 1; i < N_HANDLERS; i++)
		if (s->functions[i])
			c.types |= handlers[i].types;
	if (c.types)
		c.records = python_session_on_records;
	s->is_reading = true;
	s->state = PyEval_SaveThread();
	r = recorded_feed(&s->core->recorded, &c, notes, diag);
	PyEval_RestoreThread(s->state);
	s->is_reading = false;
	s->now = 0;
	return r;
}

static PyObject *process_events(PyObject *self, PyObject *unused)
{
	struct session_object *s = python_session_of(self);
	_cleanup_(notes_done) struct notes notes = { 0 };
	struct diag diag = { 0 };
	PyObject *sentences;
	int r;

	(void)unused;
	if (!is_usable(s))
		return NULL;
	r = python_session_feed(s, &notes, &diag);
	if (PyErr_Occurred()) {
		diag_done(&diag);
		return NULL;
	}
	if (r < 0)
		return module_fail(r, &diag);
	diag_done(&diag);
	sentences = module_notes(&notes);
	if (!sentences)
		return NULL;
	Py_XDECREF(s->notes);
	s->notes = sentences;
	return PyLong_FromLong(0);
}

/* A task of the recording, at the time of the sample that was handed over then. */
struct thread_object {
	PyObject_HEAD struct session_core *core;
	uint32_t tid;
	uint64_t time;
};

static void thread_dealloc(PyObject *self)
{
	session_core_unref(((struct thread_object *)self)->core);
	module_release(self);
}

static const char *python_session_comm_of(const struct session_core *core, uint32_t tid,
					  uint64_t time)
{
	return machine_comm(core->recorded.session, tid, tid, time);
}

static PyObject *thread_comm(PyObject *self, PyObject *unused)
{
	const struct thread_object *t = (struct thread_object *)self;

	(void)unused;
	return t->core ? module_text(python_session_comm_of(t->core, t->tid, t->time))
		       : module_none();
}

static PyObject *thread_tid(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromUnsignedLong(((struct thread_object *)self)->tid);
}

static PyGetSetDef thread_attributes[] = {
	{ "tid", thread_tid, NULL, "its number", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyMethodDef thread_methods[] = {
	{ "comm", thread_comm, METH_NOARGS, "Comm(and) associated with this thread." },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot thread_slots[] = {
	{ Py_tp_doc, "A thread of a recording: session.find_thread()." },
	{ Py_tp_dealloc, thread_dealloc },
	{ Py_tp_getset, thread_attributes },
	{ Py_tp_methods, thread_methods },
	{ 0, NULL },
};

PyType_Spec thread_spec = {
	.name = "perf.thread",
	.basicsize = sizeof(struct thread_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = thread_slots,
};

static PyObject *python_session_find_thread(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "tid", NULL };
	struct session_object *s = python_session_of(self);
	struct thread_object *t;
	int tid;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i", names, &tid))
		return NULL;
	if (!s->core) {
		PyErr_SetString(PyExc_ValueError, "the session is closed");
		return NULL;
	}
	/* A thread about which there is no record is named after its number. */
	if (tid < 0 || *python_session_comm_of(s->core, (uint32_t)tid, s->now) == ':') {
		PyErr_Format(PyExc_ValueError, "the recording has no thread %d", tid);
		return NULL;
	}
	t = module_new(TYPE_THREAD);
	if (!t)
		return NULL;
	t->core = session_core_ref(s->core);
	t->tid = (uint32_t)tid;
	t->time = s->now;
	return (PyObject *)t;
}

static PyObject *session_events(PyObject *self, PyObject *unused)
{
	struct session_object *s = python_session_of(self);
	PyObject *list;
	struct session *session;

	(void)unused;
	if (!s->core) {
		PyErr_SetString(PyExc_ValueError, "the session is closed");
		return NULL;
	}
	session = s->core->recorded.session;
	list = PyList_New(0);
	for (size_t i = 0; list && i < session_event_count(session); i++) {
		PyObject *evsel = python_session_evsel_of(s, session_event(session, i));

		if (!evsel || PyList_Append(list, evsel) < 0)
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *session_close(PyObject *self, PyObject *unused)
{
	struct session_object *s = python_session_of(self);

	(void)unused;
	if (s->is_reading) {
		PyErr_SetString(PyExc_ValueError, "the session is being read");
		return NULL;
	}
	session_release(s);
	return module_none();
}

static PyObject *session_enter(PyObject *self, PyObject *unused)
{
	(void)unused;
	Py_INCREF(self);
	return self;
}

static PyObject *session_exit(PyObject *self, PyObject *args)
{
	(void)args;
	return session_close(self, NULL);
}

static PyObject *session_notes(PyObject *self, void *unused)
{
	PyObject *notes = python_session_of(self)->notes;

	(void)unused;
	if (!notes)
		return PyTuple_New(0);
	Py_INCREF(notes);
	return notes;
}

static PyGetSetDef session_attributes[] = {
	{ "notes", session_notes, NULL,
	  "sentences about what was lost while recording or could not be read", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

#define WITH_KEYWORDS(f) (PyCFunction)(void (*)(void)) f, METH_VARARGS | METH_KEYWORDS

static PyMethodDef session_methods[] = {
	{ "process_events", process_events, METH_NOARGS,
	  "Iterate over events calling the given functions." },
	{ "find_thread", WITH_KEYWORDS(python_session_find_thread),
	  "Returns the thread with the given number." },
	{ "process", WITH_KEYWORDS(python_session_find_thread), "The same, for a process." },
	{ "events", session_events, METH_NOARGS, "The events of the recording." },
	{ "close", session_close, METH_NOARGS, "Gives back the recording." },
	{ "__enter__", session_enter, METH_NOARGS, NULL },
	{ "__exit__", session_exit, METH_VARARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot session_slots[] = {
	{ Py_tp_doc, "session(data, *, sample=None, mmap=None, comm=None, fork=None, exit=None,\n"
		     "        lost=None, throttle=None, context_switch=None, read=None, ...)" },
	{ Py_tp_init, session_init },
	{ Py_tp_dealloc, session_dealloc },
	{ Py_tp_traverse, session_traverse },
	{ Py_tp_clear, session_clear },
	{ Py_tp_getset, session_attributes },
	{ Py_tp_methods, session_methods },
	{ 0, NULL },
};

PyType_Spec session_spec = {
	.name = "perf.session",
	.basicsize = sizeof(struct session_object),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
	.slots = session_slots,
};
