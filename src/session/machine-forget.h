/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Drops old state: for a session that lasts as long as a recording, and for one that reads a long
 * recording once and in order.
 *
 * The machine's state only grows, and no part of it can be removed: spaces share the state below
 * them, and all memory comes from arenas. So the state that is still needed is copied, and
 * everything else is released at once. This takes time in proportion to the living tasks and their
 * maps.
 */
#include <stdbool.h>
#include <stdint.h>

struct machine;

/* True if enough has been applied since the last time. */
bool machine_forget_due(const struct machine *m);

/*
 * Forgets the tasks that had ended by @time. For all others, and for the kernel, the state at @time
 * becomes the state from the beginning; later state stays as it is. Counts of threads that ended
 * (machine_reads()) are all forgotten. Paths of cgroups stay. Images that were looked up stay in
 * that list, and those of the remaining maps are added to it (images_note()). Earlier results are
 * no longer valid, and machine_generation() changes.
 */
void machine_forget_before(struct machine *m, uint64_t time);
