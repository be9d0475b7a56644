/* SPDX-License-Identifier: MIT */
#pragma once
/* Finds the variables that can be recorded at a place. */
#include <stddef.h>
#include <stdint.h>

#include "probe/variable-list.h"

struct diag;
struct notes;
struct probe_request;

/* An address of the place, and its variables. */
struct probe_variables_at {
	char *function;
	uint64_t offset; /* the offset in the function */
	struct variable_list variables;
};

struct probe_variables {
	char *point; /* as it was typed */
	struct probe_variables_at *items;
	size_t n, room;
};

/*
 * Finds the variables at @text, a probe point. Without debug information of the kernel there are
 * only the parameters of its functions, from BTF; a warning among the notes reports this. Errors:
 * @diag marks the mistake in @text, or reports that there is no debug information. *@ret must be
 * released in any case.
 */
int probe_variables_find(const struct probe_request *rq, const char *text,
			 struct probe_variables *ret, struct notes *notes, struct diag *diag);
void probe_variables_done(struct probe_variables *v);
