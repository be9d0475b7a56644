/* SPDX-License-Identifier: MIT */
/*
 * From weighed stacks to rows.
 *
 * A node of the trie belongs to one row: that of its root's context and of its frame. So a row is
 * found by two numbers: the visible part of the context, and the values of the frame's keys.
 * Everything is summed up in one walk over the nodes. A caller's total is the sum of its nodes'
 * totals, without nodes below another node of the same row (recursion).
 */
#include "profile/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/workers.h"
#include "profile/row-order.h"
#include "session/sample-filter.h"
#include "symbol/symbol.h"

#define NO_ROW    UINT32_MAX
#define SLOTS_MIN 1024

/* A single thread is faster if there are fewer nodes than this. */
#define SHARED_NODES_MIN 4096

struct row_slot {
	uint64_t key; /* the visible context and the place */
	uint32_t row; /* NO_ROW: a free slot */
};

struct report_builder {
	const struct report_options *o;
	const struct tally *tally;
	struct contexts visible; /* contexts by the parts that rows show */
	uint32_t *visible_of;    /* indexed by context */
	struct contexts places;  /* the values of the frames' keys */
	uint32_t *place_of;      /* by frame; NO_ROW: not known yet */
	uint32_t *row_of;        /* indexed by node */
	bool *is_outermost;      /* by node: no other node of its row is above it */
	uint64_t *values;        /* the values of the current tuple */
	struct report_row *rows;
	size_t n, room;
	struct row_slot *slots; /* a hash table */
	size_t n_slots;         /* a power of two */
	uint64_t seed;          /* for base/hash.h */
};

static void report_slots_new(struct report_builder *b, size_t n)
{
	b->n_slots = n;
	b->seed = hash_seed();
	b->slots = xmalloc(n * sizeof(*b->slots));
	for (size_t i = 0; i < n; i++)
		b->slots[i].row = NO_ROW;
}

static void builder_init(struct report_builder *b, const struct report_options *o,
			 const struct tally *t)
{
	uint32_t n_frames = frames_count(o->env->frames);
	size_t likely = t->stacks.n < 2 * (size_t)n_frames ? t->stacks.n : 2 * (size_t)n_frames;

	*b = (struct report_builder){ .o = o, .tally = t };
	contexts_init(&b->visible, o->n_keys + 1 + HIDDEN_LEFT_OUT);
	contexts_init(&b->places, o->n_keys);
	b->visible_of = xcalloc(t->contexts.n + 1, sizeof(*b->visible_of));
	b->place_of = xmalloc((n_frames + 1) * sizeof(*b->place_of));
	memset(b->place_of, 0xff, n_frames * sizeof(*b->place_of));
	b->row_of = xmalloc((t->stacks.n + 1) * sizeof(*b->row_of));
	b->is_outermost = xcalloc(t->stacks.n + 1, sizeof(*b->is_outermost));
	b->values = xcalloc(o->n_keys + 1, sizeof(*b->values));
	/* Rows are large: copying them while their number grows takes longer than making them. */
	b->rows = array_reserve(NULL, &b->room, likely, sizeof(*b->rows));
	report_slots_new(b, SLOTS_MIN);
	for (uint32_t i = 0; i < t->contexts.n; i++)
		b->visible_of[i] = contexts_add(&b->visible, contexts_get(&t->contexts, i));
}

static void builder_done(struct report_builder *b)
{
	contexts_done(&b->visible);
	contexts_done(&b->places);
	free(b->visible_of);
	free(b->place_of);
	free(b->row_of);
	free(b->is_outermost);
	free(b->values);
	free(b->rows);
	free(b->slots);
}

static uint32_t report_place_of(struct report_builder *b, uint32_t frame)
{
	const struct report_options *o = b->o;

	if (b->place_of[frame] != NO_ROW)
		return b->place_of[frame];
	for (size_t i = 0; i < o->n_keys; i++)
		b->values[i] = o->keys[i].type->of_frame
				       ? o->keys[i].type->of_frame(&o->keys[i], o->env, frame)
				       : 0;
	return b->place_of[frame] = contexts_add(&b->places, b->values);
}

static struct row_slot *report_slot_of(const struct report_builder *b, uint64_t key)
{
	size_t i = (size_t)hash_u64(b->seed, key) & (b->n_slots - 1);

	while (b->slots[i].row != NO_ROW && b->slots[i].key != key)
		i = (i + 1) & (b->n_slots - 1);
	return &b->slots[i];
}

static void report_grow(struct report_builder *b)
{
	_cleanup_(freep) struct row_slot *old = b->slots;
	size_t n = b->n_slots;

	report_slots_new(b, n * 2);
	for (size_t i = 0; i < n; i++)
		if (old[i].row != NO_ROW)
			*report_slot_of(b, old[i].key) = old[i];
}

/* Returns the row of @frame in @context, which is made if it is new. */
static uint32_t report_row_of(struct report_builder *b, uint32_t context, uint32_t frame)
{
	uint64_t key = (uint64_t)b->visible_of[context] << 32 | report_place_of(b, frame);
	struct row_slot *slot = report_slot_of(b, key);

	if (slot->row != NO_ROW)
		return slot->row;
	if (b->n * 2 >= b->n_slots) {
		report_grow(b);
		slot = report_slot_of(b, key);
	}
	b->rows = array_reserve(b->rows, &b->room, b->n + 1, sizeof(*b->rows));
	b->rows[b->n] = (struct report_row){
		.context = context,
		.frame = frame,
		.first_self = STACK_NONE,
		.first_node = STACK_NONE,
	};
	*slot = (struct row_slot){ .key = key, .row = (uint32_t)b->n++ };
	return slot->row;
}

static uint64_t report_hidden(const struct report_builder *b, uint32_t context, size_t which)
{
	return contexts_get(&b->tally->contexts, context)[b->o->n_keys + which];
}

/* Finds the row of every node, by the context of its root; roots have none. */
static void report_find_rows(struct report_builder *b)
{
	const struct stacks *s = &b->tally->stacks;
	_cleanup_(freep) uint32_t *context = xmalloc((s->n + 1) * sizeof(*context));

	for (size_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];

		b->row_of[i] = NO_ROW;
		if (n->parent == STACK_NONE) {
			context[i] = n->frame;
			continue;
		}
		context[i] = context[n->parent];
		if (!report_is_stopped(b->o) && (b->o->children || s->weights[i].self.samples))
			b->row_of[i] = report_row_of(b, context[i], n->frame);
	}
}

static uint32_t report_context_of(const struct report_builder *b, uint32_t node)
{
	const struct stack_node *nodes = b->tally->stacks.nodes;

	while (nodes[node].parent != STACK_NONE)
		node = nodes[node].parent;
	return nodes[node].frame;
}

static void add_mode(struct report_builder *b, struct report_row *row, uint32_t node)
{
	static const enum weight_mode modes[] = {
		[ADDRESS_KERNEL] = MODE_KERNEL,
		[ADDRESS_USER] = MODE_USER,
		[ADDRESS_GUEST_KERNEL] = MODE_GUEST_KERNEL,
		[ADDRESS_GUEST_USER] = MODE_GUEST_USER,
		[ADDRESS_HYPERVISOR] = N_WEIGHT_MODES,
		[ADDRESS_UNKNOWN] = N_WEIGHT_MODES,
	};
	uint64_t period = b->tally->stacks.weights[node].self.period;
	enum weight_mode mode;

	mode = modes[hidden_mode(report_hidden(b, report_context_of(b, node), HIDDEN_KIND))];
	if (mode != N_WEIGHT_MODES)
		row->self_by_mode[mode] += period;
}

/* Adds the branches of the stacks that end at @node. */
static void report_add_branches(const struct report_builder *b, struct report_row *row,
				uint32_t node)
{
	if (b->o->needs & ROW_NEEDS_BRANCHES && node < b->tally->branch_sums.n)
		branch_sums_add(&row->sums->branches, &b->tally->branch_sums.items[node]);
}

/* Adds the sums of the samples directly at @node. */
static void report_add_sums(struct report_builder *b, struct report_row *row, uint32_t node)
{
	struct weight w = b->tally->stacks.weights[node].self;
	uint32_t context = report_context_of(b, node);
	uint64_t kind = report_hidden(b, context, HIDDEN_KIND);

	row->sums->weights[0] += report_hidden(b, context, HIDDEN_WEIGHT) * w.samples;
	for (unsigned i = 1; i < N_SAMPLE_WEIGHTS; i++)
		row->sums->weights[i] += hidden_weight(kind, i) * w.samples;
	row->sums->latency += latency_of(w, report_hidden(b, context, HIDDEN_PARALLEL));
	if (!b->o->children)
		report_add_branches(b, row, node);
	for (unsigned i = 0; b->o->needs & ROW_NEEDS_MEMORY && i < N_MEMORY_BREAKDOWNS; i++)
		row->sums->memory[i][memory_class_in(hidden_classes(kind), i)] += w.period;
}

static void add_self(struct report_builder *b)
{
	const struct stacks *s = &b->tally->stacks;

	for (uint32_t i = 0; i < s->n; i++)
		if (b->row_of[i] != NO_ROW && s->weights[i].self.samples) {
			weight_add(&b->rows[b->row_of[i]].self, s->weights[i].self);
			if (b->o->by_mode)
				add_mode(b, &b->rows[b->row_of[i]], i);
			if (b->o->needs)
				report_add_sums(b, &b->rows[b->row_of[i]], i);
		}
}

/* Returns the next node in a walk down the trie after @i and everything below it. */
static uint32_t report_leave(const struct report_builder *b, uint32_t i, uint32_t *within)
{
	const struct stack_node *nodes = b->tally->stacks.nodes;

	for (; i != STACK_NONE; i = nodes[i].parent) {
		if (b->row_of[i] != NO_ROW)
			within[b->row_of[i]]--;
		if (nodes[i].next != STACK_NONE)
			return nodes[i].next;
	}
	return STACK_NONE;
}

/*
 * Adds the totals below the root @i, of the outermost nodes of each row. @within counts, by row,
 * how many nodes above the current one belong to the row.
 */
static void report_add_totals(struct report_builder *b, uint32_t i, uint32_t *within)
{
	const struct stack_node *nodes = b->tally->stacks.nodes;
	uint64_t parallelism = report_hidden(b, nodes[i].frame, HIDDEN_PARALLEL);

	while (i != STACK_NONE) {
		uint32_t row = b->row_of[i];

		if (row != NO_ROW && !within[row]++) {
			weight_add(&b->rows[row].total, b->tally->stacks.weights[i].total);
			if (b->rows[row].sums)
				b->rows[row].sums->latency_total +=
					latency_of(b->tally->stacks.weights[i].total, parallelism);
			b->is_outermost[i] = true;
		}
		i = nodes[i].child != STACK_NONE ? nodes[i].child : report_leave(b, i, within);
	}
}

static void add_all_totals(struct report_builder *b)
{
	const struct stacks *s = &b->tally->stacks;
	_cleanup_(freep) uint32_t *within = xcalloc(b->n + 1, sizeof(*within));

	for (uint32_t i = 0; i < s->n; i++)
		if (s->nodes[i].parent == STACK_NONE)
			report_add_totals(b, i, within);
}

/* Adds the branches of each stack to all rows on it. Used with children. */
static void add_branch_totals(struct report_builder *b)
{
	const struct stack_node *nodes = b->tally->stacks.nodes;

	if (!(b->o->needs & ROW_NEEDS_BRANCHES))
		return;
	for (uint32_t i = 0; i < b->tally->branch_sums.n; i++)
		for (uint32_t n = i; n != STACK_NONE; n = nodes[n].parent)
			if (b->is_outermost[n])
				report_add_branches(b, &b->rows[b->row_of[n]], i);
}

/*
 * Links the nodes of each row, in their order: those with its samples, and those where it is a
 * caller.
 */
static void link_nodes(struct report_builder *b, struct report_rows *r)
{
	const struct stacks *s = &b->tally->stacks;

	r->next_self = xmalloc((s->n + 1) * sizeof(*r->next_self));
	r->next_node = xmalloc((s->n + 1) * sizeof(*r->next_node));
	for (size_t i = s->n; i-- > 0;) {
		struct report_row *row;

		r->next_self[i] = r->next_node[i] = STACK_NONE;
		if (b->row_of[i] == NO_ROW)
			continue;
		row = &b->rows[b->row_of[i]];
		if (s->weights[i].self.samples) {
			r->next_self[i] = row->first_self;
			row->first_self = (uint32_t)i;
		}
		if (b->o->children && !s->apart[i] &&
		    (b->is_outermost[i] || !b->o->rq.callers_first)) {
			r->next_node[i] = row->first_node;
			row->first_node = (uint32_t)i;
		}
	}
}

struct weight report_rows_whole(const struct report_rows *r)
{
	return r->options->rq.absolute ? r->all : r->shown;
}

const struct row_sums *report_rows_whole_sums(const struct report_rows *r)
{
	return r->options->rq.absolute ? &r->all_sums : &r->shown_sums;
}

struct key_cell report_row_cell(const struct report_row *row, size_t i)
{
	return (struct key_cell){
		.value = row->values[i], .weight = row->self, .frame = row->frame, .task = row->task
	};
}

/* Stores the key values of each row, because those of frames may be slow to compute. */
static void report_take_values(struct report_builder *b, struct report_rows *r)
{
	size_t n_keys = b->o->n_keys;

	r->values = xcalloc(r->n * n_keys + 1, sizeof(*r->values));
	for (size_t i = 0; i < r->n; i++) {
		struct report_row *row = &r->rows[i];
		uint64_t *values = r->values + i * n_keys;
		const uint64_t *sample = contexts_get(&b->tally->contexts, row->context);
		const uint64_t *place = contexts_get(&b->places, report_place_of(b, row->frame));

		for (size_t k = 0; k < n_keys; k++)
			values[k] = b->o->keys[k].type->of_frame ? place[k] : sample[k];
		row->values = values;
	}
}

static bool report_is_elsewhere(const struct report_options *o, uint32_t frame)
{
	const struct frame *f = frames_get(o->env->frames, frame);
	const struct location loc = {
		.addr = f->addr, .map = f->map, .image_addr = f->addr, .sym = f->sym
	};

	return o->filter && !o->mixes_places && sample_filter_has_places(o->filter) &&
	       !sample_filter_passes_place(o->filter, &loc);
}

static bool lacks_part(const struct report_options *o, uint32_t frame)
{
	const struct frame *f = frames_get(o->env->frames, frame);

	return o->rq.symbol_part && !(f->sym && strstr(f->sym->name, o->rq.symbol_part));
}

/*
 * True if @row is shown. Rows that filters leave out are counted. Samples in functions with another
 * name still count as samples, as in Linux's perf.
 */
static bool is_seen(const struct report_builder *b, const struct report_row *row,
		    struct weight *shown)
{
	if (report_hidden(b, row->context, HIDDEN_LEFT_OUT) ||
	    report_is_elsewhere(b->o, row->frame))
		return false;
	if (lacks_part(b->o, row->frame)) {
		shown->samples += row->self.samples;
		return false;
	}
	weight_add(shown, row->self);
	return true;
}

/* Moves hidden rows to the end. */
static void part_hidden(struct report_rows *r)
{
	struct report_row *parted;
	size_t n = 0, behind = 0;

	for (size_t i = 0; i < r->n; i++)
		n += !r->rows[i].is_hidden;
	if (n == r->n)
		return;
	parted = xcalloc(r->n + 1, sizeof(*parted));
	for (size_t i = 0; i < r->n; i++)
		parted[r->rows[i].is_hidden ? n + behind++ : i - behind] = r->rows[i];
	free(r->rows);
	r->rows = parted;
	r->n = n;
	r->n_hidden = behind;
}

static void report_take_sums(struct report_rows *r, struct report_row *row, bool children)
{
	if (!row->sums)
		return;
	if (!children)
		row->sums->latency_total = row->sums->latency;
	row_sums_add(&r->all_sums, row->sums);
	if (!row->is_hidden)
		row_sums_add(&r->shown_sums, row->sums);
}

/* Hands over the visible rows, sorted. Hidden rows take part in the sorting. */
static void report_take_rows(struct report_builder *b, struct report_rows *r)
{
	r->rows = TAKE(b->rows);
	r->n = b->n;
	for (size_t i = 0; i < b->n; i++) {
		struct report_row *row = &r->rows[i];

		row->is_hidden = !is_seen(b, row, &r->shown);
		if (!b->o->children)
			row->total = row->self;
		report_take_sums(r, row, b->o->children);
	}
	report_take_values(b, r);
	if (!b->o->unsorted)
		rows_sort(r);
	part_hidden(r);
}

/* The state of building rows, in stages of two independent jobs each. */
struct building {
	struct report_builder *builder;
	struct report_rows *rows;
	struct node_arrival *arrivals;
	void (*stage[2])(struct building *g);
};

static void report_run_stage(void *arg, size_t piece, unsigned worker)
{
	struct building *g = arg;

	(void)worker;
	g->stage[piece](g);
}

static void report_build(struct building *g, void (*one)(struct building *g),
			 void (*other)(struct building *g))
{
	struct workers *w = g->rows->options->workers;

	g->stage[0] = one;
	g->stage[1] = other;
	if (w && g->builder->tally->stacks.n > SHARED_NODES_MIN) {
		workers_run(w, 2, report_run_stage, g);
		return;
	}
	one(g);
	other(g);
}

static void report_make_rows(struct building *g)
{
	struct report_builder *b = g->builder;

	report_find_rows(b);
	if (!b->o->needs)
		return;
	g->rows->sums = xcalloc(b->n + 1, sizeof(*g->rows->sums));
	for (size_t i = 0; i < b->n; i++)
		b->rows[i].sums = &g->rows->sums[i];
}

static void find_node_arrivals(struct building *g)
{
	g->arrivals = nodes_find_arrivals(&g->builder->tally->stacks);
}

static void weigh_rows(struct building *g)
{
	add_self(g->builder);
	if (g->builder->o->children) {
		add_all_totals(g->builder);
		add_branch_totals(g->builder);
	}
	link_nodes(g->builder, g->rows);
}

static void find_row_arrivals(struct building *g)
{
	const struct report_builder *b = g->builder;

	rows_find_arrivals(b->rows, b->row_of, &b->tally->stacks, g->arrivals, b->o->children,
			   b->o->rq.callers_first);
}

struct report_rows *report_rows_new(const struct report_options *o,
				    const struct session_event *event, const struct tally *tally)
{
	_cleanup_(builder_done) struct report_builder b;
	struct report_rows *r = xcalloc(1, sizeof(*r));
	struct building g = { .builder = &b, .rows = r };

	*r = (struct report_rows){
		.options = o, .event = event, .tally = tally, .all = tally->total
	};
	builder_init(&b, o, tally);
	report_build(&g, report_make_rows, find_node_arrivals);
	report_build(&g, weigh_rows, find_row_arrivals);
	free(g.arrivals);
	report_take_rows(&b, r);
	return r;
}

void report_rows_free(struct report_rows *r)
{
	if (!r)
		return;
	free(r->rows);
	free(r->sums);
	free(r->values);
	free(r->next_self);
	free(r->next_node);
	free(r);
}
