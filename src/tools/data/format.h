/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The formats that a recording can be written in: a table of exporters.
 *
 * There are two kinds. Some write stacks with the sum of their weights, and need no order of
 * samples: they get a profile that was collected. The others write samples in the order of time,
 * and are handed them one by one with the number of their stack. Either way stacks come out of the
 * trie of profile/stacks.h, and no text is read back. CTF, which has samples as they were recorded,
 * reads the session by itself.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/labels.h"

struct diag;
struct notes;
struct profile;
struct timeline_writer;

struct export_settings {
	bool by_function; /* it has no addresses: all of a function is one place */
	unsigned labels;  /* bits of enum export_label */
	bool lines;       /* of the source, where they are known */
	bool all;         /* records that are no samples, too */
	bool tod;         /* times of the wall clock */
};

/* What an exporter gets. */
struct export_source {
	struct profile *profile;
	const struct export_settings *settings;
	FILE *out;
	const char *path; /* of @out, for what opens it by itself */
};

/* What was written. */
struct export_counts {
	uint64_t samples, records; /* and records that are no samples */
	uint64_t bytes;            /* 0: as many as the file has */
};

struct export_format {
	const char *word;  /* of the option: "pprof" is --to-pprof */
	const char *title; /* in messages: "pprof data" */
	bool needs_path;   /* it cannot be written to standard output */
	/* Whether it can be written at all: an errno with @diag. NULL: always. */
	int (*check)(struct diag *diag);
	bool has_records;    /* that are no samples, if they are asked for */
	bool has_wall_clock; /* if it is asked for */
	bool has_labels;     /* those that are asked for */
	bool has_lines;      /* of the source, if they are asked for */
	bool by_function;    /* it has no addresses: all of a function is one place */
	unsigned labels;     /* those that it has in any case */
	/* Makes what is written to, if that is no file. *@ret: to be @out; the caller closes it. */
	int (*open)(const char *path, FILE **ret, struct diag *diag);
	/*
	 * One of three. Writes @src->profile, which was collected; or reads the session by itself.
	 * -EIO: the stream is in error.
	 */
	int (*write)(const struct export_source *src, struct diag *diag);
	const struct timeline_writer *timeline;
	int (*convert)(const struct export_source *src, struct export_counts *ret,
		       struct diag *diag);
};
