/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where tasks slept, and how long: the sample of sched:sched_switch says where a task gave up the
 * CPU, and the next one of sched:sched_stat_* about it for how long. Each of the latter becomes the
 * former, at its own time and with the length as its period.
 *
 * Other samples of sched_switch, sched_stat_* and sched_process_exit are left out.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct session;
struct sleep_times;
struct transform;

/* @s is borrowed. */
struct sleep_times *sleep_times_new(const struct session *s);
void sleep_times_free(struct sleep_times *st);
DEFINE_FREEP(sleep_times)

struct transform *sleep_times_transform(struct sleep_times *st);

/* How many samples were merged. */
uint64_t sleep_times_merged(const struct sleep_times *st);
