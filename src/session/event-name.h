/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names for events whose names are not in the file: derived from type, config and exclusions, as
 * `perf evlist` of Linux's perf prints them.
 */
struct attr;

/* "cpu-clock:uH"; the caller frees it. Tracepoints have names in the tracing data only. */
char *event_name_derive(const struct attr *attr);
