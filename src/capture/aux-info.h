/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The AUXTRACE_INFO record: the facts about the hardware that a reader needs to decode its trace.
 * The words are those that Linux's perf 6.1 writes; hwtrace/ reads them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "wire/record.h"

struct aux_plan;
struct aux_target;
struct bytes;
struct cpu_list;
struct event;
struct ring_clock;

struct aux_info {
	const struct aux_plan *plan;
	const struct aux_target *target;
	const struct event *event;      /* the event that writes the trace */
	const struct ring_clock *clock; /* NULL: ticks cannot be converted to times */
	const struct cpu_list *cpus;    /* the recorded CPUs, or all */
	bool switches_of_all;           /* an event reports the switches of all tasks */
	bool switches;                  /* or only those of the recorded tasks */
};

/* Appends the whole record to @out. Facts that sysfs does not give are 0. */
void aux_info_add(const struct aux_info *i, struct bytes *out);
