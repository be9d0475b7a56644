/* SPDX-License-Identifier: MIT */
/*
 * The Python module `perf`: its functions, types and constants.
 */
#include "python/module.h"

#include <string.h>

#include "base/cleanup.h"
#include "wire/record.h"
#include <version.h>

#define MODULE_DOC                                                                                 \
	"Linux performance events: counting and sampling live, reading recordings, and whole\n"    \
	"columns of samples for NumPy, pandas, polars and Arrow. See perf-python(1)."

#define WITH_KEYWORDS(f) (PyCFunction)(void (*)(void)) f, METH_VARARGS | METH_KEYWORDS

static PyMethodDef functions[] = {
	{ "columns", WITH_KEYWORDS(module_columns),
	  "columns(path='perf.data', fields=None, *, event=None, time=None, cpu=None, pid=None,\n"
	  "        tid=None, comm=None, dso=None, symbol=None, symfs=None, vmlinux=None,\n"
	  "        kallsyms=None, max_stack=127, force=False)\n"
	  "--\n\n"
	  "Read the samples of a recording into a table with one column for each field." },
	{ "column_fields", module_column_fields, METH_NOARGS,
	  "The names of fields that columns() takes, beside the fields of tracepoints." },
	{ "parse_events", WITH_KEYWORDS(module_parse_events),
	  "parse_events(events, cpus=None, threads=None)\n"
	  "--\n\n"
	  "Parse a string of events and return an evlist." },
	{ "parse_metrics", WITH_KEYWORDS(module_parse_metrics),
	  "parse_metrics(metrics, cpus=None, threads=None)\n"
	  "--\n\n"
	  "Parse a string of metrics or metric groups and return an evlist." },
	{ "metrics", module_metrics, METH_NOARGS,
	  "Returns a list of metrics represented as string values in dictionaries." },
	{ "pmus", module_pmus, METH_NOARGS, "Returns a sequence of pmus." },
	{ "tracepoint", WITH_KEYWORDS(module_tracepoint), "Get tracepoint config." },
	{ "syscall_name", WITH_KEYWORDS(module_syscall_name),
	  "The name of a system call of this machine; None: there is none." },
	{ "syscall_id", WITH_KEYWORDS(module_syscall_id),
	  "The number of a system call of this machine." },
	{ NULL, NULL, 0, NULL },
};

static int state_traverse(PyObject *module, visitproc visit, void *arg)
{
	struct module_state *state = PyModule_GetState(module);

	for (size_t i = 0; state && i < N_MODULE_TYPES; i++)
		Py_VISIT(state->types[i]);
	if (state)
		Py_VISIT(state->error);
	return 0;
}

static int state_clear(PyObject *module)
{
	struct module_state *state = PyModule_GetState(module);

	for (size_t i = 0; state && i < N_MODULE_TYPES; i++)
		Py_CLEAR(state->types[i]);
	if (state)
		Py_CLEAR(state->error);
	return 0;
}

static void state_free(void *module)
{
	state_clear(module);
}

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,  .m_name = "perf",
	.m_doc = MODULE_DOC,    .m_size = sizeof(struct module_state),
	.m_methods = functions, .m_traverse = state_traverse,
	.m_clear = state_clear, .m_free = state_free,
};

struct module_state *module_state(void)
{
	PyObject *module = PyState_FindModule(&definition);

	if (!module) {
		PyErr_SetString(PyExc_RuntimeError, "the module perf is not loaded any more");
		return NULL;
	}
	return PyModule_GetState(module);
}

void *module_new(enum module_type type)
{
	struct module_state *state = module_state();

	return state ? PyType_GenericAlloc((PyTypeObject *)state->types[type], 0) : NULL;
}

bool module_is(PyObject *o, enum module_type type)
{
	struct module_state *state = module_state();

	return state && PyObject_TypeCheck(o, (PyTypeObject *)state->types[type]);
}

void module_release(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	release(self);
	Py_DECREF(type);
}

static PyType_Spec *const specs[N_MODULE_TYPES] = {
	[TYPE_TABLE] = &table_spec,
	[TYPE_COLUMN] = &column_spec,
	[TYPE_BUFFER] = &buffer_spec,
	[TYPE_CPU_MAP] = &cpu_map_spec,
	[TYPE_THREAD_MAP] = &thread_map_spec,
	[TYPE_EVSEL] = &evsel_spec,
	[TYPE_EVLIST] = &evlist_spec,
	[TYPE_COUNTS_VALUES] = &counts_values_spec,
	[TYPE_MMAP_EVENT] = &mmap_event_spec,
	[TYPE_LOST_EVENT] = &lost_event_spec,
	[TYPE_COMM_EVENT] = &comm_event_spec,
	[TYPE_TASK_EVENT] = &task_event_spec,
	[TYPE_THROTTLE_EVENT] = &throttle_event_spec,
	[TYPE_READ_EVENT] = &read_event_spec,
	[TYPE_SAMPLE_EVENT] = &sample_event_spec,
	[TYPE_CONTEXT_SWITCH_EVENT] = &context_switch_event_spec,
	[TYPE_CALLCHAIN_NODE] = &callchain_node_spec,
	[TYPE_BRANCH_ENTRY] = &branch_entry_spec,
	[TYPE_DATA] = &data_spec,
	[TYPE_SESSION] = &session_spec,
	[TYPE_THREAD] = &thread_spec,
	[TYPE_PMU] = &pmu_spec,
};

static int module_add_types(PyObject *module, struct module_state *state)
{
	for (size_t i = 0; i < N_MODULE_TYPES; i++) {
		state->types[i] = PyType_FromSpec(specs[i]);
		if (!state->types[i])
			return -1;
		Py_INCREF(state->types[i]);
		if (PyModule_AddObject(module, strchr(specs[i]->name, '.') + 1, state->types[i]) <
		    0) {
			Py_DECREF(state->types[i]);
			return -1;
		}
	}
	/* 6.1's module also has it under this name. */
	Py_INCREF(state->types[TYPE_CONTEXT_SWITCH_EVENT]);
	if (PyModule_AddObject(module, "switch_event", state->types[TYPE_CONTEXT_SWITCH_EVENT]) <
	    0) {
		Py_DECREF(state->types[TYPE_CONTEXT_SWITCH_EVENT]);
		return -1;
	}
	return 0;
}

/* Adds perf.error, so that code which expects either of its bases catches it. */
static int module_add_error(PyObject *module, struct module_state *state)
{
	PyObject *bases = PyTuple_Pack(2, PyExc_OSError, PyExc_ValueError);

	if (bases)
		state->error = PyErr_NewExceptionWithDoc(
			"perf.error",
			"What was given, or what a recording contains, makes no sense.", bases,
			NULL);
	Py_XDECREF(bases);
	if (!state->error)
		return -1;
	Py_INCREF(state->error);
	if (PyModule_AddObject(module, "error", state->error) < 0) {
		Py_DECREF(state->error);
		return -1;
	}
	return 0;
}

static int add_constants(PyObject *module)
{
	static const struct {
		const char *name;
		long value;
	} constants[] = {
#define CONSTANT(name, value) { #name, (long)(value) },
#include "python/constants.def"
#undef CONSTANT
	};

	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		if (PyModule_AddIntConstant(module, constants[i].name, constants[i].value) < 0)
			return -1;
	return PyModule_AddStringConstant(module, "__version__", PERF_VERSION);
}

PyMODINIT_FUNC PyInit_perf(void);

PyMODINIT_FUNC PyInit_perf(void)
{
	PyObject *module = PyModule_Create(&definition);
	struct module_state *state = module ? PyModule_GetState(module) : NULL;

	if (module && module_add_error(module, state) >= 0 &&
	    module_add_types(module, state) >= 0 && add_constants(module) >= 0)
		return module;
	Py_XDECREF(module);
	return NULL;
}
