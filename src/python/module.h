/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The declarations that the files of the module share: its types, and the conversion of errors,
 * texts and options to Python's.
 *
 * Functions that return PyObject * return a new reference, or NULL with an exception set. The
 * module object holds the module's state (PyState_FindModule()), so there are no globals.
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
	PyObject *error; /* perf.error: an OSError that is a ValueError too */
};

/* Returns the module's state; NULL with an exception set: the interpreter is shutting down. */
struct module_state *module_state(void);

/* Returns a new, zeroed object of the type; NULL: out of memory. */
void *module_new(enum module_type type);

/* True if @o is of the type. */
bool module_is(PyObject *o, enum module_type type);

/* Ends every tp_dealloc: frees the object and releases its type. */
void module_release(PyObject *self);

/*
 * Raises the error @error, a negative errno, with the text of @diag: OSError (FileNotFoundError,
 * ...) if the kernel refused something, perf.error if the arguments make no sense. Returns NULL.
 * @diag is emptied.
 */
PyObject *module_fail(int error, struct diag *diag);

/* Returns python_text() of a string; NULL becomes None. */
PyObject *module_text(const char *s);

/* Set an item of a new list or tuple, and take its reference. NULL: the whole becomes NULL. */
void module_list_put(PyObject **list, size_t i, PyObject *item);
void module_tuple_put(PyObject **tuple, size_t i, PyObject *item);

/* Gets the number to which an attribute is set. false: an exception is set. */
bool module_number(PyObject *value, uint64_t *ret);

/* Returns a tuple of the sentences of @notes. */
PyObject *module_notes(const struct notes *notes);

PyObject *module_none(void);

/*
 * Returns the UTF-8 of a str, or of an object that os.fspath() accepts; *@owner keeps it alive.
 * NULL: an exception is set.
 */
const char *module_path(PyObject *o, PyObject **owner);

/* Texts that were given as a str or a sequence of str. `{ 0 }` is empty. */
struct module_texts {
	const char **items;
	size_t n, room;
	PyObject *owner; /* a tuple that keeps them alive */
};

/*
 * Parses @o, which may be NULL or None: no texts. false: an exception is set, which mentions @what.
 */
bool module_texts_parse(PyObject *o, const char *what, struct module_texts *ret);
void module_texts_done(struct module_texts *t);

/*
 * Calls @work in a thread of its own, without the GIL, and waits for it. If a signal handler raises
 * an exception (Ctrl-C), *@stop becomes true, and @work has a moment to end.
 */
enum module_wait {
	WAIT_DONE,
	WAIT_RAISED,    /* an exception is set; @work has ended */
	WAIT_ABANDONED, /* the same, but @work waits for data, so @arg stays in use */
};

enum module_wait module_wait_for(void (*work)(void *arg), void *arg, atomic_bool *stop);

/* The specs of the types, which are in their own files. */
extern PyType_Spec table_spec, column_spec, buffer_spec;
extern PyType_Spec cpu_map_spec, thread_map_spec, evsel_spec, evlist_spec, counts_values_spec;
extern PyType_Spec mmap_event_spec, lost_event_spec, comm_event_spec, task_event_spec,
	throttle_event_spec, read_event_spec, context_switch_event_spec;
extern PyType_Spec sample_event_spec, callchain_node_spec, branch_entry_spec;
extern PyType_Spec data_spec, session_spec, thread_spec, pmu_spec;

/* The functions of the module, which are in their own files. */
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
