/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which task ran on a CPU at a time, by records of context switches. Private to session/.
 *
 * `struct running r = { 0 };` knows nothing. Records may come in any order of time, as long as
 * nobody asks meanwhile.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct record;

struct running_switch {
	uint64_t time;
	uint64_t turn; /* counts records: the order of those of the same time */
	uint32_t pid, tid;
};

struct running_cpu {
	struct running_switch *items;
	size_t n, room;
	bool unsorted;
};

struct running {
	struct running_cpu *items; /* by CPU */
	size_t n, room;
	uint64_t turns;
};

void running_done(struct running *r);

/* Takes in what @rec, a SWITCH or SWITCH_CPU_WIDE record, says; others do nothing. */
void running_add(struct running *r, const struct record *rec, uint64_t time);

/* To be called after the last running_add(), before questions. */
void running_settle(struct running *r);

/* The task on @cpu at @time. false: not known. */
bool running_at(const struct running *r, uint32_t cpu, uint64_t time, uint32_t *ret_pid,
		uint32_t *ret_tid);
