/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The sums of a recording's samples, for everything that shows them: rows, call trees, flame
 * graphs, pages.
 *
 * A plain request names the recording, the sources of names, the filters for samples and the values
 * by which samples are told apart. profile_open() opens it: session, symbols and filter exist
 * afterwards, also for callers that feed a consumer of their own. profile_collect() reads it: the
 * tallies of the collector hold weighed stacks, by event.
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

/* The kernel's default limit for the depth of stacks. */
#define PROFILE_MAX_STACK 127

/* The request. Texts, lists and windows are borrowed until profile_done(). */
struct profile_request {
	const char *path; /* "-": standard input */
	bool force;       /* read files of other owners too */
	bool in_file_order;
	struct symbol_request symbols;
	const char *buildid_dir; /* the files' own build-id cache; NULL: none */
	bool ignore_vmlinux;
	unsigned verbose;          /* show functions with their parameters */
	struct progress *progress; /* or NULL */
	/*
	 * Shared with other profiles of the same recording, and borrowed; NULL: the profile makes
	 * its own.
	 */
	struct symbolizer *shared;
	uint64_t first_bytes; /* read only about this many bytes; 0: everything */
	/* reading ends with -ECANCELED once it is true; borrowed, or NULL */
	const atomic_bool *stop;

	struct filter_request filter;
	bool of_socket; /* only samples of @socket count */
	int64_t socket;
	bool hide_unresolved; /* hide frames and samples without a function */
	enum frame_choice frames;
	/*
	 * an expression that compiles, for callers; NULL: the default one, if callers are requested
	 */
	const char *parent;
	bool exclude_other;         /* only samples with such a caller */
	const char *ignore_callees; /* an expression that compiles; stacks end where it matches */

	struct report_mode_request mode;
	/*
	 * Sort keys and the columns that are shown. profile_collect() sets its mode, the columns
	 * that filters make constant, and that callers have rows only if there are stacks.
	 */
	struct report_request plan;
	bool with_stacks;     /* wanted for more than callers: for trees, for boxes */
	bool requires_stacks; /* -ENODATA without stacks: -g was typed */
	bool callers_first;   /* call trees begin with the callers; --max-stack counts so too */
	uint64_t max_stack;   /* in frames; mostly PROFILE_MAX_STACK */
	/*
	 * The fraction of all samples of an event below which a row has no call tree. If stacks are
	 * only for call trees, those of lighter rows are ignored. 0: every stack is needed.
	 */
	double trees_from;
	bool by_address;    /* frames of one function are told apart by their address */
	bool references;    /* events without stacks use those of others */
	bool history;       /* the last branches are part of stacks */
	bool history_notes; /* collect notes on these branches too */
	bool blocks;        /* collect the blocks between branches too */
	bool with_log;      /* samples are kept with their times: collector_log() */
	bool with_strip;    /* samples are counted over time: collector_strip() */

	/*
	 * The field of tracepoints that gives the weight of samples, instead of their period; NULL:
	 * none.
	 */
	const char *weight_field;

	/* Time on and off the CPU is one event, WALL_CLOCK_NAME (profile/wall-clock.h). */
	bool wall;

	/*
	 * Only samples taken while this many threads ran: a list of numbers that parses; NULL: all.
	 */
	const char *parallelism;

	uint64_t time_quantum_ns; /* for the sort key time */
	uint64_t time_shift_ns;   /* likewise: added to times, which may wrap around */
	bool raw_trace;           /* show fields of tracepoints unformatted */
};

struct profile {
	struct profile_request rq;

	/* Set by profile_open(): */
	struct symbolizer *symbolizer;
	struct session *session;
	struct time_span *spans;
	struct sample_filter_request filter_request;
	struct sample_filter *filter;
	/* with_strip: the request without the filter for times */
	struct sample_filter_request untimed_request;
	struct sample_filter *untimed;

	/* Set by profile_collect() or profile_begin(). */
	struct workers *workers;
	enum report_mode mode;
	struct report_plan plan;
	struct key_env env;
	struct frames *places; /* frames to which the log refers; NULL: no log */
	struct collector *collector;

	/* Private: */
	struct event_switch between;
	struct topology topology; /* used with of_socket */
	regex_t parent, ignored;
	bool has_parent, has_ignored;
	struct field_ref *weights; /* by event; used with weight_field */
	struct diag *diag;
	bool is_live; /* the session is borrowed */
	struct parallelism running;
	uint64_t n_alone, n_together; /* samples while one thread ran, and while several did */
	struct cpu_list parallel;
	struct wall_clock wall;
	bool leaves_first; /* samples are read twice: see profile_collect() */
	bool *heavy;       /* by frame, for the first n_heavy: heavy_frames_find(); or NULL */
	uint32_t n_heavy;
};

/*
 * Opens the recording. Returns a negative errno with @diag; profile_done() is called in any case,
 * also for a profile that is all zeros.
 */
int profile_open(struct profile *p, const struct profile_request *rq, struct diag *diag);
void profile_done(struct profile *p);

/*
 * Plans, and reads all samples. -EINVAL with the mistake in @diag if the keys or columns do not go
 * with the recording, -ENODATA if it has no stacks, or the errors of session_feed().
 */
int profile_collect(struct profile *p, struct diag *diag);

/*
 * Used instead of profile_collect() by callers that feed the collector themselves. profile_begin()
 * makes the plan and a collector for one worker, once the events are known; profile_settle() does
 * the work after the last sample. Errors are those of profile_collect().
 */
int profile_begin(struct profile *p, struct diag *diag);
void profile_settle(struct profile *p);

/*
 * Used instead of profile_open() and profile_begin() for a live session @s, which is borrowed and
 * forgets the past: names and maps are copied. @values, or NULL, are those of another such profile,
 * so that texts are shared. The symbols of @rq are not used. Errors as above; profile_done() is
 * called in any case.
 */
int profile_begin_live(struct profile *p, const struct profile_request *rq, struct session *s,
		       struct shared_values *values, struct diag *diag);

/* True if any sample of any event counts. To be called after profile_collect(). */
bool profile_has_samples(const struct profile *p);

/*
 * True if functions are shown by name, as rows or in stacks. To be called after profile_collect().
 */
bool profile_shows_names(const struct profile *p);

/*
 * Returns the PERF_SAMPLE_* bits with which any of the events was recorded, once the events are
 * known.
 */
uint64_t profile_sample_types(const struct profile *p);

/*
 * Adds warnings about damage, lost records and stacks that end early. To be called after reading,
 * however it ended.
 */
void profile_note(const struct profile *p, struct notes *notes);

/*
 * Finds the functions that have a row that is heavy enough for a call tree.
 *
 * Call trees leave out branches below a share of all samples, so a row below it has no tree, and
 * the stacks of its samples are never shown. Usually these are most samples.
 */

struct collector;
struct report_options;

/*
 * Returns, by frame, whether a row of it weighs at least the fraction @threshold of its event, in a
 * settled collector of @session's samples. Rows are those of @o, which are samples' own functions.
 * The caller frees the result.
 */
bool *heavy_frames_find(const struct report_options *o, const struct session *session,
			const struct collector *c, double threshold);
