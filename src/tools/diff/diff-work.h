/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Comparing recordings: each is read and summed up to rows, which are matched by event.
 */
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
	const char **names; /* of the sides, as they were typed */
	struct diff_common common;
	struct diff_options options;       /* as the request says */
	struct diff_recording *recordings; /* of all sides, one after the other */
	size_t n;
	bool is_repeated; /* a side has more than one, or hosts */
};

/*
 * Finds and opens the recordings of @rq, which stays the caller's. A negative errno with @diag: the
 * request makes no sense, or there is no such recording. diff_job_close() is called in any case.
 */
int diff_job_open(struct diff_job *j, const struct diff_request *rq, struct diag *diag);
void diff_job_close(struct diff_job *j);

/* Sums up the samples of all. A negative errno with @diag. */
int diff_job_read(struct diff_job *j, struct diag *diag);

/* After reading: adds warnings on what was lost while recording, or cannot be read. */
void diff_job_note(const struct diff_job *j, struct notes *notes);

/* How many of side @side there are of what repeats: recordings, or hosts once they were read. */
size_t diff_job_repeats(const struct diff_job *j, size_t side);

/*
 * The comparison of all recordings, or hosts, by @event, which is one of the baseline's. @options,
 * which the comparison borrows, are those of @j or a variant of them.
 */
struct diff *diff_of_event(const struct diff_job *j, const struct diff_options *options,
			   const struct session_event *event);
