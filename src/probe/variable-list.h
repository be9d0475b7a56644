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
	LISTED_ELSEWHERE, /* has a place at other addresses */
	LISTED_HERE,
};

/* Offsets in the function. */
struct listed_range {
	int64_t start, end;
};

struct listed_variable {
	enum listed_state state;
	char *type, *name;
	struct listed_range *ranges; /* where it has a place */
	size_t n_ranges, ranges_room;
};

struct variable_list {
	struct listed_variable *items;
	size_t n, room;
};

/*
 * Does Linux's perf show @v at @place? It shows variables that are not computed, global ones, and
 * where a function begins the parameters that have a location anywhere.
 */
bool variable_is_listed(const struct debug_variable *v, const struct debug_place *place);

struct variable_list_options {
	bool externs;                     /* the globals of the unit, too */
	bool ranges;                      /* and where each has a place, even if not here */
	const struct name_filter *filter; /* of names */
};

/* Appends to @l, which is sorted then. */
void variable_list_read(struct debug_info *d, const struct debug_place *place,
			const struct variable_list_options *o, struct variable_list *l);

/* The same with a function's parameters, where it begins. */
void variable_list_read_btf(const struct btf_parameters *p, const struct variable_list_options *o,
			    struct variable_list *l);

void variable_list_done(struct variable_list *l);
