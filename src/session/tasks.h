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

struct space;

struct tasks {
	struct arena arena; /* threads, processes, spaces */
	struct u64_map threads, processes;
};

void tasks_done(struct tasks *t);

/* Thread @tid is called @comm from @at on. The text is borrowed for good; NULL: not known. */
void tasks_name(struct tasks *t, uint32_t tid, const char *comm, struct moment at);

/* The name of @tid at @at; NULL: not known. */
const char *tasks_comm(const struct tasks *t, uint32_t tid, struct moment at);

/* Whether anything was told of thread @tid. */
bool tasks_knows(const struct tasks *t, uint32_t tid);

/* A new process @pid begins at @at, with what @ppid has mapped (@shares), or nothing. */
void tasks_fork(struct tasks *t, uint32_t pid, uint32_t ppid, bool shares, struct moment at);

/* The space of process @pid at @at; NULL: none. */
struct space *tasks_space(const struct tasks *t, uint32_t pid, struct moment at);

/* The same, made if there is none. */
struct space *tasks_space_make(struct tasks *t, uint32_t pid, struct moment at);
