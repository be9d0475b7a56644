/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Merges the places at which tasks slept with the durations: the sample of sched:sched_switch shows
 * where a task gave up the CPU, and the next one of sched:sched_stat_* about the task contains the
 * duration. Each of the latter is replaced by the former, with its own time, and with the duration
 * as the period.
 *
 * Other samples of sched_switch, sched_stat_* and sched_process_exit are left out.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct session;
struct sleep_times;
struct transform;

/* Creates the transformation. @s is borrowed. */
struct sleep_times *sleep_times_new(const struct session *s);
void sleep_times_free(struct sleep_times *st);
DEFINE_FREEP(sleep_times)

struct transform *sleep_times_transform(struct sleep_times *st);

/* Returns the number of samples that were merged. */
uint64_t sleep_times_merged(const struct sleep_times *st);
