/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The formats in which a recording can be written: a table of exporters.
 *
 * There are two kinds. Some write stacks with the sum of their weights, and need no order of
 * samples: they get a profile that was collected. The others write samples in the order of time,
 * and get them one by one with the number of their stack. In both cases stacks come out of the trie
 * of profile/stacks.h, and no text is parsed. CTF, whose samples are as they were recorded, reads
 * the session itself.
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
	bool by_function; /* no addresses: each function is one place */
	unsigned labels;  /* bits of enum export_label */
	bool lines;       /* source lines, if they are known */
	bool all;         /* also records that are not samples */
	bool tod;         /* times are of the wall clock */
};

/* The input of an exporter. */
struct export_source {
	struct profile *profile;
	const struct export_settings *settings;
	FILE *out;
	const char *path; /* path of @out, for code that opens it itself */
};

/* The counts of what was written. */
struct export_counts {
	uint64_t samples, records; /* number of samples, and of other records */
	uint64_t bytes;            /* 0: the size of the file */
};

struct export_format {
	const char *word;  /* the option's word: "pprof" is --to-pprof */
	const char *title; /* the title in messages: "pprof data" */
	bool needs_path;   /* it cannot be written to standard output */
	/* Checks whether the format can be written at all: an errno with @diag. NULL: always. */
	int (*check)(struct diag *diag);
	bool has_records;    /* has records other than samples, if requested */
	bool has_wall_clock; /* has times of the wall clock, if requested */
	bool has_labels;     /* has the requested labels */
	bool has_lines;      /* has source lines, if requested */
	bool by_function;    /* no addresses: each function is one place */
	unsigned labels;     /* the labels that it always has */
	/*
	 * Makes the output, if it is not a file. *@ret: the stream to use as @out; the caller
	 * closes it.
	 */
	int (*open)(const char *path, FILE **ret, struct diag *diag);
	/*
	 * One of three ways to write is set. write() writes @src->profile, which was collected; or
	 * it reads the session itself. -EIO: the stream is in error.
	 */
	int (*write)(const struct export_source *src, struct diag *diag);
	const struct timeline_writer *timeline;
	int (*convert)(const struct export_source *src, struct export_counts *ret,
		       struct diag *diag);
};
