/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The JIT code of one process over time: the dumps (jit-PID.dump) that it mapped, and its
 * execs. An exec ends all code made before it, so a dump counts from the exec before it was mapped
 * to the next one. Within that its own times say when code lay where.
 *
 * Records may come in any order; memory is the arena's.
 */
#include <stdbool.h>
#include <stdint.h>

#include "session/moment.h"

struct arena;
struct jit_maps;
struct jit_history_entry;
struct map;
struct span;

struct jit_history {
	struct jit_history_entry *latest; /* NULL: neither dump nor exec */
	bool has_dumps;
};

/* The process mapped the dump that @jit is of. A second time within a program adds nothing. */
void jit_history_add(struct jit_history *m, struct arena *a, const struct jit_maps *jit,
		     struct moment at);

/* The process became another program. */
void jit_history_exec(struct jit_history *m, struct arena *a, struct moment at);

/* Whether the process had executed a program by @at. */
bool jit_history_has_executed(const struct jit_history *m, struct moment at);

/*
 * What the program that ran at @at made at @addr, by that time; or NULL. *@span is narrowed to the
 * times and addresses for which that holds. *@ret_executed: the process executed that program, so
 * that it has nothing that its parent made.
 */
const struct map *jit_history_find(const struct jit_history *m, uint64_t addr, struct moment at,
				   struct span *span, bool *ret_executed);

/*
 * A copy of what @m says of the program that ran at @from and of those after it. @jit gives the
 * copy of a dump's maps.
 */
struct jit_history
jit_history_copy(const struct jit_history *m, struct moment from, struct arena *a,
		 const struct jit_maps *(*jit)(void *arg, const struct jit_maps *j), void *arg);
