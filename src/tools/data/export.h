/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Exports a recording to another format: reads it as the format needs it, and lets the format write
 * it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"
#include "tools/data/format.h"

struct diag;
struct notes;
struct progress;

/* The request. Texts are borrowed until exporting_done(). */
struct export_request {
	const struct export_format *format;
	struct export_settings settings;
	const char *path; /* "-": standard input */
	bool force;       /* read files of other owners too */
	struct symbol_request symbols;
	const char *buildid_dir; /* or NULL */
	struct time_window time;
	size_t max_stack;
	struct progress *progress; /* or NULL */
};

struct exporting {
	struct export_request rq;
	struct profile profile;
	char *sort;
	struct export_counts counts;
};

/*
 * Opens the recording. Returns a negative errno with @diag; exporting_done() is called in any case,
 * also for an object that is all zeros.
 */
int exporting_open(struct exporting *x, const struct export_request *rq, struct diag *diag);
void exporting_done(struct exporting *x);

/*
 * Reads the recording, and writes everything to @out, whose path is @path. -EIO without @diag: @out
 * is in error.
 */
int exporting_write(struct exporting *x, FILE *out, const char *path, struct diag *diag);
