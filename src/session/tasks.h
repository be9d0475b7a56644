/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Threads with their names, and processes with their address spaces, over time.
 *
 * Threads are identified by their tid alone, as in the kernel. A name that a fork handed on is the
 * parent's at that moment. A process's space begins with its first record or its fork. An exec lays
 * the new maps over the old ones, which remain visible beside them, because frames sampled inside
 * execve() are still there, and nothing else is.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"
#include "session/moment.h"

struct intern;
struct lineage;
struct namespaces;
struct space;
struct space_copying;
struct span;

struct tasks {
	struct arena arena; /* the contents of the tables, and spaces */
	struct u64_map threads, processes, namespaces;
	struct {
		struct space **items;
		size_t n, room;
	} spaces; /* all spaces, also those that are only below others */
};

void tasks_done(struct tasks *t);

/*
 * Notes that thread @tid has the name @comm from @at on. The text is borrowed permanently; NULL:
 * not known.
 */
void tasks_name(struct tasks *t, uint32_t tid, const char *comm, struct moment at);

/*
 * Returns the name of @tid at @at; NULL: not known. @span, unless it is NULL, is narrowed to the
 * times for which the name is valid.
 */
const char *tasks_comm(const struct tasks *t, uint32_t tid, struct moment at, struct span *span);

/* Notes that process @pid begins at @at, with the maps of @ppid (@shares), or without maps. */
void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, bool shares, struct moment at);

/* Returns the space of process @pid at @at; NULL: none. @span is narrowed likewise. */
struct space *tasks_space(const struct tasks *t, uint32_t pid, struct moment at, struct span *span);

/* Does the same, but makes the space if there is none. */
struct space *tasks_space_make(struct tasks *t, uint32_t pid, struct moment at);

/* Notes that process @pid is in @ns, which is copied, from @at on. */
void tasks_set_namespaces(struct tasks *t, uint32_t pid, const struct namespaces *ns,
			  struct moment at);

/* Returns its namespaces at @at; NULL: not known. */
const struct namespaces *tasks_namespaces(const struct tasks *t, uint32_t pid, struct moment at);

/*
 * Copies the state of the tasks of @living from @at on into @to, which is empty; their state at @at
 * becomes their state from the beginning. Names go to @names; @c copies spaces, also from @at on.
 */
void tasks_copy(struct tasks *to, const struct tasks *from, const struct lineage *living,
		struct moment at, struct intern *names, struct space_copying *c);
