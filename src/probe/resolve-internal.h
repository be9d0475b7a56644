/* SPDX-License-Identifier: MIT */
#pragma once
/* The declarations that the files that resolve a probe share. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "probe/probe-target.h"
#include "probe/resolve.h"

struct debug_info;
struct debug_place;

/* An argument that has no location at one place, but may have one at another. */
struct resolve_gap {
	size_t probe, slot; /* its index in the list of probes, and among the probe's arguments */
	int error;
	struct diag why;
};

struct resolving {
	const struct probe_def *def;
	struct probe_target *target;
	const struct resolve_options *options;
	struct trace_probes *out;
	struct text *notes;
	size_t first; /* the index in @out at which this definition's begin */
	struct {
		struct resolve_gap *items;
		size_t n, room;
	} gaps;
};

/* Resolves with debug information. -ENOENT: there is no such function, file or line. */
int resolve_by_debug(struct resolving *r, struct debug_info *info, struct diag *diag);

/* Resolves with symbols alone: functions, offsets in them, and returns. */
int resolve_by_symbols(struct resolving *r, struct diag *diag);

/*
 * Resolves a function of a program by its C++ or Rust name. Returns false if the name is neither,
 * or if no function has it; otherwise *@ret is 0, or an error with @diag.
 */
bool resolve_qualified(struct resolving *r, int *ret, struct diag *diag);

/* Resolves an address as it was typed. */
int resolve_address(struct resolving *r, struct diag *diag);

/* The place at which a probe stands. */
struct resolved_point {
	uint64_t addr;
	bool is_link;         /* @addr is of the debug information, not of the functions' list */
	const char *function; /* the event is named after it; NULL: after the definition */
	const struct probe_symbol *symbol; /* the symbol it is in; NULL: whatever is there */
};

/*
 * Appends a probe at that place, without arguments. Returns 1, or 0 if a probe cannot stand there,
 * with the reason in @notes. Errors with @diag.
 */
int resolving_add(struct resolving *r, const struct resolved_point *at, struct diag *diag);

/* Adds the arguments of the last probe. One without a location at @place becomes a gap. */
int resolving_args(struct resolving *r, struct debug_info *info, const struct debug_place *place,
		   struct diag *diag);

/*
 * Fills the gaps from other places that have the argument; an error with @diag if no place has it.
 */
int resolving_fill_gaps(struct resolving *r, struct diag *diag);
void resolving_done(struct resolving *r);

/* True if an argument names a variable. */
bool resolve_wants_variables(const struct probe_def *d);

/* Checks the number of places. -E2BIG with @diag: there are more than the options allow. */
int resolving_check_count(const struct resolving *r, size_t n, struct diag *diag);

/* Reports that no probe was added, for the reasons in the notes. Returns an error with @diag. */
int resolving_refused(const struct resolving *r, struct diag *diag);
