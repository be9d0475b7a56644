/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Callbacks of a script for records that are not samples: context switches, throttling, hardware
 * traces, counts of `perf stat record`. Private to tools/script.
 */
struct consumer;
struct delivered;
struct python_records;
struct python_script;
struct session_sample;

/*
 * Looks up the script's functions. Never returns NULL; errors of Python are left for
 * python_take_error().
 */
struct python_records *python_records_new(struct python_script *s);
void python_records_free(struct python_records *r);

/*
 * Is called after trace_begin(): passes the rows of an export that come first. Returns 0 or
 * -ECANCELED.
 */
int python_records_start(struct python_records *r);

/* Adds the records for which the script has functions to those that @c takes. */
void python_records_begin(struct python_records *r, struct consumer *c);

/*
 * Passes a record of the kernel, in order among the samples. Returns 0 or -ECANCELED, as all
 * functions below.
 */
int python_records_take(struct python_records *r, const struct delivered *d);

/* Passes a record of perf's own, when it is read. */
int python_records_user(struct python_records *r, const struct delivered *d);

/*
 * Passes a sample before the script's handler gets it. Returns > 0 if the handler must not be
 * called.
 */
int python_records_sample(struct python_records *r, const struct session_sample *ss);

/* Is called when all was read. trace_end() comes next. */
int python_records_end(struct python_records *r);
