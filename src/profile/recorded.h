/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads a recording for a model of events, which takes them in order of time.
 *
 *	struct recorded r;
 *	recorded_open(&request, &r, diag);
 *	recorded_feed(&r, &consumer, notes, diag);
 *	... the model is shown, names are asked of r.session ...
 *	recorded_done(&r);
 */
#include <stdbool.h>

#include "profile/filter-request.h"

struct consumer;
struct diag;
struct notes;
struct progress;
struct sample_filter;
struct session;
struct symbolizer;

/* The request. All zero but the path: everything in the recording. Texts are borrowed. */
struct recorded_request {
	const char *path; /* "-": standard input */
	bool force;       /* read the file whoever owns it */
	/*
	 * The samples that are handed over. Models that need all samples to understand the wanted
	 * ones leave it empty and use recorded.filter themselves.
	 */
	struct filter_request filter;
	struct symbolizer *symbolizer; /* NULL: names of functions are not needed */
	struct progress *progress;     /* or NULL */
	bool traces;                   /* hardware traces are decoded, as filter.itrace says */
};

void recorded_request_done(struct recorded_request *rq);

struct recorded {
	struct session *session;
	struct time_span *spans; /* the time spans of filter.time */
	struct sample_filter_request filter_request;
	struct sample_filter *filter;
};

/*
 * Opens the recording and its filter. @rq must live until *@ret is released, which must be done in
 * any case. Returns a negative errno with @diag set.
 */
int recorded_open(const struct recorded_request *rq, struct recorded *ret, struct diag *diag);
void recorded_done(struct recorded *r);

/*
 * Reads the whole recording. The filter applies unless @c has one of its own. Notes on data that
 * was lost while recording, or is damaged, go to @notes. -ENODATA with @diag: nothing could be
 * read. Other errors are those of session_feed().
 */
int recorded_feed(struct recorded *r, const struct consumer *c, struct notes *notes,
		  struct diag *diag);
