/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A file of a recording without its data: the parts before the first record of the kernel and after
 * the last. With --switch-output there are several files of the same kind.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datafile/writer.h"

struct diag;
struct features;
struct opened_events;
struct record_drain;
struct record_sink;
struct synth_plan;

struct record_file {
	const char *path; /* NULL: standard output */
	struct writer_options options;
	const struct file_event *events;
	size_t n_events;
	const struct features *early;
	const struct synth_plan *synth; /* or NULL */
	bool tail;                      /* --tail-synthesize: the state is synthesised at the end */
	const struct record_sink *sink; /* gets the synthesised records, too; or NULL */
	/*
	 * Returns the number of samples of event number @i that a filter has dropped so far; or
	 * NULL.
	 */
	uint64_t (*dropped)(void *arg, size_t i);
	/*
	 * Called after the file is created, before any data, to write accompanying files; or NULL.
	 */
	int (*created)(void *arg, const char *path, struct diag *diag);
	/* Adds the features that depend on the finished data to @f; or NULL. */
	int (*complete)(void *arg, const char *path, struct features *f, struct diag *diag);
	void *arg;
	struct kept_files *kept; /* or NULL */
	bool traces;             /* it has a hardware trace */
	/* The drains whose AUXTRACE records the file lists. */
	const struct record_drain *drains;
	size_t n_drains;
};

/*
 * Creates the file, up to the beginning of the kernel's data; @first: the first file of the
 * recording. Errors of the writer, with @diag set.
 */
int record_file_begin(const struct record_file *f, bool first, struct writer **ret,
		      struct diag *diag);

/*
 * Adds the numbers of records of @events that the kernel had to drop, and finishes the file. Errors
 * as above.
 */
int record_file_end(const struct record_file *f, struct writer *w,
		    const struct opened_events *events, struct diag *diag);
