/* SPDX-License-Identifier: MIT */
#include "tools/script/python/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/event-switch.h"
#include "session/machine.h"
#include "session/sample-filter.h"
#include "session/sample-hook.h"
#include "symbol/text-files.h"
#include "tools/script/python/events.h"
#include "tools/script/python/interrupt.h"
#include "tools/script/python/load.h"
#include "tools/script/python/records.h"
#include "tools/script/python/script.h"
#include "tools/script/python/text.h"
#include "tools/script/python/trace-context.h"

/* The maximum size of a script. A longer file is something else. */
#define SCRIPT_BYTES_MAX (16 << 20)

static bool python_run_has_end(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && !strcmp(name + n - m, end);
}

static int python_run_refuse_perl(struct diag *diag)
{
	diag_set(diag, -EOPNOTSUPP, "Perl scripts cannot be run: perf runs Python scripts");
	diag_hint(diag, "use the Python script of the same purpose: `perf script --list' shows "
			"those that come with perf");
	return -EOPNOTSUPP;
}

static int refuse_language(const char *name, size_t language, struct diag *diag)
{
	if (language) {
		diag_set(diag, -EINVAL, "'%.*s' is not a language that perf runs", (int)language,
			 name);
		diag_hint(diag, "scripts are written in Python: -s python:FILE, or -s FILE.py");
		return -EINVAL;
	}
	diag_set(diag, -EINVAL, "the name of '%s' does not show its language", name);
	diag_hint(diag, "if it is Python, say so: -s python:%s", name);
	return -EINVAL;
}

static bool is_language(const char *name, size_t n, const char *language, const char *end)
{
	return (n == strlen(language) && !strncasecmp(name, language, n)) ||
	       (n == strlen(end) && !strncasecmp(name, end, n));
}

int python_script_path(const char *name, const char **ret_path, struct diag *diag)
{
	const char *colon = strchr(name, ':');
	size_t n = colon ? (size_t)(colon - name) : 0;

	if (is_language(name, n, "python", "py")) {
		*ret_path = colon + 1;
		return 0;
	}
	if (is_language(name, n, "perl", "pl") || python_run_has_end(name, ".pl"))
		return python_run_refuse_perl(diag);
	/* A path may contain a colon. */
	if (!python_run_has_end(name, ".py"))
		return refuse_language(name, n, diag);
	*ret_path = name;
	return 0;
}

#if HAVE_LIBPYTHON

PyObject *python_handler(const struct python_script *s, const char *name)
{
	PyObject *f = PyDict_GetItemString(s->globals, name);

	if (!f || !PyCallable_Check(f))
		return NULL;
	Py_INCREF(f);
	return f;
}

static long long_attribute(PyObject *o, const char *name)
{
	_cleanup_(python_unrefp) PyObject *v = PyObject_GetAttrString(o, name);
	long n = v ? PyLong_AsLong(v) : -1;

	if (PyErr_Occurred())
		PyErr_Clear();
	return n;
}

int python_parameters(PyObject *f, bool *ret_any)
{
	enum {
		CO_HAS_VARARGS = 4
	};
	_cleanup_(python_unrefp) PyObject *code = PyObject_GetAttrString(f, "__code__");
	long n = -1, flags = CO_HAS_VARARGS;

	if (code) {
		n = long_attribute(code, "co_argcount");
		flags = long_attribute(code, "co_flags");
	} else {
		PyErr_Clear();
	}
	/* The first parameter of a method is the object. */
	if (n > 0 && PyObject_HasAttrString(f, "__self__"))
		n--;
	*ret_any = flags & CO_HAS_VARARGS;
	return n > INT_MAX ? -1 : (int)n;
}

/* Returns the exit status that sys.exit(@code) means. */
static int python_run_status_of(PyObject *code)
{
	_cleanup_(python_unrefp) PyObject *none = python_none();
	PyObject *err = PySys_GetObject("stderr");
	_cleanup_(python_unrefp) PyObject *text = NULL, *result = NULL, *write = NULL;
	long n;

	if (!code || code == none)
		return 0;
	n = PyLong_AsLong(code);
	if (!PyErr_Occurred())
		return (int)(n & 0xff);
	PyErr_Clear();
	text = PyObject_Str(code);
	write = err ? PyObject_GetAttrString(err, "write") : NULL;
	result = text && write ? python_vectorcall(write, &text, 1) : NULL;
	if (result) {
		_cleanup_(python_unrefp) PyObject *newline = python_string("\n");

		Py_XDECREF(python_vectorcall(write, &newline, 1));
	}
	PyErr_Clear();
	return 1;
}

/* Handles sys.exit() in the script, because Python's PyErr_Print() would end the process. */
static void python_run_take_exit(struct python_script *s)
{
	PyObject *kind, *value, *trace;
	_cleanup_(python_unrefp) PyObject *code = NULL;

	PyErr_Fetch(&kind, &value, &trace);
	PyErr_NormalizeException(&kind, &value, &trace);
	code = value ? PyObject_GetAttrString(value, "code") : NULL;
	PyErr_Clear();
	s->status = python_run_status_of(code);
	Py_XDECREF(kind);
	Py_XDECREF(value);
	Py_XDECREF(trace);
}

static char *moment_text(const struct python_moment *at)
{
	_cleanup_(freep) char *cpu = at->cpu == UINT32_MAX ? xstrdup("")
							   : xasprintf(", CPU %" PRIu32, at->cpu);

	return xasprintf("the script failed at %s, time %" PRIu64 ".%09" PRIu64 "%s, pid %d",
			 at->what, at->time / 1000000000, at->time % 1000000000, cpu, (int)at->pid);
}

int python_take_error(struct python_script *s)
{
	if (s->ended) {
		PyErr_Clear();
		return -ECANCELED;
	}
	/* Ctrl-C was pressed while the callback ran, so trace_end() comes next. */
	if (python_interrupted() && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
		PyErr_Clear();
		return -ECANCELED;
	}
	s->ended = true;
	if (PyErr_ExceptionMatches(PyExc_SystemExit)) {
		python_run_take_exit(s);
		return -ECANCELED;
	}
	s->status = 1;
	PyErr_Print();
	if (s->at.what && !s->where)
		s->where = moment_text(&s->at);
	return -ECANCELED;
}

int python_call(struct python_script *s, PyObject *f, PyObject *const *args, size_t n)
{
	PyObject *result = NULL;

	for (size_t i = 0; i < n; i++)
		if (!args[i])
			return python_take_error(s);
	result = python_vectorcall(f, args, n);
	if (!result)
		return python_take_error(s);
	Py_DECREF(result);
	if (python_interrupted()) {
		python_interrupt_drop();
		return -ECANCELED;
	}
	return 0;
}

int python_call_take(struct python_script *s, PyObject *f, PyObject **args, size_t n)
{
	int r = python_call(s, f, args, n);

	for (size_t i = 0; i < n; i++)
		Py_XDECREF(args[i]);
	return r;
}

/* Calls trace_begin() or trace_end(), if the script has it. */
static int call_plain(struct python_script *s, const char *name)
{
	_cleanup_(python_unrefp) PyObject *f = python_handler(s, name);

	s->at = (struct python_moment){ 0 };
	return f ? python_call(s, f, NULL, 0) : 0;
}

static int read_script(const char *path, char **ret, struct diag *diag)
{
	_cleanup_(freep) char *text = NULL;
	size_t n;
	int r = file_read(AT_FDCWD, path, SCRIPT_BYTES_MAX, &text, &n);

	if (r < 0)
		return diag_set(diag, r, "cannot read the script '%s': %s", path, strerror(-r));
	if (strlen(text) != n)
		return diag_set(diag, -EINVAL, "'%s' is not a Python script: it has a NUL byte",
				path);
	*ret = TAKE(text);
	return 0;
}

static void set_argv(const struct python_request *rq)
{
	_cleanup_(python_unrefp) PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i <= rq->n_arguments; i++) {
		const char *word = i ? rq->arguments[i - 1] : rq->path;
		_cleanup_(python_unrefp) PyObject *text = PyUnicode_DecodeFSDefault(word);

		if (text)
			PyList_Append(list, text);
	}
	if (list)
		PySys_SetObject("argv", list);
}

/* Puts the script's folder first, as in `python3 x.py`, so that modules in it can be imported. */
static void python_run_set_path(const char *path)
{
	_cleanup_(freep) char *real = realpath(path, NULL);
	char *slash = real ? strrchr(real, '/') : NULL;
	PyObject *list = PySys_GetObject("path");
	_cleanup_(python_unrefp) PyObject *folder = NULL;

	if (slash)
		slash[slash == real] = '\0';
	folder = PyUnicode_DecodeFSDefault(slash ? real : ".");
	if (folder && list)
		PyList_Insert(list, 0, folder);
}

/* Executes the text of the script as __main__. */
static int python_run_execute(struct python_script *s, const char *text)
{
	const char *path = s->request->path;
	_cleanup_(python_unrefp) PyObject *file = PyUnicode_DecodeFSDefault(path);
	_cleanup_(python_unrefp) PyObject *code = NULL, *result = NULL;
	PyObject *main_module = PyImport_AddModule("__main__");

	s->globals = main_module ? PyModule_GetDict(main_module) : NULL;
	if (!file || !s->globals)
		return python_take_error(s);
	set_argv(s->request);
	python_run_set_path(path);
	PyDict_SetItemString(s->globals, "__file__", file);
	code = Py_CompileString(text, path, Py_file_input);
	if (code)
		result = PyEval_EvalCode(code, s->globals, s->globals);
	/* trace_begin() expects it there. */
	if (result && s->context)
		PyDict_SetItemString(s->globals, "perf_script_context", s->context);
	return result ? 0 : python_take_error(s);
}

struct script_python_run {
	struct python_script script;
	struct event_switch between;
};

static int python_run_begin(void *arg, struct consumer *c)
{
	struct script_python_run *run = arg;
	struct python_script *s = &run->script;
	const struct python_request *rq = s->request;
	int r = event_switch_init(&run->between, s->session, rq->switch_on, rq->switch_off,
				  s->diag);

	run->between.shows = rq->show_switches;
	if (r < 0)
		return r;
	s->events = python_events_new(s);
	python_records_begin(s->records, c);
	return 0;
}

static bool python_run_passes(const struct python_script *s, const struct session_sample *ss)
{
	const struct sample_filter *f = s->request->filter;
	const struct sample *p = ss->sample;
	struct location loc;

	if (!f)
		return true;
	/* With a hook, samples of other times and CPUs were not filtered before. */
	if (s->request->hook && !sample_filter_passes_moment(f, ss->time, p->cpu))
		return false;
	if (!sample_filter_passes_task(f, p->pid, p->tid))
		return false;
	if (!sample_filter_passes_comm(f, machine_comm(s->session, p->pid, p->tid, ss->time)))
		return false;
	if (!sample_filter_has_places(f))
		return true;
	machine_resolve(s->session, p->pid, address_mode_of(p->misc), p->ip, ss->time, &loc);
	return sample_filter_passes_place(f, &loc);
}

static int python_run_take_sample(struct script_python_run *run, const struct session_sample *ss)
{
	struct python_script *s = &run->script;
	const struct sample_hook *hook = s->request->hook;
	int r = sample_hook_early(hook, ss);

	if (r)
		return r < 0 ? r : 0;
	if (!python_run_passes(s, ss) || event_switch_leaves_out(&run->between, ss->event))
		return 0;
	r = sample_hook_late(hook, ss);
	if (r)
		return r < 0 ? r : 0;
	s->at = (struct python_moment){ ss->event->name, ss->time, ss->sample->cpu,
					ss->sample->pid };
	r = python_records_sample(s->records, ss);
	if (r)
		return r < 0 ? r : 0;
	return python_events_sample(s->events, ss);
}

static int python_run_on_samples(void *arg, const struct sample_batch *b)
{
	int r = 0;

	for (size_t i = 0; !r && i < b->n; i++)
		r = python_interrupted() ? -ECANCELED : python_run_take_sample(arg, &b->items[i]);
	return r;
}

static int python_run_on_records(void *arg, const struct record_batch *b)
{
	struct script_python_run *run = arg;
	int r = 0;

	for (size_t i = 0; !r && i < b->n; i++)
		r = python_records_take(run->script.records, &b->items[i]);
	return r;
}

static int python_run_on_user(void *arg, const struct delivered *d)
{
	struct script_python_run *run = arg;

	return python_records_user(run->script.records, d);
}

static int python_run_feed(struct script_python_run *run, struct diag *diag)
{
	struct consumer c = {
		.order = CONSUMER_IN_ORDER,
		.on_this_thread = true,
		.filter = run->script.request->hook ? NULL : run->script.request->filter,
		.begin = python_run_begin,
		.samples = python_run_on_samples,
		.records = python_run_on_records,
		.user = python_run_on_user,
		.arg = run,
	};
	int r;

	python_records_begin(run->script.records, &c);
	r = session_feed(run->script.session, NULL, &c, diag);
	return r == -ECANCELED ? 0 : r;
}

/* Calls all callbacks of a script that has been executed. */
static int call_all(struct script_python_run *run, struct diag *diag)
{
	struct python_script *s = &run->script;
	int r;

	s->records = python_records_new(s);
	r = s->ended ? -ECANCELED : call_plain(s, "trace_begin");
	if (r >= 0)
		r = python_records_start(s->records);
	if (r >= 0)
		r = python_run_feed(run, diag);
	if (r == -ECANCELED && !s->ended)
		r = 0;
	python_interrupt_drop();
	if (r >= 0 && !s->ended)
		r = python_records_end(s->records);
	if (r >= 0 && !s->ended)
		call_plain(s, "trace_end");
	return r == -ECANCELED ? 0 : r;
}

int python_run(const struct python_request *rq, char **ret_at, struct diag *diag)
{
	struct script_python_run run = {
		.script = { .request = rq, .session = rq->session, .diag = diag }
	};
	struct python_script *s = &run.script;
	_cleanup_(freep) char *text = NULL;
	int r = read_script(rq->path, &text, diag);

	if (r >= 0)
		r = python_load(diag);
	if (r < 0)
		return r;
	trace_context_register();
	python_start();
	python_interrupt_watch();
	s->context = trace_context_new(s);
	if (!s->context)
		python_take_error(s);
	else if (python_run_execute(s, text) >= 0)
		r = call_all(&run, diag);
	python_events_free(s->events);
	python_records_free(s->records);
	Py_XDECREF(s->context);
	text_files_free(s->sources);
	/* The status of python3 when its standard output cannot be flushed. */
	if (Py_FinalizeEx() < 0 && !s->status)
		s->status = 120;
	*ret_at = TAKE(s->where);
	return r < 0 ? r : s->status;
}

#else

int python_run(const struct python_request *rq, char **ret_at, struct diag *diag)
{
	(void)rq;
	*ret_at = NULL;
	return python_load(diag);
}

#endif
