/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Forgetting what was: for a session that goes on for as long as a recording does, and for one that
 * reads a long recording once and in order.
 *
 * The machine's state only grows, and none of its parts can be taken out: spaces share what lies
 * beneath them, and all come from arenas. So what is left is copied, and the rest released at once,
 * which takes as long as there are tasks and maps that live.
 */
#include <stdbool.h>
#include <stdint.h>

struct machine;

/* Whether so much was applied since the last time that forgetting is worth its cost. */
bool machine_forget_due(const struct machine *m);

/*
 * Forgets the tasks that had ended by @time, and of all others, and the kernel, what they were and
 * had before: their state then is what they had from the beginning. So are counts of threads that
 * ended, and the paths of cgroups. Images stay; those that are still mapped are noted
 * (images_note()). Answers given so far are no longer valid, and machine_generation() changes.
 */
void machine_forget_before(struct machine *m, uint64_t time);
