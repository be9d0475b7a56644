/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Callbacks of a script for what is not a sample: context switches, throttling, hardware traces,
 * counts of `perf stat record`. Private to tools/script.
 */
struct consumer;
struct delivered;
struct python_records;
struct python_script;
struct session_sample;

/* Looks for the script's functions. Never NULL; an error of Python is python_take_error()'s. */
struct python_records *python_records_new(struct python_script *s);
void python_records_free(struct python_records *r);

/* trace_begin() was called: rows of an export that come first. 0 or -ECANCELED. */
int python_records_start(struct python_records *r);

/* Adds the records that the script has functions for to those that @c takes. */
void python_records_begin(struct python_records *r, struct consumer *c);

/* A record of the kernel, in order among the samples; 0 or -ECANCELED, as all below. */
int python_records_take(struct python_records *r, const struct delivered *d);

/* A record of perf's own, as it is read. */
int python_records_user(struct python_records *r, const struct delivered *d);

/* A sample, before the script's handler for it. > 0: there is nothing else to do for it. */
int python_records_sample(struct python_records *r, const struct session_sample *ss);

/* All was read; trace_end() comes next. */
int python_records_end(struct python_records *r);
