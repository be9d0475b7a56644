/* SPDX-License-Identifier: MIT */
#pragma once
/* Makes the boxes of a flame graph, from a recording or from folded lines. */
#include <stdbool.h>
#include <stdint.h>

#include "profile/flame-stacks.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/profile.h"

struct diag;
struct diff_inputs;
struct notes;

/* The choice of what is drawn of a recording. Texts are borrowed. */
struct flame_choice {
	const char *event;  /* a name, or a part of one; NULL: the first with samples */
	const char *weight; /* "samples", "period", or a field of the tracepoint; NULL: samples */
	struct flame_roots roots;
	/* @roots was set; otherwise stacks stand on commands, or threads with @wall */
	bool has_roots;
	bool off_cpu; /* stacks weigh the time that threads waited, not samples */
	bool wall;    /* the same for all of the threads' time, running and waiting */
	uint64_t min_wait_ns, max_wait_ns; /* limits for single waits; 0: no limit */
};

struct flamegraph_request {
	struct profile_request profile; /* the job sets its keys and stacks */
	struct flame_choice choice;
	const char *part; /* only samples in functions whose name contains it; NULL: all */
	bool reverse;     /* the innermost function comes first */
	bool without_stacks;
	bool folded_names; /* names for lines of text, */
	bool folded_kinds; /* with suffixes for their kinds */
	/*
	 * The sides of a comparison, before and after, instead of the profile's path. NULL: nothing
	 * is compared.
	 */
	const struct diff_inputs *sides;
	bool with_samples; /* flamegraph.samples is wanted */
};

struct flamegraph {
	struct flame *flame;
	/*
	 * The same stacks by their number of samples or waits; NULL: the weights of @flame are
	 * these.
	 */
	struct flame *samples;
	bool is_folded;    /* folded lines were read, and not a recording */
	const char *event; /* the event that is drawn; NULL: not known */
	/*
	 * The unit of the weights: "samples", "ns", "waits", a field, an event; static or borrowed.
	 */
	const char *unit;
	struct profile profile; /* a collected recording; otherwise all zeros */
};

/*
 * Reads the input and makes the boxes. Adds notes to @notes, also on failure. -ENODATA with @diag:
 * there is nothing to draw; -EINVAL: the request does not go with the recording; other errors are
 * those of profile_collect(). flamegraph_done() is called in any case.
 */
int flamegraph_make(struct flamegraph *g, const struct flamegraph_request *rq, struct notes *notes,
		    struct diag *diag);
void flamegraph_done(struct flamegraph *g);

/*
 * For profile/flamegraph-* only. flamegraph_roots() returns what stacks stand on.
 * flamegraph_check_roots() checks that samples of @e have the data for that (-EINVAL with @diag if
 * not). flamegraph_profile() returns the request for the profile, with the keys @sort, which
 * flame_roots_sort() returned. flamegraph_stacks() returns how boxes are made of the stacks.
 */
const struct flame_roots *flamegraph_roots(const struct flamegraph_request *rq);
int flamegraph_check_roots(const struct flamegraph_request *rq, const struct session_event *e,
			   struct diag *diag);
struct profile_request flamegraph_profile(const struct flamegraph_request *rq, const char *sort);
struct flame_stacks_options flamegraph_stacks(struct flamegraph *g,
					      const struct flamegraph_request *rq);
