/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Probes as `perf probe` shows them: those that were added, those there are, definitions.
 */
#include <stdio.h>

struct probe_def;
struct probe_place;
struct trace_probe;
struct trace_probes;

/* `  probe:NAME           (on POINT in MODULE with ARGS)` as its user wrote point and arguments. */
void probe_list_print_added(const struct probe_def *d, const struct trace_probe *p, FILE *out);

/* The same for a probe of the kernel, with what is at its place. */
void probe_list_print(const struct trace_probe *p, const struct probe_place *place, FILE *out);

/* The line that the kernel takes. */
void probe_list_print_definition(const struct trace_probe *p, FILE *out);

/* The probes of one definition, as the kernel's boot configuration has them. */
void probe_list_print_bootconfig(const struct trace_probes *l, FILE *out);
