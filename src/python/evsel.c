/* SPDX-License-Identifier: MIT */
#include "python/evsel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/event.h"
#include "kernel/pmu.h"
#include "kernel/tracefs.h"
#include "python/counts.h"
#include "python/maps.h"
#include "session/event-name.h"
#include "session/session.h"
#include "tracepoint/format.h"

/* The default of perf.evsel() for the sample type. */
#define SAMPLE_TYPE_DEFAULT (PERF_SAMPLE_PERIOD | PERF_SAMPLE_TID)

static struct evsel_object *python_evsel_of(PyObject *o)
{
	return (struct evsel_object *)o;
}

static void evsel_dealloc(PyObject *self)
{
	struct evsel_object *e = python_evsel_of(self);

	live_event_done(&e->event);
	free(e->pmu);
	free(e->unit);
	Py_XDECREF(e->cpus);
	Py_XDECREF(e->threads);
	tracepoint_format_free(e->format);
	module_release(self);
}

/* Returns the PMU of a type, with its name in sysfs. */
static char *pmu_of_type(uint32_t type)
{
	static const char *const names[] = {
		[PERF_TYPE_HARDWARE] = "cpu",
		[PERF_TYPE_SOFTWARE] = "software",
		[PERF_TYPE_TRACEPOINT] = "tracepoint",
		[PERF_TYPE_HW_CACHE] = "cpu",
		[PERF_TYPE_RAW] = "cpu",
		[PERF_TYPE_BREAKPOINT] = "breakpoint",
	};
	struct pmu_list *list;
	char *name = NULL;

	if (type < ARRAY_SIZE(names))
		return xstrdup(names[type]);
	list = pmu_list_open(PMU_DEVICES);
	for (size_t i = 0; i < pmu_list_count(list) && !name; i++) {
		const struct pmu *p = pmu_list_get(list, i);

		if (p && p->type == type)
			name = xstrdup(p->name);
	}
	pmu_list_free(list);
	return name ? name : xasprintf("%u", type);
}

static void name_event(struct evsel_object *e)
{
	char *name = event_name_derive(&e->event.attr);

	/* Modifiers follow from the exclusions; they are not part of the name. */
	name[strcspn(name, ":")] = '\0';
	free(e->event.name);
	e->event.name = name;
	free(e->pmu);
	e->pmu = pmu_of_type(e->event.attr.type);
}

/* Sets the member @name of @attr. false: there is none. */
static bool set_attr(struct attr *attr, const char *name, unsigned long long value)
{
#define ATTR_WORD(member)                                                                          \
	if (!strcmp(name, #member)) {                                                              \
		attr->member = (__typeof__(attr->member + 0))value;                                \
		return true;                                                                       \
	}
#include "python/attr-words.def"
#undef ATTR_WORD
	/*
	 * The position of the event among others. Programs for 6.1 pass it, and it has no effect.
	 */
	return !strcmp(name, "idx");
}

static const char *const attr_words[] = {
#define ATTR_WORD(member) #member,
#include "python/attr-words.def"
#undef ATTR_WORD
};

static bool evsel_take_word(struct attr *attr, const char *name, PyObject *value)
{
	unsigned long long number = PyLong_AsUnsignedLongLongMask(value);

	if (PyErr_Occurred())
		return false;
	if (set_attr(attr, name, number))
		return true;
	PyErr_Format(PyExc_TypeError, "this function got an unexpected keyword argument '%s'",
		     name);
	return false;
}

static bool evsel_take_words(struct attr *attr, PyObject *args, PyObject *kwargs)
{
	PyObject *key, *value;
	Py_ssize_t at = 0;

	if ((size_t)PyTuple_Size(args) > ARRAY_SIZE(attr_words)) {
		PyErr_SetString(PyExc_TypeError, "too many arguments");
		return false;
	}
	for (Py_ssize_t i = 0; i < PyTuple_Size(args); i++)
		if (!evsel_take_word(attr, attr_words[i], PyTuple_GetItem(args, i)))
			return false;
	while (kwargs && PyDict_Next(kwargs, &at, &key, &value)) {
		PyObject *bytes = PyUnicode_AsUTF8String(key);
		bool fine = bytes && evsel_take_word(attr, PyBytes_AsString(bytes), value);

		Py_XDECREF(bytes);
		if (!fine)
			return false;
	}
	return true;
}

static int evsel_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	struct evsel_object *e = python_evsel_of(self);
	struct attr attr = { .type = PERF_TYPE_HARDWARE,
			     .size = sizeof(struct attr),
			     .sample_type = SAMPLE_TYPE_DEFAULT };

	if (!evsel_take_words(&attr, args, kwargs))
		return -1;
	live_event_close(&e->event);
	tracepoint_format_free(TAKE(e->format));
	e->format_tried = false;
	e->event.attr = attr;
	e->scale = 1;
	e->tracking = true;
	name_event(e);
	return 0;
}

PyObject *evsel_new(const struct event *event)
{
	struct evsel_object *e = module_new(TYPE_EVSEL);

	if (!e)
		return NULL;
	e->event.attr = event->attr;
	e->event.attr.size = sizeof(struct attr);
	e->event.name = xstrdup(event->name);
	e->pmu = event->pmu ? xstrdup(event->pmu->name) : pmu_of_type(event->attr.type);
	e->unit = xstrdup(event->unit ? event->unit : "");
	e->scale = event->scale ? event->scale : 1;
	e->leader = event->leader;
	return (PyObject *)e;
}

PyObject *evsel_new_recorded(const struct session_event *event)
{
	struct evsel_object *e = module_new(TYPE_EVSEL);

	if (!e)
		return NULL;
	e->event.attr = event->attr;
	e->event.name = xstrdup(event->name);
	e->pmu = event->attr.type <= PERF_TYPE_BREAKPOINT ? pmu_of_type(event->attr.type)
							  : xasprintf("%u", event->attr.type);
	e->unit = xstrdup(event->unit);
	e->scale = event->scale ? event->scale : 1;
	e->leader = event->leader;
	return (PyObject *)e;
}

/*
 * Finds the tracepoint of @id, or the one with the name @name; reads thousands of files if
 * necessary.
 */
static char *evsel_find_format(const struct tracefs *t, const char *name, uint64_t id)
{
	_cleanup_(name_list_done) struct name_list systems = { 0 };
	const char *colon = strchr(name, ':');
	char *text = NULL;

	if (colon) {
		_cleanup_(freep) char *system = xstrndup(name, (size_t)(colon - name));
		uint64_t found;

		if (tracefs_event_id(t, system, colon + 1, &found) >= 0 && found == id &&
		    tracefs_event_format(t, system, colon + 1, &text) >= 0)
			return text;
	}
	tracefs_systems(t, &systems);
	for (size_t i = 0; i < systems.n && !text; i++) {
		_cleanup_(name_list_done) struct name_list events = { 0 };
		uint64_t found;

		tracefs_events(t, systems.items[i], &events);
		for (size_t j = 0; j < events.n && !text; j++)
			if (tracefs_event_id(t, systems.items[i], events.items[j], &found) >= 0 &&
			    found == id)
				tracefs_event_format(t, systems.items[i], events.items[j], &text);
	}
	return text;
}

const struct tracepoint_format *evsel_format(PyObject *o)
{
	struct evsel_object *e = python_evsel_of(o);
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(tracefs_freep) struct tracefs *t = NULL;
	_cleanup_(freep) char *text = NULL;

	if (e->format || e->format_tried || e->event.attr.type != PERF_TYPE_TRACEPOINT)
		return e->format;
	e->format_tried = true;
	if (tracefs_open(NULL, &t, &diag) >= 0)
		text = evsel_find_format(t, e->event.name, e->event.attr.config);
	if (text)
		tracepoint_format_parse(text, &e->format, &diag);
	return e->format;
}

bool evsel_open_at(struct evsel_object *e, PyObject *cpus, PyObject *threads,
		   const struct evsel_object *leader, bool inherit)
{
	static const int any[] = { -1 };
	const struct int_list anywhere = { .items = (int *)any, .n = 1 };
	const struct live_place where = { .cpus = cpus ? map_list(cpus) : &anywhere,
					  .threads = threads ? map_list(threads) : &anywhere,
					  .leader = leader ? &leader->event : NULL,
					  .inherit = inherit };
	struct diag diag = { 0 };
	int r;

	if (!e->event.name)
		name_event(e);
	r = live_event_open(&e->event, &where, &diag);
	if (r < 0)
		module_fail(r, &diag);
	else
		diag_done(&diag);
	return r >= 0;
}

/* Replaces the object to which *@at refers. */
static void evsel_keep(PyObject **at, PyObject *o)
{
	Py_XINCREF(o);
	Py_XDECREF(*at);
	*at = o;
}

static PyObject *evsel_open(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "cpus", "threads", "group", "inherit", NULL };
	struct evsel_object *e = python_evsel_of(self);
	PyObject *cpus = NULL, *threads = NULL;
	int group = 0, inherit = 0;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOii", names, &cpus, &threads, &group,
					 &inherit))
		return NULL;
	cpus = cpus == Py_None ? NULL : cpus;
	threads = threads == Py_None ? NULL : threads;
	if ((cpus && !module_is(cpus, TYPE_CPU_MAP)) ||
	    (threads && !module_is(threads, TYPE_THREAD_MAP))) {
		PyErr_SetString(PyExc_TypeError, "cpus must be a cpu_map and threads a thread_map");
		return NULL;
	}
	cpus = cpus ? cpus : e->cpus;
	threads = threads ? threads : e->threads;
	if (!evsel_open_at(e, cpus, threads, NULL, inherit))
		return NULL;
	evsel_keep(&e->cpus, cpus);
	evsel_keep(&e->threads, threads);
	return module_none();
}

static PyObject *evsel_map_of(PyObject *map, enum module_type type, const struct int_list *list)
{
	static const int any[] = { -1 };
	const struct int_list anywhere = { .items = (int *)any, .n = 1 };

	if (!map)
		return map_new(type, list->n ? list : &anywhere);
	Py_INCREF(map);
	return map;
}

static PyObject *evsel_cpus(PyObject *self, PyObject *unused)
{
	struct evsel_object *e = python_evsel_of(self);

	(void)unused;
	return evsel_map_of(e->cpus, TYPE_CPU_MAP, &e->event.cpus);
}

static PyObject *evsel_threads(PyObject *self, PyObject *unused)
{
	struct evsel_object *e = python_evsel_of(self);

	(void)unused;
	return evsel_map_of(e->threads, TYPE_THREAD_MAP, &e->event.threads);
}

bool evsel_read_at(const struct evsel_object *e, int cpu, int thread, struct live_count *ret)
{
	long c = int_list_find(&e->event.cpus, cpu), t = int_list_find(&e->event.threads, thread);
	struct diag diag = { 0 };
	int r;

	if (!live_event_is_open(&e->event)) {
		diag_set(&diag, -EBADF, "the event '%s' is not open", e->event.name);
		module_fail(-EBADF, &diag);
		return false;
	}
	if (c < 0 || t < 0) {
		PyErr_Format(PyExc_TypeError, "%s %d is not part of evsel's %s",
			     c < 0 ? "CPU" : "Thread", c < 0 ? cpu : thread,
			     c < 0 ? "CPUs" : "threads");
		return false;
	}
	r = live_event_read(&e->event, (size_t)c, (size_t)t, ret);
	if (r >= 0)
		return true;
	diag_set(&diag, r, "cannot read the count of '%s': %s", e->event.name, strerror(-r));
	module_fail(r, &diag);
	return false;
}

static PyObject *evsel_read(PyObject *self, PyObject *args, PyObject *kwargs)
{
	static char *names[] = { "cpu", "thread", NULL };
	struct live_count count;
	int cpu, thread;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "ii", names, &cpu, &thread) ||
	    !evsel_read_at(python_evsel_of(self), cpu, thread, &count))
		return NULL;
	return counts_new(&count);
}

PyObject *evsel_text(const struct evsel_object *e)
{
	PyObject *pmu = module_text(e->pmu ? e->pmu : ""),
		 *name = module_text(e->event.name ? e->event.name : ""), *text = NULL;

	if (pmu && name)
		text = PyUnicode_FromFormat("%U/%U/", pmu, name);
	Py_XDECREF(pmu);
	Py_XDECREF(name);
	return text;
}

static PyObject *evsel_repr(PyObject *self)
{
	PyObject *text = evsel_text(python_evsel_of(self)), *repr = NULL;

	if (text)
		repr = PyUnicode_FromFormat("evsel(%U)", text);
	Py_XDECREF(text);
	return repr;
}

/* The members of attr that are Python attributes. */
enum attr_member {
	MEMBER_TYPE,
	MEMBER_SIZE,
	MEMBER_CONFIG,
	MEMBER_PERIOD,
	MEMBER_SAMPLE_TYPE,
	MEMBER_READ_FORMAT,
	MEMBER_WAKEUP,
};

static PyObject *get_member(PyObject *self, void *closure)
{
	const struct attr *a = &python_evsel_of(self)->event.attr;

	switch ((enum attr_member)(uintptr_t)closure) {
	case MEMBER_TYPE:
		return PyLong_FromUnsignedLong(a->type);
	case MEMBER_SIZE:
		return PyLong_FromUnsignedLong(a->size);
	case MEMBER_CONFIG:
		return PyLong_FromUnsignedLongLong(a->config);
	case MEMBER_PERIOD:
		return PyLong_FromUnsignedLongLong(a->sample_period);
	case MEMBER_SAMPLE_TYPE:
		return PyLong_FromUnsignedLongLong(a->sample_type);
	case MEMBER_READ_FORMAT:
		return PyLong_FromUnsignedLongLong(a->read_format);
	default:
		return PyLong_FromUnsignedLong(a->wakeup_events);
	}
}

static int evsel_set_member(PyObject *self, PyObject *value, void *closure)
{
	struct attr *a = &python_evsel_of(self)->event.attr;
	uint64_t n;

	if (!module_number(value, &n))
		return -1;
	switch ((enum attr_member)(uintptr_t)closure) {
	case MEMBER_TYPE:
		a->type = (uint32_t)n;
		break;
	case MEMBER_SIZE:
		a->size = (uint32_t)n;
		break;
	case MEMBER_CONFIG:
		a->config = n;
		break;
	case MEMBER_PERIOD:
		a->sample_period = n;
		break;
	case MEMBER_SAMPLE_TYPE:
		a->sample_type = n;
		break;
	case MEMBER_READ_FORMAT:
		a->read_format = n;
		break;
	default:
		a->wakeup_events = (uint32_t)n;
	}
	return 0;
}

static PyObject *get_tracking(PyObject *self, void *unused)
{
	(void)unused;
	return PyBool_FromLong(python_evsel_of(self)->tracking);
}

static int set_tracking(PyObject *self, PyObject *value, void *unused)
{
	int yes = value ? PyObject_IsTrue(value) : -1;

	(void)unused;
	if (!value)
		PyErr_SetString(PyExc_TypeError, "it cannot be deleted");
	if (yes >= 0)
		python_evsel_of(self)->tracking = yes;
	return yes < 0 ? -1 : 0;
}

static PyObject *evsel_get_name(PyObject *self, void *unused)
{
	(void)unused;
	return module_text(python_evsel_of(self)->event.name ? python_evsel_of(self)->event.name
							     : "");
}

static PyObject *get_unit(PyObject *self, void *unused)
{
	(void)unused;
	return module_text(python_evsel_of(self)->unit ? python_evsel_of(self)->unit : "");
}

static PyObject *get_scale(PyObject *self, void *unused)
{
	(void)unused;
	return PyFloat_FromDouble(python_evsel_of(self)->scale);
}

#define MEMBER(name, which, doc)                                                                   \
	{                                                                                          \
		name, get_member, evsel_set_member, doc, (void *)(uintptr_t)(which)                \
	}

static PyGetSetDef evsel_attributes[] = {
	MEMBER("type", MEMBER_TYPE, "attribute type."),
	MEMBER("size", MEMBER_SIZE, "attribute size."),
	MEMBER("config", MEMBER_CONFIG, "attribute config."),
	MEMBER("sample_period", MEMBER_PERIOD, "attribute sample_period."),
	MEMBER("sample_type", MEMBER_SAMPLE_TYPE, "attribute sample_type."),
	MEMBER("read_format", MEMBER_READ_FORMAT, "attribute read_format."),
	MEMBER("wakeup_events", MEMBER_WAKEUP, "attribute wakeup_events."),
	{ "tracking", get_tracking, set_tracking, "tracking event.", NULL },
	{ "name", evsel_get_name, NULL, "what perf calls it", NULL },
	{ "unit", get_unit, NULL, "unit of the scaled count", NULL },
	{ "scale", get_scale, NULL, "what a count is multiplied by", NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};

#define WITH_KEYWORDS(f) (PyCFunction)(void (*)(void)) f, METH_VARARGS | METH_KEYWORDS

static PyMethodDef evsel_methods[] = {
	{ "open", WITH_KEYWORDS(evsel_open), "open the event selector file descriptor table." },
	{ "cpus", evsel_cpus, METH_NOARGS, "CPUs the event is to be used with." },
	{ "threads", evsel_threads, METH_NOARGS, "threads the event is to be used with." },
	{ "read", WITH_KEYWORDS(evsel_read), "read counters" },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot evsel_slots[] = {
	{ Py_tp_doc, "perf event selector object: evsel(type=..., config=..., ...)." },
	{ Py_tp_init, evsel_init },
	{ Py_tp_dealloc, evsel_dealloc },
	{ Py_tp_repr, evsel_repr },
	{ Py_tp_methods, evsel_methods },
	{ Py_tp_getset, evsel_attributes },
	{ 0, NULL },
};

PyType_Spec evsel_spec = {
	.name = "perf.evsel",
	.basicsize = sizeof(struct evsel_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = evsel_slots,
};
