/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Snapshots of a recording: how one is made. Private to tui/browse-file*.
 */
#include "tui/browse.h"

struct symbolizer;

struct file_snapshot {
	struct browse_snapshot shown; /* what others see: it points to the rest */
	struct browse_request request;
	struct profile profile;
	struct report_tables tables;
	unsigned refs;
};

/* How it is made. */
struct file_snapshot_request {
	const struct browse_request *question; /* copied */
	struct symbolizer *names;              /* outlives it */
	uint64_t first_bytes;                  /* of the recording; 0: all of it */
	struct progress *progress;             /* the next two outlive it, too */
	const atomic_bool *stop;
};

/*
 * Reads it. -ECANCELED: it was stopped; other errors are those of profile_open() and
 * profile_collect(), with @diag. Of a recording that is no longer than what was asked for, or has
 * been read completely for another reason, it is complete.
 */
int file_snapshot_make(const struct file_snapshot_request *rq, struct file_snapshot **ret,
		       struct diag *diag);
void file_snapshot_free(struct file_snapshot *s);
DEFINE_FREEP(file_snapshot)

/* -EINVAL, ...: @question is a mistake, as far as that is known without reading; with @diag. */
int file_question_check(const struct browse_request *question, struct diag *diag);

/* Names for the images of a recording, shared by all its snapshots. */
struct file_names {
	struct browse_request of; /* a question that it is good for: texts are borrowed */
	struct symbolizer *symbolizer;
	struct file_names *next;
};

/* Those in *@list that are good for @question, or new ones. */
struct symbolizer *file_names_for(struct file_names **list, const struct browse_request *question);
void file_names_free(struct file_names *list);
