/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Translates a definition by the user into the kernel's form: the places of the point, from debug
 * information or from symbols alone; the arguments at each place; a group and a name for each
 * event.
 */
#include <stdbool.h>
#include <stddef.h>

struct debug_info;
struct debug_places;
struct diag;
struct probe_def;
struct probe_target;
struct trace_probes;
struct text;

struct resolve_options {
	size_t max_probes; /* 0 stands for 128 */
	bool no_inlines;
	const char *source; /* -s: the directory of the sources */
};

/*
 * Appends the probes for @d in @t to @out, without numbers for equal names (probe/event-name.h adds
 * these, since it knows which exist). Places where an argument has no location are left out as long
 * as one place remains; @notes gets a line for each, and other remarks. Errors: @diag marks the
 * mistake.
 */
int probe_resolve(const struct probe_def *d, struct probe_target *t,
		  const struct resolve_options *o, struct trace_probes *out, struct text *notes,
		  struct diag *diag);

/* Finds the places of @d using only the debug information @info of @t. Errors as above. */
int probe_places(const struct probe_def *d, struct probe_target *t, struct debug_info *info,
		 const struct resolve_options *o, struct debug_places *ret, struct diag *diag);
