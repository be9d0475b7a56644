/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of values of fields, for flag_str() and symbol_str() of Core.py. Private to tools/script.
 *
 * Before the first sample of a tracepoint, these functions of the script (Core.py has them) are
 * called, once for each field that has names, or once for each name:
 *
 *	define_flag_field(event, field, separator)
 *	define_flag_value(event, field, value, name)
 *	define_symbolic_field(event, field)
 *	define_symbolic_value(event, field, value, name)
 */
struct python_names;
struct python_script;
struct session_event;

struct python_names *python_names_new(struct python_script *s);
void python_names_free(struct python_names *n);

/* Is called before a sample of @e. Returns 0 or -ECANCELED. */
int python_names_event(struct python_names *n, const struct session_event *e);
