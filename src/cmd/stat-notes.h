/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf stat` says beside its table: raw values, hints, and for people at a terminal why rows
 * are empty.
 */
#include <stdbool.h>
#include <stdio.h>

struct counters;

/* -v: which events the kernel did not take. */
void stat_notes_print_refused(const struct counters *c, FILE *out);

/* -v: a line "name: value enabled running" for each event, as the kernel gave them. */
void stat_notes_print_raw(const struct counters *c, FILE *out);

/*
 * The hints that follow the text; with @explain also what a reader may wonder about.
 * @around_command: CPUs were counted while a command ran.
 */
void stat_notes_print(const struct counters *c, bool around_command, bool explain, FILE *out);
