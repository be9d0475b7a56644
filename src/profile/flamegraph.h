/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The boxes of a flame graph, from a recording or from folded lines.
 */
#include <stdbool.h>
#include <stdint.h>

#include "profile/flame-stacks.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/profile.h"

struct diag;
struct diff_inputs;
struct notes;

/* What is drawn of a recording. Texts are borrowed. */
struct flame_choice {
	const char *event;  /* a name, or a part of one; NULL: the first that has samples */
	const char *weight; /* "samples", "period", or a field of the tracepoint; NULL: samples */
	struct flame_roots roots;
	bool has_roots; /* @roots was set; otherwise stacks stand on commands, with @wall on
			   threads */
	bool off_cpu;   /* stacks weigh how long threads waited there, not samples */
	bool wall;      /* the same for all of their time, running and waiting */
	uint64_t min_wait_ns, max_wait_ns; /* single waits that count; 0: no limit */
};

struct flamegraph_request {
	struct profile_request profile; /* its keys and stacks are left to the job */
	struct flame_choice choice;
	const char *part; /* only samples in functions whose name contains it; NULL: all */
	bool reverse;     /* the innermost function comes first */
	bool without_stacks;
	bool folded_names; /* names for lines of text, */
	bool folded_kinds; /* which tell their kind */
	/* What is compared, in place of the profile's path: before and after. NULL: nothing is. */
	const struct diff_inputs *sides;
	bool with_samples; /* flamegraph.samples is wanted */
};

struct flamegraph {
	struct flame *flame;
	/* The same stacks by their number of samples or waits; NULL: those of @flame weigh that. */
	struct flame *samples;
	bool is_folded;    /* folded lines were read, and not a recording */
	const char *event; /* that is drawn; NULL: not known */
	/* Of the weights: "samples", "ns", "waits", a field, an event; static or borrowed. */
	const char *unit;
	struct profile profile; /* of a recording, collected; else all zeros */
};

/*
 * Reads the input and makes the boxes. Adds what there is to say to @notes, also if it fails.
 * -ENODATA with @diag: nothing is there to be drawn; -EINVAL: what was asked for does not go with
 * the recording; others are those of profile_collect(). flamegraph_done() is called in any case.
 */
int flamegraph_make(struct flamegraph *g, const struct flamegraph_request *rq, struct notes *notes,
		    struct diag *diag);
void flamegraph_done(struct flamegraph *g);

/*
 * For profile/flamegraph-*: what stacks stand on, and whether samples of @e tell that (-EINVAL with
 * @diag if not); the profile that is read for it, by the keys @sort,
 * which flame_roots_sort() gave; and how boxes are made of its stacks.
 */
const struct flame_roots *flamegraph_roots(const struct flamegraph_request *rq);
int flamegraph_check_roots(const struct flamegraph_request *rq, const struct session_event *e,
			   struct diag *diag);
struct profile_request flamegraph_profile(const struct flamegraph_request *rq, const char *sort);
struct flame_stacks_options flamegraph_stacks(struct flamegraph *g,
					      const struct flamegraph_request *rq);
