/* SPDX-License-Identifier: MIT */
#pragma once
/* Counts what the records of a recording say about themselves: samples, losses, gaps. */
#include <stdint.h>

struct raw_record;
struct session;
struct session_event;

/* Adds a record of the kernel to the counts of @s. @e and @time are those of events_place(). */
void record_counts_add(struct session *s, const struct raw_record *raw,
		       const struct session_event *e, uint64_t time);
