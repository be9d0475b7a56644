/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf script` prints of a recording by `perf stat record`: the counts, as they stand at the
 * end of each round, for each event, thread and CPU.
 */
#include <stdio.h>

#include "base/cleanup.h"

struct record;
struct script_counts;
struct session;

/* @s is borrowed; its events are looked at with the first counts. */
struct script_counts *script_counts_new(const struct session *s);
void script_counts_free(struct script_counts *c);
DEFINE_FREEP(script_counts)

/* Takes in THREAD_MAP, CPU_MAP and STAT, prints at a STAT_ROUND, and passes over all else. */
void script_counts_record(struct script_counts *c, const struct record *r, FILE *out);
