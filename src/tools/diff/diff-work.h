/* SPDX-License-Identifier: MIT */
#pragma once
/* Compares recordings: each is read and summed up to rows, which are matched by event. */
#include <stdbool.h>
#include <stddef.h>

#include "profile/diff-inputs.h"
#include "tools/diff/diff-model.h"
#include "tools/diff/recording-work.h"
#include "tools/diff/request-work.h"

struct diag;
struct notes;
struct session_event;

struct diff_job {
	const struct diff_request *rq;
	struct diff_inputs inputs;
	const char **names; /* names of the sides, as typed */
	struct diff_common common;
	struct diff_options options;       /* the options of the request */
	struct diff_recording *recordings; /* recordings of all sides, one side after the other */
	size_t n;
	bool is_repeated; /* a side has several recordings, or hosts */
};

/*
 * Finds and opens the recordings of @rq, which stays the caller's. Returns a negative errno with
 * @diag: the request makes no sense, or there is no such recording. diff_job_close() is called in
 * any case.
 */
int diff_job_open(struct diff_job *j, const struct diff_request *rq, struct diag *diag);
void diff_job_close(struct diff_job *j);

/* Sums up the samples of all recordings. Returns a negative errno with @diag. */
int diff_job_read(struct diff_job *j, struct diag *diag);

/*
 * Adds warnings about data that was lost while recording, or cannot be read. To be called after
 * reading.
 */
void diff_job_note(const struct diff_job *j, struct notes *notes);

/* Returns how many repetitions side @side has: recordings, or hosts once they were read. */
size_t diff_job_repeats(const struct diff_job *j, size_t side);

/*
 * Returns the comparison of all recordings, or hosts, for @event, which is one of the baseline's.
 * @options, which the comparison borrows, are those of @j or a variant of them.
 */
struct diff *diff_of_event(const struct diff_job *j, const struct diff_options *options,
			   const struct session_event *event);
