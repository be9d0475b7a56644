/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints probes as `perf probe` shows them: those that were added, those that exist, definitions.
 */
#include <stdio.h>

struct probe_def;
struct probe_place;
struct trace_probe;
struct trace_probes;

/* `  probe:NAME           (on POINT in MODULE with ARGS)` as its user wrote point and arguments. */
void probe_list_print_added(const struct probe_def *d, const struct trace_probe *p, FILE *out);

/* Does the same for a probe of the kernel, with the source at its place. */
void probe_list_print(const struct trace_probe *p, const struct probe_place *place, FILE *out);

/* Prints the line that the kernel accepts. */
void probe_list_print_definition(const struct trace_probe *p, FILE *out);

/* Prints the probes of one definition in the syntax of the kernel's boot configuration. */
void probe_list_print_bootconfig(const struct trace_probes *l, FILE *out);
