/* SPDX-License-Identifier: MIT */
#pragma once
/* The declarations that the ways of counting a histogram share (pairs/hist.h). */
#include <stdint.h>

#include "pairs/hist.h"
#include "pairs/histogram.h"

struct event_env;
struct tracepoint_format;

struct hist_job {
	const struct hist_request *rq;
	struct notes *notes;
	struct diag *diag;
	struct histogram shown; /* in the unit of the request; holds the listener's table */
	struct histogram all;   /* the same rows in the counted unit; holds all counts */
	uint64_t *told;         /* the part of these counts that the listener has */
};

/*
 * Fills @j, which must be released with hist_job_done() in any case. -EINVAL with @diag: the rows
 * are not possible.
 */
int hist_job_init(struct hist_job *j, const struct hist_request *rq, struct notes *notes,
		  struct diag *diag);
void hist_job_done(struct hist_job *j);

bool hist_job_has_command(const struct hist_job *j);

/* Calls the listener when counting begins. */
void hist_job_begin(const struct hist_job *j);

/* Gives the listener the counts that are new in j->all.counts. */
void hist_job_tell(struct hist_job *j, uint64_t time_ns);

/* Reads the format of the tracepoint @system:@name. Errors with @diag. */
int hist_read_format(struct event_env *env, const char *system, const char *name,
		     struct tracepoint_format **ret, struct diag *diag);

/* Reports that @event has no number @field, and which fields it has. Returns -EINVAL. */
int hist_refuse_field(const char *event, const struct tracepoint_format *format, const char *field,
		      struct diag *diag);

/* Counts in the kernel. Returns > 0, with the reason in j->diag, if only samples can do it. */
int hist_count(struct hist_job *j, struct record_result *ret);

/* Count samples: from ring buffers, and from a file. */
int hist_sample(struct hist_job *j, struct record_result *ret);
int hist_read(struct hist_job *j);
