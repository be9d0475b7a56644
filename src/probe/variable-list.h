/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The variables that a probe could record at a place, as `perf probe -V` lists them: sorted, each
 * once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf_parameters;
struct debug_info;
struct debug_place;
struct debug_variable;
struct name_filter;

enum listed_state {
	LISTED_EXTERN,
	LISTED_ELSEWHERE, /* it has a location only at other addresses */
	LISTED_HERE,
};

/* A range of offsets in the function. */
struct listed_range {
	int64_t start, end;
};

struct listed_variable {
	enum listed_state state;
	char *type, *name;
	struct listed_range *ranges; /* the places at which it has a location */
	size_t n_ranges, ranges_room;
};

struct variable_list {
	struct listed_variable *items;
	size_t n, room;
};

/*
 * True if Linux's perf shows @v at @place. It shows variables that are not computed, global ones,
 * and, where a function begins, the parameters that have a location anywhere.
 */
bool variable_is_listed(const struct debug_variable *v, const struct debug_place *place);

struct variable_list_options {
	bool externs;                     /* list the globals of the unit too */
	bool ranges;                      /* list where each has a location, even if not here */
	const struct name_filter *filter; /* a filter on names */
};

/* Appends the variables at @place to @l and sorts it. */
void variable_list_read(struct debug_info *d, const struct debug_place *place,
			const struct variable_list_options *o, struct variable_list *l);

/* Does the same for a function's parameters, at its entry. */
void variable_list_read_btf(const struct btf_parameters *p, const struct variable_list_options *o,
			    struct variable_list *l);

void variable_list_done(struct variable_list *l);
