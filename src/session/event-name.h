/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of events whose file does not say how they were called: from type, config and what is
 * excluded, as `perf evlist` of Linux's perf has them.
 */
struct attr;

/* "cpu-clock:uH"; the caller frees it. Tracepoints have names in the tracing data only. */
char *event_name_derive(const struct attr *attr);
