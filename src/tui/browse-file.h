/* SPDX-License-Identifier: MIT */
#pragma once
/* Makes snapshots of a recording. Private to tui/browse-file*. */
#include "tui/browse.h"

struct symbolizer;

struct file_snapshot {
	struct browse_snapshot shown; /* the public part, which points to the rest */
	struct browse_request request;
	struct profile profile;
	struct report_tables tables;
	unsigned refs;
};

/* The parameters for making a snapshot. */
struct file_snapshot_request {
	const struct browse_request *question; /* copied */
	struct symbolizer *names;              /* outlives the snapshot */
	/* read only this part of the recording; 0: everything */
	uint64_t first_bytes;
	struct progress *progress; /* the next two also outlive it */
	const atomic_bool *stop;
};

/*
 * Reads the recording. Returns -ECANCELED if it was stopped; other errors are those of
 * profile_open() and profile_collect(), with @diag. If the recording is not longer than the
 * requested part, or was read completely for another reason, the snapshot is complete.
 */
int file_snapshot_make(const struct file_snapshot_request *rq, struct file_snapshot **ret,
		       struct diag *diag);
void file_snapshot_free(struct file_snapshot *s);
DEFINE_FREEP(file_snapshot)

/*
 * Returns -EINVAL or another error, with @diag, if @question has errors that can be found without
 * reading.
 */
int file_question_check(const struct browse_request *question, struct diag *diag);

/* The symbolizer for the images of a recording, shared by all its snapshots. */
struct file_names {
	struct browse_request of; /* a question for which it is usable; texts are borrowed */
	struct symbolizer *symbolizer;
	struct file_names *next;
};

/* Returns the symbolizer in *@list that is usable for @question, or a new one. */
struct symbolizer *file_names_for(struct file_names **list, const struct browse_request *question);
void file_names_free(struct file_names *list);
