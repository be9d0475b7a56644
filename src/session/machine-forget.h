/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Drops old state: for a session that lasts as long as a recording, and for one that reads a long
 * recording once and in order.
 *
 * The machine's state only grows, and no part of it can be removed: spaces share what lies below
 * them, and all memory comes from arenas. So what is still needed is copied, and everything else
 * is released at once. This takes time in proportion to the tasks and maps that live.
 */
#include <stdbool.h>
#include <stdint.h>

struct machine;

/* Has enough been applied since the last time? */
bool machine_forget_due(const struct machine *m);

/*
 * Forgets the tasks that had ended by @time. Of all others, and of the kernel, the state at @time
 * becomes what they had from the beginning; what comes later stays as it is. Counts of threads that
 * ended (machine_reads()) are forgotten altogether. Paths of cgroups stay. Images that were asked
 * for stay so, and those of the maps that are left are noted (images_note()). Answers given so far
 * are no longer valid, and machine_generation() changes.
 */
void machine_forget_before(struct machine *m, uint64_t time);
