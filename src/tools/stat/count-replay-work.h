/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of a file of counts, as they were shown when it was recorded, or with another
 * aggregation.
 */
#include "measure/aggregate-request.h"
#include "wire/topology.h"

struct datafile;
struct diag;
struct notes;
struct stat_replay;

struct count_replay {
	struct aggregate_request aggregate;
	/* Called for each table; set before count_replay_run(). */
	void (*on_table)(void *arg, const struct stat_table *table);
	void *arg;
	struct datafile *file;
	struct topology topology;
	struct stat_replay *replay; /* set once the file's contents are known */
};

/* Opens @path ("-": standard input). Errors are those of datafile_open(). */
int count_replay_open(struct count_replay *r, const char *path, struct diag *diag);
void count_replay_done(struct count_replay *r);

/*
 * Returns the command line that recorded the file, or "pipe" for a stream, which does not contain
 * it. The caller frees it.
 */
char *count_replay_title(const struct count_replay *r);

/*
 * Reads to the end. Returns -ENODATA with @diag set if there are no counts in the file, or an error
 * of reading.
 */
int count_replay_run(struct count_replay *r, struct diag *diag);

/* Adds warnings about aggregations that the file does not permit, and about its damaged parts. */
void count_replay_notes(const struct count_replay *r, struct notes *notes);
