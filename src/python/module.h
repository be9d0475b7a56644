/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the files of the module share: its types, and how errors, texts and options become Python's.
 *
 * Functions that return PyObject * return a new reference, or NULL with an exception set. The
 * module's own state hangs on the module (PyState_FindModule()), so there are no globals.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/python.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

struct diag;
struct notes;

enum module_type {
	TYPE_TABLE,
	TYPE_COLUMN,
	TYPE_BUFFER,
	TYPE_CPU_MAP,
	TYPE_THREAD_MAP,
	TYPE_EVSEL,
	TYPE_EVLIST,
	TYPE_COUNTS_VALUES,
	TYPE_MMAP_EVENT,
	TYPE_LOST_EVENT,
	TYPE_COMM_EVENT,
	TYPE_TASK_EVENT,
	TYPE_THROTTLE_EVENT,
	TYPE_READ_EVENT,
	TYPE_SAMPLE_EVENT,
	TYPE_CONTEXT_SWITCH_EVENT,
	TYPE_CALLCHAIN_NODE,
	TYPE_BRANCH_ENTRY,
	TYPE_DATA,
	TYPE_SESSION,
	TYPE_THREAD,
	TYPE_PMU,
	N_MODULE_TYPES,
};

struct module_state {
	PyObject *types[N_MODULE_TYPES];
	PyObject *error; /* perf.error: an OSError that is a ValueError, too */
};

/* That of the module; NULL with an exception set: the interpreter is going down. */
struct module_state *module_state(void);

/* A new, zeroed object of the type; NULL: memory is gone. */
void *module_new(enum module_type type);

/* Is @o of the type? */
bool module_is(PyObject *o, enum module_type type);

/* The end of every tp_dealloc: gives back the object and its type. */
void module_release(PyObject *self);

/*
 * Raises what @diag says for @error, a negative errno: OSError (FileNotFoundError, ...) for what
 * the kernel refused, perf.error for what makes no sense. Returns NULL. @diag is emptied.
 */
PyObject *module_fail(int error, struct diag *diag);

/* Texts of the outside: bytes that are no UTF-8 become \xNN. NULL becomes None. */
PyObject *module_text(const char *s);
PyObject *module_text_bytes(const char *s, size_t n);

/* A tuple of the sentences of @notes. */
PyObject *module_notes(const struct notes *notes);

PyObject *module_none(void);

/* The UTF-8 of a str, or of what os.fspath() takes; *@owner keeps it. NULL: an exception is set. */
const char *module_path(PyObject *o, PyObject **owner);

/* Texts that were given as a str or a sequence of str. `{ 0 }` is empty. */
struct module_texts {
	const char **items;
	size_t n, room;
	PyObject *owner; /* a tuple that keeps them */
};

/* @o may be NULL or None: none. false: an exception is set. @what is named in it. */
bool module_texts_parse(PyObject *o, const char *what, struct module_texts *ret);
void module_texts_done(struct module_texts *t);

/*
 * Calls @work in a thread of its own, without the GIL, and waits for it. If the handler of a signal
 * raises (Ctrl-C), *@stop becomes true, and @work has a moment to end.
 */
enum module_wait {
	WAIT_DONE,
	WAIT_RAISED,    /* an exception is set; @work has ended */
	WAIT_ABANDONED, /* the same, but it waits for data that does not come: @arg stays in use */
};

enum module_wait module_wait_for(void (*work)(void *arg), void *arg, atomic_bool *stop);

/* Specs of the types, in their files. */
extern PyType_Spec table_spec, column_spec, buffer_spec;
extern PyType_Spec cpu_map_spec, thread_map_spec, evsel_spec, evlist_spec, counts_values_spec;
extern PyType_Spec mmap_event_spec, lost_event_spec, comm_event_spec, task_event_spec,
	throttle_event_spec, read_event_spec, context_switch_event_spec;
extern PyType_Spec sample_event_spec, callchain_node_spec, branch_entry_spec;
extern PyType_Spec data_spec, session_spec, thread_spec, pmu_spec;

/* Functions of the module, in their files. */
PyObject *module_columns(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *module_column_fields(PyObject *self, PyObject *unused);
PyObject *module_parse_events(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *module_parse_metrics(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *module_metrics(PyObject *self, PyObject *unused);
PyObject *module_pmus(PyObject *self, PyObject *unused);
PyObject *module_tracepoint(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *module_syscall_name(PyObject *self, PyObject *args, PyObject *kwargs);
PyObject *module_syscall_id(PyObject *self, PyObject *args, PyObject *kwargs);
#endif
