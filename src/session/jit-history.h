/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The JIT code of one process over time: the dumps (jit-PID.dump) that it mapped, and its execs. An
 * exec ends all code made before it, so a dump is valid from the exec before it was mapped to the
 * next one. Within that period its own times show when code was at which address.
 *
 * Records may come in any order; the memory belongs to the arena.
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
	struct jit_history_entry *latest; /* NULL: there is no dump and no exec */
	bool has_dumps;
};

/* Notes that the process mapped the dump of @jit. A second time within a program adds nothing. */
void jit_history_add(struct jit_history *m, struct arena *a, const struct jit_maps *jit,
		     struct moment at);

/* Notes that the process became another program. */
void jit_history_exec(struct jit_history *m, struct arena *a, struct moment at);

/* True if the process had executed a program by @at. */
bool jit_history_has_executed(const struct jit_history *m, struct moment at);

/*
 * Returns the code at @addr that the program that ran at @at had made by that time; or NULL. *@span
 * is narrowed to the times and addresses for which that holds. *@ret_executed: the process executed
 * that program, so it has no code that its parent made.
 */
const struct map *jit_history_find(const struct jit_history *m, uint64_t addr, struct moment at,
				   struct span *span, bool *ret_executed);

/*
 * Returns a copy of those parts of @m about the program that ran at @from and the programs after
 * it. @jit returns the copy of a dump's maps.
 */
struct jit_history
jit_history_copy(const struct jit_history *m, struct moment from, struct arena *a,
		 const struct jit_maps *(*jit)(void *arg, const struct jit_maps *j), void *arg);
