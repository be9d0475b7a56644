/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the samples of a recording add up to, for everything that shows it: rows, call trees, flame
 * graphs, pages.
 *
 * A plain request says which recording, where names come from, which samples count and what they
 * are told apart by. profile_open() opens it: session, symbols and filter are there then, also for
 * those who feed a consumer of their own. profile_collect() reads it: the tallies of the collector
 * hold weighed stacks, by event.
 */
#include <regex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu-list.h"
#include "profile/collector.h"
#include "profile/filter-request.h"
#include "profile/parallelism.h"
#include "profile/report-plan.h"
#include "profile/wall-clock.h"
#include "session/event-switch.h"
#include "session/sample-filter.h"
#include "symbol/symbol-request.h"
#include "wire/topology.h"

struct diag;
struct field_ref;
struct notes;
struct progress;
struct session;
struct shared_values;
struct symbolizer;
struct workers;

/* As deep as the kernel looks, unless told otherwise. */
#define PROFILE_MAX_STACK 127

/* Texts, lists and windows are borrowed until profile_done(). */
struct profile_request {
	const char *path; /* "-": standard input */
	bool force;       /* files of other owners too */
	bool in_file_order;
	struct symbol_request symbols;
	const char *buildid_dir; /* of the cache that goes with the files; NULL: there is none */
	bool ignore_vmlinux;
	unsigned verbose;          /* functions with their parameters */
	struct progress *progress; /* or NULL */
	/* Shared with other profiles of the same recording, and borrowed; NULL: one of its own. */
	struct symbolizer *shared;
	uint64_t first_bytes;    /* only so much of it is read, about; 0: everything */
	const atomic_bool *stop; /* -ECANCELED once it is true; borrowed, or NULL */

	struct filter_request filter;
	bool of_socket; /* only @socket */
	int64_t socket;
	bool hide_unresolved;       /* frames and samples without a function */
	const char *parent;         /* an expression that compiles, for callers; NULL: the default
				       one, where callers are asked for */
	bool exclude_other;         /* only samples with such a caller */
	const char *ignore_callees; /* an expression that compiles; stacks end where it matches */

	struct report_mode_request mode;
	/*
	 * Sort keys and what is shown of them. Left to profile_collect(): its mode, what filters
	 * leave only one of, and that callers have rows only where there are stacks.
	 */
	struct report_request plan;
	bool with_stacks;     /* are wanted for more than callers: as trees, as boxes */
	bool requires_stacks; /* -ENODATA without: -g was typed */
	bool callers_first;   /* the way that call trees go, and --max-stack counts */
	size_t max_stack;     /* frames; mostly PROFILE_MAX_STACK */
	/*
	 * The part, of 1, of all samples of an event below which a row has no call tree. Where
	 * stacks are only for call trees, those of lighter rows are not looked at. 0: every stack
	 * is wanted.
	 */
	double trees_from;
	bool by_address;    /* frames of one function are told apart by their address */
	bool references;    /* events without stacks have those of others */
	bool history;       /* the last branches are part of stacks */
	bool history_notes; /* and what is known of them is wanted */
	bool blocks;        /* and the blocks between branches */
	bool with_log;      /* samples are kept with their times: collector_log() */
	bool with_strip;    /* samples are counted over time: collector_strip() */

	/* A field of tracepoints that samples weigh, in the place of their period; NULL: none. */
	const char *weight_field;

	/* Time on and off the CPU is one event, WALL_CLOCK_NAME (profile/wall-clock.h). */
	bool wall;

	/* Only samples while so many threads ran: a list of numbers that parses; NULL: all. */
	const char *parallelism;

	uint64_t time_quantum_ns; /* of the sort key time */
	uint64_t time_shift_ns;   /* the same: added to times, which may wrap around */
	bool raw_trace;           /* fields of tracepoints as they are */
};

struct profile {
	struct profile_request rq;

	/* Of profile_open(). */
	struct symbolizer *symbolizer;
	struct session *session;
	struct time_span *spans;
	struct sample_filter_request filter_request;
	struct sample_filter *filter;
	struct sample_filter_request untimed_request; /* with_strip: of all times */
	struct sample_filter *untimed;

	/* Of profile_collect() or profile_begin(). */
	struct workers *workers;
	enum report_mode mode;
	struct report_plan plan;
	struct key_env env;
	struct frames *places; /* that the log refers to; NULL: there is none */
	struct collector *collector;

	/* Private: */
	struct event_switch between;
	struct topology topology; /* with of_socket */
	regex_t parent, ignored;
	bool has_parent, has_ignored;
	struct field_ref *weights; /* by event; with weight_field */
	struct diag *diag;
	bool is_live; /* the session is borrowed */
	struct parallelism running;
	uint64_t n_alone, n_together; /* samples while one thread ran, and while several did */
	struct cpu_list parallel;
	struct wall_clock wall;
	bool leaves_first; /* samples are read twice: see profile_collect() */
	bool *heavy;       /* by frame, the first n_heavy: heavy_frames_find(); or NULL */
	uint32_t n_heavy;
};

/*
 * Opens the recording. A negative errno with @diag; profile_done() is called in any case, also for
 * a profile that is all zeros.
 */
int profile_open(struct profile *p, const struct profile_request *rq, struct diag *diag);
void profile_done(struct profile *p);

/*
 * Plans, and reads all samples. -EINVAL with the mistake in @diag if the keys or what is to be
 * shown do not go with the recording, -ENODATA if that has no stacks, or those of session_feed().
 */
int profile_collect(struct profile *p, struct diag *diag);

/*
 * In place of profile_collect(), for those who feed the collector by themselves: the plan and a
 * collector for one worker, once the events are known; and what follows the last sample. Errors are
 * those of profile_collect().
 */
int profile_begin(struct profile *p, struct diag *diag);
void profile_settle(struct profile *p);

/*
 * In place of profile_open() and profile_begin(), for a live session @s, which is borrowed and
 * forgets what is past: names and maps are copied. @values, or NULL, are those of another such
 * profile: texts are shared. The symbols of @rq are not looked at. Errors as above; profile_done()
 * is called in any case.
 */
int profile_begin_live(struct profile *p, const struct profile_request *rq, struct session *s,
		       struct shared_values *values, struct diag *diag);

/* After profile_collect(): whether any sample of any event counts. */
bool profile_has_samples(const struct profile *p);

/* After profile_collect(): whether functions are asked for by name, as rows or in stacks. */
bool profile_shows_names(const struct profile *p);

/* PERF_SAMPLE_* that any of the events was recorded with, once the events are known. */
uint64_t profile_sample_types(const struct profile *p);

/* After reading, however it ended: warnings on damage, lost records and stacks that end early. */
void profile_note(const struct profile *p, struct notes *notes);

/*
 * Which functions have a row that is heavy enough for a call tree.
 *
 * Call trees leave out branches below a share of all samples, so that a row below it has no tree,
 * and the stacks of its samples are never shown. Mostly that are most samples.
 */

struct collector;
struct report_options;

/*
 * By frame, whether a row of it weighs at least the part @threshold, of 1, of its event, in a
 * settled collector of @session's samples. Rows are those of @o, which are samples' own functions.
 * The caller frees the result.
 */
bool *heavy_frames_find(const struct report_options *o, const struct session *session,
			const struct collector *c, double threshold);
