/* SPDX-License-Identifier: MIT */
#include "script/trace-context.h"

#include "base/cleanup.h"
#include "script/python-load.h"
#include "script/python-script.h"

#if HAVE_LIBPYTHON

static PyMethodDef methods[] = {
	{ 0 },
};

static struct PyModuleDef module = {
	PyModuleDef_HEAD_INIT, .m_name = "perf_trace_context", .m_doc = "",
	.m_size = -1,          .m_methods = methods,
};

static PyObject *make_module(void)
{
	return PyModule_Create(&module);
}

void trace_context_register(void)
{
	PyImport_AppendInittab("perf_trace_context", make_module);
}

PyObject *trace_context_new(struct python_script *s)
{
	_cleanup_(python_unrefp) PyObject *m = PyImport_ImportModule("perf_trace_context");
	PyObject *context = m ? PyCapsule_New(s, NULL, NULL) : NULL;

	if (!context || PyObject_SetAttrString(m, "perf_script_context", context) < 0)
		return NULL;
	return context;
}

#endif
