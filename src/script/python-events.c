/* SPDX-License-Identifier: MIT */
#include "script/python-events.h"

#include <stdlib.h>

#include "base/memory.h"
#include "script/python-script.h"
#include "script/python-text.h"
#include "session/consumer.h"
#include "session/machine.h"

#if HAVE_LIBPYTHON

struct python_events {
	struct python_script *script;
	PyObject *process_event;
};

struct python_events *python_events_new(struct python_script *s)
{
	struct python_events *e = xcalloc(1, sizeof(*e));

	e->script = s;
	e->process_event = python_handler(s, "process_event");
	return e;
}

void python_events_free(struct python_events *e)
{
	if (!e)
		return;
	Py_XDECREF(e->process_event);
	free(e);
}

int python_events_sample(struct python_events *e, const struct session_sample *ss)
{
	PyObject *dict, *name;

	if (!e->process_event)
		return 0;
	dict = PyDict_New();
	name = python_string(ss->event->name);
	if (dict && name)
		PyDict_SetItemString(dict, "ev_name", name);
	Py_XDECREF(name);
	return python_call_take(e->script, e->process_event, &dict, 1);
}

#endif
