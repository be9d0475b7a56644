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
 * Forgets the tasks that had ended by @time. Of all others, and of the kernel, the state at @time
 * becomes what they had from the beginning; what comes later stays as it is. Counts of threads that
 * ended (machine_reads()) and the paths of cgroups are forgotten altogether. Images that were asked
 * for stay so, and those of the maps that are left are noted (images_note()). Answers given so far
 * are no longer valid, and machine_generation() changes.
 */
void machine_forget_before(struct machine *m, uint64_t time);
