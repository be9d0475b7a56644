/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The process of each task and the task that forked it: the last known ones.
 *
 * If a tid is used again, the newer task replaces the older one. A task that has ended is kept
 * until lineage_copy_living().
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/u64-map.h"
#include "session/moment.h"

struct task;

struct lineage {
	struct arena arena;
	struct u64_map tasks; /* keyed by tid */
};

void lineage_done(struct lineage *l);

/* Notes that there is a task @tid of process @pid, and therefore the first task of that process. */
void lineage_saw(struct lineage *l, uint32_t pid, uint32_t tid, struct moment at);

/* Notes that task @ptid of process @ppid made task @tid of process @pid. */
void lineage_forked(struct lineage *l, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid,
		    struct moment at);

/* Notes that task @tid has ended at @at; it is known until lineage_copy_living(). */
void lineage_ended(struct lineage *l, uint32_t tid, struct moment at);

/* Notes the same, at @at, for all tasks of the processes for which @is_gone returns true. */
void lineage_end_gone(struct lineage *l, bool (*is_gone)(uint32_t pid), struct moment at);

/*
 * Notes that task @tid runs a new program: it lives, even if its number was that of a task that
 * ended.
 */
void lineage_executed(struct lineage *l, uint32_t tid, struct moment at);

/* True if task @tid is known. */
bool lineage_has(const struct lineage *l, uint32_t tid);

/* Finds the process of task @tid. false: it is not known. */
bool lineage_process(const struct lineage *l, uint32_t tid, uint32_t *ret_pid);

/*
 * Copies the tasks that have not ended by @at into @to, which is empty. The first task of a process
 * is copied, ended or not, if any other task of it lives.
 */
void lineage_copy_living(struct lineage *to, const struct lineage *from, struct moment at);

/* Calls @each for every task, in no order. */
void lineage_for_each(const struct lineage *l, void (*each)(void *arg, const struct task *t),
		      void *arg);
