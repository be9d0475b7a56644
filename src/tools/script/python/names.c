/* SPDX-License-Identifier: MIT */
#include "tools/script/python/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/session.h"
#include "tools/script/plan-names-model.h"
#include "tools/script/python/script.h"
#include "tools/script/python/text.h"
#include "tracepoint/format.h"

#if HAVE_LIBPYTHON

struct python_names {
	struct python_script *script;
	PyObject *flag_field, *flag_value, *symbolic_field, *symbolic_value;
	bool any; /* the script has at least one of them */
	struct {
		bool *items;
		size_t n, room;
	} told; /* by event: its names were passed to the script */
};

struct python_names *python_names_new(struct python_script *s)
{
	struct python_names *n = xcalloc(1, sizeof(*n));

	n->script = s;
	n->flag_field = python_handler(s, "define_flag_field");
	n->flag_value = python_handler(s, "define_flag_value");
	n->symbolic_field = python_handler(s, "define_symbolic_field");
	n->symbolic_value = python_handler(s, "define_symbolic_value");
	n->any = n->flag_field || n->flag_value || n->symbolic_field || n->symbolic_value;
	return n;
}

void python_names_free(struct python_names *n)
{
	if (!n)
		return;
	Py_XDECREF(n->flag_field);
	Py_XDECREF(n->flag_value);
	Py_XDECREF(n->symbolic_field);
	Py_XDECREF(n->symbolic_value);
	free(n->told.items);
	free(n);
}

static int tell_field(struct python_names *n, const char *event, const struct named_field *f)
{
	PyObject *handler = f->is_flags ? n->flag_field : n->symbolic_field;
	PyObject *args[3];
	size_t n_args = 0;

	if (!handler)
		return 0;
	args[n_args++] = python_string(event);
	args[n_args++] = python_string(f->field->name);
	if (f->is_flags)
		args[n_args++] = python_text(f->separator, f->separator_length);
	return python_call_take(n->script, handler, args, n_args);
}

static int tell_value(struct python_names *n, const char *event, const struct named_field *f,
		      struct field_value_name name)
{
	PyObject *handler = f->is_flags ? n->flag_value : n->symbolic_value;
	PyObject *args[4];

	if (!handler)
		return 0;
	args[0] = python_string(event);
	args[1] = python_string(f->field->name);
	args[2] = PyLong_FromUnsignedLongLong(name.value);
	args[3] = python_text(name.name, name.length);
	return python_call_take(n->script, handler, args, ARRAY_SIZE(args));
}

static int tell_event(struct python_names *n, const struct session_event *e)
{
	_cleanup_(freep) char *event = xasprintf("%s__%s", e->system, e->tracepoint);
	struct named_field f;
	int r = 0;

	for (size_t i = 0; !r && plan_named_field(e->plan, i, &f); i++) {
		r = tell_field(n, event, &f);
		for (size_t k = 0; !r && k < f.n; k++)
			r = tell_value(n, event, &f, plan_named_value(e->plan, &f, k));
	}
	return r;
}

int python_names_event(struct python_names *n, const struct session_event *e)
{
	if (!n->any || !e->plan || (e->index < n->told.n && n->told.items[e->index]))
		return 0;
	while (n->told.n <= e->index)
		*ARRAY_ADD(&n->told) = false;
	n->told.items[e->index] = true;
	return tell_event(n, e);
}

#endif
