/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Forgetting what was, for a session that goes on for as long as a recording does.
 *
 * The machine's state only grows, and none of its parts can be taken out: spaces share what lies
 * beneath them, and all come from arenas. So what is left is copied, and the rest released at once,
 * which takes as long as there are tasks and maps that live.
 */
#include <stddef.h>
#include <stdint.h>

struct machine;

/*
 * Forgets the tasks that had ended by @time, and of all others, and the kernel, what they were and
 * had before: their state then is what they had from the beginning. So are counts of threads that
 * ended, and the paths of cgroups. Answers given so far are no longer valid, and
 * machine_generation() changes. Returns how much is left, in maps and tasks.
 */
size_t machine_forget_before(struct machine *m, uint64_t time);
