/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From samples to weighed stacks: what a report is made of.
 *
 * A sample becomes a handful of numbers: its context (the values of those keys that look at the
 * whole sample), the frames of its stack and its weight, which is added to the stack's node below
 * the context's root. Several workers collect side by side, each into tables of its own, which are
 * merged in the end. Memory grows with distinct stacks, not with samples.
 */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/branch-blocks.h"
#include "profile/branch-note.h"
#include "profile/branch-stats.h"
#include "profile/contexts.h"
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
	struct event_switch *between;       /* NULL: none. Samples come in order with it */
	const struct topology *topology;    /* where only @socket counts; NULL: all do */
	int64_t socket;
	bool with_stacks;     /* wanted where they were recorded */
	enum inlines inlines; /* whether functions that were inlined are frames of stacks */
	bool callers_first;   /* the way that call trees go */
	bool by_mode;         /* weights are wanted by mode: user, kernel, ... */
	unsigned needs;       /* enum row_needs: what else they are wanted by */
	bool hide_unresolved; /* frames and samples without a function: -U */
	bool references;      /* events without stacks have those of others */
	bool history;         /* the last branches are part of stacks */
	bool notes;           /* and what is known of them is wanted */
	bool blocks;          /* and the blocks between branches: --total-cycles */
	/* --stitch-lbr, and how many calls the hardware has room for; 0: not. */
	uint64_t lbr_registers;
	size_t max_stack;
	/* Samples are logged with their times, and these places (frames_new_places()) are used for
	 * it; NULL: no log. */
	struct frames *places;
	/*
	 * Samples are counted over time: collector_strip(). Those at times that @filter leaves out
	 * are taken for it, too, and for nothing else.
	 */
	bool with_strip;
	const regex_t *parent;         /* callers that KEY_WANTS_PARENT asks for; NULL: none */
	bool only_with_parent;         /* -x */
	bool by_place;                 /* samples that @filter has no place for are left out */
	const regex_t *ignore_callees; /* NULL: none */
	/*
	 * By index of the event: the field of a tracepoint that samples weigh, in the place of
	 * their period. NULL: periods count.
	 */
	const struct field_ref *weights;
	size_t n_weights;
	/*
	 * Time off the CPU is added to the tally of the event that tells the time on it, and the
	 * periods of both are nanoseconds; NULL: each event has its own. Copied.
	 */
	const struct wall_clock *wall;
	/*
	 * How many threads run now, who the samples come in order for; NULL: nobody asks. Samples
	 * at other numbers than those of @parallel are left out; NULL: none are. Borrowed.
	 */
	const struct parallelism *running;
	const struct cpu_list *parallel;
	bool joined; /* samples of all events are added to the tally of the first */
	/* Stacks are not looked at: a sample is below its context by its own function alone. */
	bool leaves_only;
	/*
	 * By frame, the first @n_chosen: whether samples of this function are taken. Those of the
	 * others are counted by a collector with leaves_only: collector_add_leaves(). NULL: all
	 * are. Borrowed.
	 */
	const bool *chosen;
	uint32_t n_chosen;
	unsigned n_workers;
};

/*
 * The values of a context are those of the keys, in their order (0 where a key looks at frames),
 * and behind them the ones that no row shows.
 */
enum {
	HIDDEN_LEFT_OUT, /* 1: a filter for tasks, sockets or places, or -x, leaves it out */
	HIDDEN_KIND,     /* see hidden_kind() */
	HIDDEN_WEIGHT,   /* the first weight, with ROW_NEEDS_WEIGHTS; else 0 */
	HIDDEN_PARALLEL, /* how many threads ran, with ROW_NEEDS_LATENCY; else 0 */
	N_HIDDEN,
};

/*
 * What a sample is, in one number; 0 is what nobody asked for: enum address_mode with by_mode,
 * the classes of its data source with ROW_NEEDS_MEMORY (profile/memory-classes.h), its second and
 * third weight with ROW_NEEDS_WEIGHTS.
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

/* The second weight for 1, the third for 2. */
static inline uint16_t hidden_weight(uint64_t kind, unsigned which)
{
	return (uint16_t)(kind >> (16 + 16 * which));
}

/* All samples of an event. */
struct tally {
	struct contexts contexts;
	struct stacks stacks;
	struct weight total;
	/* With collector_options.weights, samples that weigh nothing: the field is below 0, or the
	 * record does not have it. */
	uint64_t n_negative, n_without;
	struct branch_stats branches; /* of REPORT_BRANCH */
	struct branch_blocks blocks;  /* of collector_options.blocks */
	struct branch_notes notes;    /* of collector_options.notes: by node of @stacks */
	/* With ROW_NEEDS_BRANCHES and notes: by node, those of the stacks that end there. */
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
 * Takes samples. Workers with different numbers may do so at once, in any order; with
 * lbr_registers, notes, references or between they come in order and from one worker.
 */
void collector_take(struct collector *c, const struct sample_batch *b);

/*
 * The node of the stack of @s in the tally of its event, for those who find out later what it
 * weighs: nothing is added. STACK_NONE: it has none. *@ret_left_out: whether the filter leaves it
 * out. Only for a collector with one worker, in order; nodes keep their numbers.
 */
uint32_t collector_place(struct collector *c, const struct session_sample *s, bool *ret_left_out);

/* Brings together what the workers have; nothing may be taken any more. */
void collector_settle(struct collector *c);

/*
 * Adds the samples of @from that the choice of @to passed over. @from is settled, has leaves_only
 * and otherwise the same options; @to is not settled yet.
 */
void collector_add_leaves(struct collector *to, const struct collector *from);

/*
 * For collectors of one worker that go on for long (profile/collector-live.c). A settled copy of
 * what was collected until now, to which nothing can be added; it shares frames and values.
 */
struct collector *collector_copy(struct collector *c);

/*
 * Forgets samples at random, so that @left of @of are left. Returns how many nodes of stacks still
 * weigh something; *@ret_nodes: of how many.
 */
size_t collector_fade(struct collector *c, unsigned left, unsigned of, size_t *ret_nodes);

/*
 * Adds what weighs something in @from, which has the same keys and shared values and frames of its
 * own, to @to, which is new. Nodes and frames that weigh nothing are left behind.
 */
void collector_carry(struct collector *to, const struct collector *from);

/* Every sample that no filter for tasks left out, after collector_settle(); without places: none.
 */
const struct cell_log *collector_log(const struct collector *c);

/*
 * All samples over time that filters other than that for times leave, after collector_settle().
 * NULL: that was not asked for.
 */
const struct time_strip *collector_strip(const struct collector *c);

/* Of event @index, after collector_settle(). */
const struct tally *collector_tally(const struct collector *c, size_t index);
