/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the events of a recording, a line each, as `perf evlist` shows them. */
#include <stdbool.h>
#include <stdio.h>

struct session;

struct evlist_options {
	bool details;      /* prints all of attr; takes precedence over frequency */
	bool names;        /* with details: type and config by name, even if they are 0 */
	bool frequency;    /* only the sampling frequency or period */
	bool groups;       /* a group on one line: "{a,b}"; excludes other options */
	bool trace_fields; /* for tracepoints, the names of their fields */
};

void evlist_print(const struct session *s, const struct evlist_options *o, FILE *out);
