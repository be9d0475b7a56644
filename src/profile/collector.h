/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From samples to weighed stacks: the data from which a report is made.
 *
 * A sample becomes a few numbers: its context (the values of those keys that look at the whole
 * sample), the frames of its stack, and its weight, which is added to the stack's node below the
 * context's root. Several workers collect side by side, each into tables of its own, which are
 * merged in the end. Memory grows with the number of distinct stacks, not with that of samples.
 */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/branch-blocks.h"
#include "profile/branch-note.h"
#include "profile/branch-stats.h"
#include "profile/frame-choice.h"
#include "base/contexts.h"
#include "profile/key.h"
#include "profile/report-mode.h"
#include "profile/row-sums.h"
#include "profile/stacks.h"
#include "session/call-sites.h"

struct cell_log;
struct cpu_list;
struct event_switch;
struct field_ref;
struct parallelism;
struct sample_batch;
struct sample_filter;
struct session_sample;
struct time_strip;
struct topology;
struct wall_clock;

struct collector_options {
	struct key_env *env;
	const struct key *keys;
	size_t n_keys;
	enum report_mode mode;
	const struct sample_filter *filter; /* by task, name and place; NULL: everything counts */
	struct event_switch *between;       /* NULL: none. With it, samples come in order */
	const struct topology *topology;    /* if set, only @socket counts; NULL: all sockets do */
	int64_t socket;
	bool with_stacks;         /* use stacks, if they were recorded */
	enum inlines inlines;     /* whether inlined functions are frames of stacks */
	bool callers_first;       /* call trees begin with the callers */
	bool by_mode;             /* weights are needed by mode: user, kernel, ... */
	unsigned needs;           /* enum row_needs: what else weights are needed by */
	bool hide_unresolved;     /* drop frames and samples without a function: -U */
	enum frame_choice frames; /* drop native frames, or interpreted ones */
	bool references;          /* events without stacks use those of others */
	bool history;             /* the last branches are part of stacks */
	bool notes;               /* collect notes on these branches too */
	bool blocks;              /* collect the blocks between branches too: --total-cycles */
	/* --stitch-lbr, and the number of calls that the hardware can hold; 0: not used. */
	uint64_t lbr_registers;
	size_t max_stack;
	/*
	 * Samples are logged with their times, using these places (frames_new_places()); NULL: no
	 * log.
	 */
	struct frames *places;
	/*
	 * Samples are counted over time: collector_strip(). Samples at times that @filter leaves
	 * out are taken for this too, and for nothing else.
	 */
	bool with_strip;
	const regex_t *parent;         /* callers for KEY_WANTS_PARENT; NULL: none */
	bool only_with_parent;         /* -x */
	bool by_place;                 /* samples without a place in @filter are left out */
	const regex_t *ignore_callees; /* NULL: none */
	/*
	 * By index of the event: the tracepoint field that gives the weight of samples, instead of
	 * their period. NULL: periods count.
	 */
	const struct field_ref *weights;
	size_t n_weights;
	/*
	 * Time off the CPU is added to the tally of the event that measures the time on it, and the
	 * periods of both are nanoseconds; NULL: each event has its own tally. Copied.
	 */
	const struct wall_clock *wall;
	/*
	 * The number of threads that run now; samples must come in order for it. NULL: not needed.
	 * Samples at other numbers than those of @parallel are left out; NULL: none are. Borrowed.
	 */
	const struct parallelism *running;
	const struct cpu_list *parallel;
	bool joined; /* samples of all events are added to the tally of the first */
	/* Stacks are ignored: a sample is below its context by its own function alone. */
	bool leaves_only;
	/*
	 * By frame, for the first @n_chosen: whether samples of this function are taken. The other
	 * samples are counted by a collector with leaves_only: collector_add_leaves(). NULL: all
	 * are taken. Borrowed.
	 */
	const bool *chosen;
	uint32_t n_chosen;
	unsigned n_workers;
};

/*
 * The values of a context are those of the keys, in their order (0 if a key looks at frames),
 * followed by these, which no row shows.
 */
enum {
	HIDDEN_LEFT_OUT, /* 1: left out by a filter for tasks, sockets or places, or by -x */
	HIDDEN_KIND,     /* see hidden_kind() */
	HIDDEN_WEIGHT,   /* the first weight, with ROW_NEEDS_WEIGHTS; otherwise 0 */
	HIDDEN_PARALLEL, /* the number of running threads, with ROW_NEEDS_LATENCY */
	N_HIDDEN,
};

/*
 * Packs the kind of a sample into one number; parts that are not requested are 0. The parts are
 * enum address_mode with by_mode, the classes of its data source with ROW_NEEDS_MEMORY
 * (profile/memory-classes.h), and its second and third weight with ROW_NEEDS_WEIGHTS.
 */
static inline uint64_t hidden_kind(unsigned mode, uint32_t classes, uint16_t second, uint16_t third)
{
	return mode | (uint64_t)classes << 8 | (uint64_t)second << 32 | (uint64_t)third << 48;
}

static inline unsigned hidden_mode(uint64_t kind)
{
	return kind & 0xff;
}

static inline uint32_t hidden_classes(uint64_t kind)
{
	return (uint32_t)(kind >> 8 & 0xffffff);
}

/* Returns the second weight for 1, the third for 2. */
static inline uint16_t hidden_weight(uint64_t kind, unsigned which)
{
	return (uint16_t)(kind >> (16 + 16 * which));
}

/* The collected samples of one event. */
struct tally {
	struct contexts contexts;
	struct stacks stacks;
	struct weight total;
	/*
	 * With collector_options.weights, the number of samples without a weight: the field is
	 * below 0, or the record does not have it.
	 */
	uint64_t n_negative, n_without;
	struct branch_stats branches; /* used with REPORT_BRANCH */
	struct branch_blocks blocks;  /* used with collector_options.blocks */
	struct branch_notes notes;    /* with collector_options.notes: by node of @stacks */
	/* With ROW_NEEDS_BRANCHES and notes: by node, the sums of the stacks that end there. */
	struct {
		struct branch_sums *items;
		size_t n, room;
	} branch_sums;
};

struct collector;

struct collector *collector_new(const struct collector_options *o);
void collector_free(struct collector *c);
DEFINE_FREEP(collector)

/*
 * Takes samples. Workers with different numbers may do so at once, in any order. With
 * lbr_registers, notes, references or between, samples must come in order and from one worker.
 */
void collector_take(struct collector *c, const struct sample_batch *b);

/*
 * Returns the node of the stack of @s in the tally of its event, for callers that learn its weight
 * later: no weight is added. STACK_NONE: it has no stack. *@ret_left_out: true if the filter leaves
 * the sample out. Only for a collector with one worker, in order; nodes keep their numbers.
 */
uint32_t collector_place(struct collector *c, const struct session_sample *s, bool *ret_left_out);

/* Merges the tables of the workers. No samples may be taken after this. */
void collector_settle(struct collector *c);

/*
 * Adds the samples of @from that were not chosen for @to. @from is settled, has leaves_only and
 * otherwise the same options; @to is not settled yet.
 */
void collector_add_leaves(struct collector *to, const struct collector *from);

/*
 * Returns a settled copy of the samples collected up to now, to which nothing can be added; it
 * shares frames and values. This and the next functions are for collectors of one worker that run
 * for long (profile/collector-live.c).
 */
struct collector *collector_copy(struct collector *c);

/*
 * Forgets samples at random, so that @left of @of are left. Returns how many nodes of stacks still
 * have a weight; *@ret_nodes: the number of all nodes.
 */
size_t collector_fade(struct collector *c, unsigned left, unsigned of, size_t *ret_nodes);

/*
 * Adds everything in @from that has a weight to @to, which is new. @from has the same keys, shared
 * values, and frames of its own. Nodes and frames without a weight are not copied.
 */
void collector_carry(struct collector *to, const struct collector *from);

/*
 * Returns every sample that no filter for tasks left out, after collector_settle(). Without places
 * there are none.
 */
struct cell_log *collector_log(const struct collector *c);

/*
 * Returns all samples over time that the filters leave, not counting the filter for times, after
 * collector_settle(). NULL: this was not requested.
 */
const struct time_strip *collector_strip(const struct collector *c);

/* Returns the tally of event @index, after collector_settle(). */
const struct tally *collector_tally(const struct collector *c, size_t index);
