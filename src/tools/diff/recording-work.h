/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One of the recordings that are compared: read, and its samples summed up to rows that can be
 * compared with those of others. Private to tools/diff/diff-work*.
 */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "profile/collector.h"
#include "profile/report-plan.h"
#include "profile/report.h"
#include "session/sample-filter.h"
#include "session/time-window.h"

struct diag;
struct diff_request;
struct frames;
struct session;
struct shared_values;
struct symbolizer;
struct workers;

/*
 * The hosts of a fleet's side, each as if it were a recording of its own: rows with the host as the
 * last of their keys are divided by host. Private to tools/diff/diff-work*.
 */

struct diff_hosts {
	const char **names; /* borrowed from the session */
	size_t n;
	/* private: */
	struct report_options options; /* without the key of the host */
	struct report_rows *parts;     /* by event and host */
	struct report_row **rows;      /* by event: of all parts */
	size_t n_events;
};

/* The key by which hosts are distinguished (foreign/fleet.c). */
#define DIFF_HOST_KEY "cgroup"

/*
 * Divides the rows of each of the @n events, whose last key is that of the host. They are taken
 * from @rows, which stay the caller's and are needed until diff_hosts_done(). @h must not be moved.
 */
void diff_hosts_init(struct diff_hosts *h, struct report_rows *const *rows, size_t n);
void diff_hosts_done(struct diff_hosts *h);

/* Returns the rows of a host; there may be none. */
const struct report_rows *diff_hosts_rows(const struct diff_hosts *h, size_t event, size_t host);

/* The data that all recordings share, which makes their rows comparable. */
struct diff_common {
	const struct diff_request *rq;
	char *sort; /* the text of the keys */
	struct workers *workers;
	struct frames *frames; /* made by the first recording, which knows what the keys need */
	struct shared_values *values;
};

struct diff_recording {
	struct diff_common *common;
	const char *path;
	struct symbolizer *symbolizer;
	struct session *session;
	struct time_window window; /* the parsed --time */
	struct time_span *spans;
	struct sample_filter_request request; /* the request from which the filter is made */
	struct sample_filter *filter;
	struct key_env env;
	struct report_plan plan;
	regex_t parent;
	bool has_parent;
	struct collector *collector;
	struct report_options options;
	struct report_rows **rows; /* by event; for a fleet, they are in @hosts: */
	struct diff_hosts hosts;
};

/* Opens @path. Returns a negative errno with @diag; diff_recording_done() is called in any case. */
int diff_recording_open(struct diff_recording *r, struct diff_common *common, const char *path,
			struct diag *diag);

/* Collects the samples and makes the rows. Returns a negative errno with @diag. */
int diff_recording_read(struct diff_recording *r, struct diag *diag);

void diff_recording_done(struct diff_recording *r);

/*
 * Returns the rows of the event that is the same as @event of another recording; NULL: there is no
 * such event.
 */
const struct report_rows *diff_recording_rows(const struct diff_recording *r,
					      const struct session_event *event);

/* Returns the same for host number @host. */
const struct report_rows *diff_recording_host_rows(const struct diff_recording *r,
						   const struct session_event *event, size_t host);

/* Returns the same before it was summed up to rows. */
const struct tally *diff_recording_tally(const struct diff_recording *r,
					 const struct session_event *event);
