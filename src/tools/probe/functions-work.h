/* SPDX-License-Identifier: MIT */
#pragma once
/* Lists the functions that can be probed by name. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/name-list.h"

struct diag;
struct name_filter;
struct probe_request;
struct probe_target;

/* A name with its first eight bytes as a number, which decides most comparisons. */
struct probe_function {
	uint64_t beginning;
	const char *name; /* in the target, or in @made of the list */
};

struct probe_functions {
	struct probe_function *items; /* sorted by the bytes of their names */
	size_t n, room;
	bool demangle;
	struct name_list made;
	struct name_filter *filter; /* NULL: the default one */
	struct probe_target *target;
};

/*
 * Finds the functions of the target that match @filter (probe/name-filter.h). "" means the filter
 * of the request, or else all names that do not begin with an underscore. Errors with @diag: the
 * filter is wrong, or the target cannot be read. *@ret must be released in any case.
 */
int probe_functions_find(const struct probe_request *rq, const char *filter,
			 struct probe_functions *ret, struct diag *diag);
void probe_functions_done(struct probe_functions *f);
