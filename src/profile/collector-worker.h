/* SPDX-License-Identifier: MIT */
#pragma once
/* The internals of a collector: the data of one worker. Private to profile/collector*. */
#include "profile/branch-history.h"
#include "profile/cell-log.h"
#include "profile/collector.h"
#include "profile/sample-memo.h"
#include "profile/stack-path.h"

struct lbr_stitch;
struct time_strip;
struct reference_stacks;

/* By frame, whether a filter for places leaves it out: 0 not checked yet, 1 no, 2 yes. */
struct place_marks {
	uint8_t *known;
	size_t room;
};

/* The last lookup for an event, because most samples have the same context as the one before. */
struct tally_memo {
	uint64_t *values;
	uint32_t context, root;
	bool valid;
};

struct collector_worker {
	const struct collector_options *options;
	struct resolver resolver;
	struct stack_path path;
	struct frame_marks parents, ignored;
	struct tally *tallies; /* indexed by event */
	struct tally_memo *memos;
	size_t n_tallies;
	uint64_t *values;          /* the values of the current context */
	uint32_t placed;           /* the node of the last sample; STACK_NONE: it has none */
	struct span placed_span;   /* times at which an equal sample has the same node */
	struct sample_memo memo;   /* remembers equal samples */
	bool has_memo;             /* equal samples have the same node */
	struct lbr_stitch *stitch; /* or NULL */
	struct branch_history history;
	struct reference_stacks *references; /* or NULL */
	/* Branches by address, with options.blocks: profile/collector-branch.h. */
	struct {
		struct frames *frames;
		struct resolver resolver;
	} places;
	/* Samples with their times, with options.places. */
	struct {
		struct cell_log cells;
		struct resolver resolver;
	} log;
	/* Used with options.with_strip: see profile/collector-strip.h. */
	struct time_strip *strip;
	struct place_marks elsewhere;
};

struct collector {
	struct collector_options options;
	struct collector_worker *workers; /* options.n_workers of them */
	uint64_t random;                  /* the random state that chooses samples to forget */
};

/* A sample that is being collected. */
struct collected {
	const struct session_event *event;
	const struct sample *sample;
	const struct resolved_task *task;
	uint64_t time;
	/* the sampled address, or the one in the stack for which it counts instead */
	uint64_t ip;
	enum address_mode mode;
	uint64_t order; /* its rank among all samples: its time, or its place in the file */
	struct weight weight;
	bool left_out; /* has a weight, but no row */
};

/* Makes tallies for the first @n events. A stream may report more events later. */
void collector_reserve(struct collector_worker *w, size_t n);

/* Returns the sample as keys see it, without frames yet. */
struct key_sample collected_key_sample(const struct collected *c);

/* Returns the frame at @ip for the sample's task. */
uint32_t collected_frame(struct collector_worker *w, const struct collected *c,
			 enum address_mode mode, uint64_t ip);

/* Adds the weight of @c at the path of @w, below the context that @s has; ks->frame was sampled. */
void collected_add(struct collector_worker *w, const struct collected *c,
		   const struct key_sample *ks);
