/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The tables of a file of counts, as they were shown when it was recorded, or summed up otherwise.
 */
#include "measure/aggregate-request.h"
#include "wire/topology.h"

struct datafile;
struct diag;
struct notes;
struct stat_replay;

struct count_replay {
	struct aggregate_request aggregate;
	/* There is a table; to be set before count_replay_run(). */
	void (*on_table)(void *arg, const struct stat_table *table);
	void *arg;
	struct datafile *file;
	struct topology topology;
	struct stat_replay *replay; /* once the file has told what is in it */
};

/* Opens @path ("-": standard input). Errors as datafile_open(). */
int count_replay_open(struct count_replay *r, const char *path, struct diag *diag);
void count_replay_done(struct count_replay *r);

/*
 * The command line that recorded it; "pipe" for a stream, which has no name for what it carries.
 * The caller frees it.
 */
char *count_replay_title(const struct count_replay *r);

/* Reads to the end. -ENODATA with @diag set: there are no counts in it. Errors of reading. */
int count_replay_run(struct count_replay *r, struct diag *diag);

/* Adds warnings: sums that the file does not allow, and parts of it that are damaged. */
void count_replay_notes(const struct count_replay *r, struct notes *notes);
