/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the ways of counting a histogram share (pairs/hist.h).
 */
#include <stdint.h>

#include "pairs/hist.h"
#include "pairs/histogram.h"

struct event_env;
struct tracepoint_format;

struct hist_job {
	const struct hist_request *rq;
	struct notes *notes;
	struct diag *diag;
	struct histogram shown; /* in the unit of the request; with what the listener is told */
	struct histogram all;   /* the same rows in the unit that is counted; all that was */
	uint64_t *told;         /* of that, what the listener knows already */
};

/* To be released with hist_job_done() in any case. -EINVAL with @diag: no such rows. */
int hist_job_init(struct hist_job *j, const struct hist_request *rq, struct notes *notes,
		  struct diag *diag);
void hist_job_done(struct hist_job *j);

bool hist_job_has_command(const struct hist_job *j);

/* Counting begins. */
void hist_job_begin(const struct hist_job *j);

/* Tells the listener what is new in j->all.counts. */
void hist_job_tell(struct hist_job *j, uint64_t time_ns);

/* The format of the tracepoint @system:@name. Errors with @diag. */
int hist_read_format(struct event_env *env, const char *system, const char *name,
		     struct tracepoint_format **ret, struct diag *diag);

/* Says that @event has no number @field, and what it has. Returns -EINVAL. */
int hist_refuse_field(const char *event, const struct tracepoint_format *format, const char *field,
		      struct diag *diag);

/* What counts in the kernel: > 0 if only samples can do it, and why in j->diag. */
int hist_count(struct hist_job *j, struct record_result *ret);

/* What looks at samples: of ring buffers, and of a file. */
int hist_sample(struct hist_job *j, struct record_result *ret);
int hist_read(struct hist_job *j);
