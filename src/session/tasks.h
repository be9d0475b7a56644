/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Threads with their names, and processes with their address spaces, over time.
 *
 * Threads are known by their tid alone, as in the kernel. A name that a fork handed on is the
 * parent's of that moment. A process's space begins with its first record or its fork; exec lays
 * the new maps over the old, which stay to be seen beside them: frames sampled inside execve()
 * still lie there, and nothing else does.
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
	struct arena arena; /* what the tables hold, and spaces */
	struct u64_map threads, processes, namespaces;
	struct {
		struct space **items;
		size_t n, room;
	} spaces; /* all, also those that only others lie over */
};

void tasks_done(struct tasks *t);

/* Thread @tid is called @comm from @at on. The text is borrowed for good; NULL: not known. */
void tasks_name(struct tasks *t, uint32_t tid, const char *comm, struct moment at);

/* The name of @tid at @at; NULL: not known. @span is narrowed to the times it has it; or NULL. */
const char *tasks_comm(const struct tasks *t, uint32_t tid, struct moment at, struct span *span);

/* Process @pid begins at @at, with the maps of @ppid (@shares), or with none. */
void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, bool shares, struct moment at);

/* The space of process @pid at @at; NULL: none. @span is narrowed likewise. */
struct space *tasks_space(const struct tasks *t, uint32_t pid, struct moment at, struct span *span);

/* The same, made if there is none. */
struct space *tasks_space_make(struct tasks *t, uint32_t pid, struct moment at);

/* Process @pid lives in @ns, which is copied, from @at on. */
void tasks_set_namespaces(struct tasks *t, uint32_t pid, const struct namespaces *ns,
			  struct moment at);

/* Those it lives in at @at; NULL: not known. */
const struct namespaces *tasks_namespaces(const struct tasks *t, uint32_t pid, struct moment at);

/*
 * Copies what the tasks of @living have from @at on into @to, which is empty; their state at @at
 * becomes their state from the beginning. Names go to @names; @c copies spaces, from @at on, too.
 */
void tasks_copy(struct tasks *to, const struct tasks *from, const struct lineage *living,
		struct moment at, struct intern *names, struct space_copying *c);
