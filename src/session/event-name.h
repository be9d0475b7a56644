/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names for events whose names are not in the file. They are derived from type, config and
 * exclusions, as in Linux's `perf evlist`.
 */
struct attr;

/* Returns "cpu-clock:uH"; the caller frees it. Tracepoints have names only in the tracing data. */
char *event_name_derive(const struct attr *attr);
