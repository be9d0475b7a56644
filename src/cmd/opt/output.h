/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where recorded data goes: the file, its compression, when to begin another, and build-ids.
 */
#include <stdbool.h>
#include <stdint.h>

#include "cli/option.h"
#include "cmd/opt/value.h"

enum switch_kind {
	SWITCH_NEVER,
	SWITCH_ON_SIGNAL, /* SIGUSR2 */
	SWITCH_ON_SIZE,
	SWITCH_ON_TIME,
};

/* When to begin another file. */
struct output_switch {
	enum switch_kind kind;
	uint64_t bytes;
	uint64_t seconds;
};

#define COMPRESSION_LEVEL_MAX 22

struct output_opts {
	const char *path;           /* NULL: perf.data; "-": standard output */
	uint64_t compression_level; /* 0: none */
	struct output_switch rotate;
	const char *switch_event;  /* events whose occurrence begins another file */
	uint64_t switch_max_files; /* 0: keep all */
	uint64_t max_bytes;        /* 0: no limit */
	bool timestamp_filename;
	bool timestamp_boundary;
	enum choice no_buildid; /* unsaid: build-ids are kept, but not when files are switched */
	enum choice no_buildid_cache;
	bool buildid_all;
	bool buildid_mmap;
	bool kcore;
};

/* Rows over a struct output_opts, with a heading. */
extern const struct option output_options[];

/* Draws the consequences of --switch-output: names with times, and no work on build-ids. */
void output_opts_settle(struct output_opts *o);
