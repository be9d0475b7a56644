/* SPDX-License-Identifier: MIT */
#include "profile/flame-stacks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/collector.h"
#include "profile/flame-frame.h"
#include "profile/folded.h"
#include "profile/key.h"

/* The keys of a root; a key that two roots have is requested once. */
static const struct {
	const char *word;
	const char *keys[2];
	uint64_t sample_types;
} root_types[N_FLAME_ROOTS] = {
	[FLAME_ROOT_COMM] = { "comm", { "comm" }, 0 },
	[FLAME_ROOT_THREAD] = { "thread", { "comm", "pid" }, PERF_SAMPLE_TID },
	[FLAME_ROOT_PROCESS] = { "process", { "pid" }, PERF_SAMPLE_TID },
	[FLAME_ROOT_CPU] = { "cpu", { "cpu" }, PERF_SAMPLE_CPU },
	[FLAME_ROOT_CGROUP] = { "cgroup", { "cgroup" }, PERF_SAMPLE_CGROUP },
};

static int add_root(struct flame_roots *r, const char *word, size_t n)
{
	for (size_t i = 0; i < N_FLAME_ROOTS; i++) {
		if (strncmp(word, root_types[i].word, n) || root_types[i].word[n])
			continue;
		for (size_t k = 0; k < r->n; k++)
			if (r->items[k] == (enum flame_root)i)
				return -EINVAL;
		r->items[r->n++] = (enum flame_root)i;
		return 0;
	}
	return -EINVAL;
}

int flame_roots_parse(const char *text, struct flame_roots *ret, size_t *ret_offset,
		      size_t *ret_length)
{
	struct flame_roots r = { .n = 0 };
	const char *at = text;

	while (strcmp(text, "none") != 0) {
		size_t n = strcspn(at, ",");

		if (add_root(&r, at, n) < 0) {
			*ret_offset = (size_t)(at - text);
			*ret_length = n;
			return -EINVAL;
		}
		at += n;
		if (!*at++)
			break;
	}
	*ret = r;
	return 0;
}

static void flame_stacks_add_key(struct text *t, const char *key)
{
	if (strstr(t->chars, key))
		return;
	text_add(t, t->length ? "," : "");
	text_add(t, key);
}

char *flame_roots_sort(const struct flame_roots *r)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < r->n; i++)
		for (size_t k = 0; k < 2 && root_types[r->items[i]].keys[k]; k++)
			flame_stacks_add_key(&t, root_types[r->items[i]].keys[k]);
	/* There must be a key. This one looks at frames, so it separates no samples. */
	if (!t.length)
		text_add(&t, "symbol");
	return text_take(&t);
}

uint64_t flame_roots_sample_types(const struct flame_roots *r)
{
	uint64_t types = 0;

	for (size_t i = 0; i < r->n; i++)
		types |= root_types[r->items[i]].sample_types;
	return types;
}

/* A box without its position. */
struct flame_stacks_part {
	const char *name, *object; /* NULL: not known yet */
	enum flame_kind kind;
	bool is_elsewhere; /* a filter leaves out samples at this frame */
};

struct flame_walk {
	struct flame_builder *b;
	const struct flame_stacks_options *o;
	const struct tally *tally;
	struct flame_stacks_part *parts; /* indexed by frame */
	struct text name, scratch;
	struct {
		uint32_t *items;
		size_t n, room;
	} path; /* the nodes of a stack, from the innermost outwards */
};

/* Returns the value of key @name in @context, part by part; all none if there is no such key. */
static void flame_stacks_value_of(struct flame_walk *w, uint32_t context, const char *name,
				  struct value ret[KEY_PARTS_MAX])
{
	const uint64_t *values = contexts_get(&w->tally->contexts, context);

	memset(ret, 0, KEY_PARTS_MAX * sizeof(*ret));
	text_clear(&w->scratch);
	for (size_t i = 0; i < w->o->n_keys; i++)
		if (!strcmp(w->o->keys[i].type->name, name)) {
			const struct key_cell cell = { .value = values[i] };

			key_value(&w->o->keys[i], w->o->env, &cell, &w->scratch, ret);
			return;
		}
}

static void flame_stacks_add_comm(struct flame_walk *w, uint32_t context)
{
	struct value v[KEY_PARTS_MAX];

	flame_stacks_value_of(w, context, "comm", v);
	text_add(&w->name, v[0].type == VALUE_TEXT ? v[0].text : "");
}

static void flame_stacks_add_process(struct flame_walk *w, uint32_t context, bool with_thread)
{
	struct value v[KEY_PARTS_MAX];
	int64_t pid, tid;

	flame_stacks_value_of(w, context, "pid", v);
	pid = v[PART_PID].signed_number;
	tid = v[PART_TID].signed_number;
	if (with_thread)
		text_addf(&w->name, "-%" PRId64 "/%" PRId64, pid, tid);
	else
		text_addf(&w->name, "%s-%" PRId64,
			  machine_comm(w->o->env->session, (uint32_t)pid, (uint32_t)pid, 0), pid);
}

static void flame_stacks_add_number(struct flame_walk *w, uint32_t context)
{
	struct value v[KEY_PARTS_MAX];

	flame_stacks_value_of(w, context, "cpu", v);
	text_addf(&w->name, "CPU %" PRId64, v[0].signed_number);
}

static void flame_stacks_add_cgroup(struct flame_walk *w, uint32_t context)
{
	struct value v[KEY_PARTS_MAX];

	flame_stacks_value_of(w, context, "cgroup", v);
	text_add(&w->name, v[0].type == VALUE_TEXT ? v[0].text : "");
}

/* Returns the only copy of w->name, as the name of a box of @kind. */
static const char *flame_stacks_take_name(struct flame_walk *w, enum flame_kind kind)
{
	if (!w->name.length)
		text_add(&w->name, "[unknown]");
	if (w->o->folded_names) {
		_cleanup_(text_done) struct text folded = TEXT_EMPTY;

		folded_name_add(&folded, w->name.chars, kind == FLAME_TASK);
		if (w->o->folded_kinds)
			text_add(&folded, folded_suffix(kind));
		return flame_builder_text(w->b, folded.chars);
	}
	return flame_builder_text(w->b, w->name.chars);
}

static struct flame_stacks_part root_part(struct flame_walk *w, enum flame_root root,
					  uint32_t context)
{
	text_clear(&w->name);
	if (root == FLAME_ROOT_COMM || root == FLAME_ROOT_THREAD)
		flame_stacks_add_comm(w, context);
	if (root == FLAME_ROOT_THREAD || root == FLAME_ROOT_PROCESS)
		flame_stacks_add_process(w, context, root == FLAME_ROOT_THREAD);
	if (root == FLAME_ROOT_CPU)
		flame_stacks_add_number(w, context);
	if (root == FLAME_ROOT_CGROUP)
		flame_stacks_add_cgroup(w, context);
	return (struct flame_stacks_part){ .name = flame_stacks_take_name(w, FLAME_TASK),
					   .object = flame_builder_text(w->b, ""),
					   .kind = FLAME_TASK };
}

/*
 * Returns the part of a frame, made at its first use, because most nodes have frames that others
 * have too.
 */
static const struct flame_stacks_part *flame_stacks_part_of(struct flame_walk *w, uint32_t frame)
{
	struct flame_stacks_part *p = &w->parts[frame];
	const struct frame *f;

	if (p->name)
		return p;
	f = frames_get(w->o->env->frames, frame);
	text_clear(&w->name);
	flame_frame_name(f, &w->name);
	*p = (struct flame_stacks_part){
		.name = flame_stacks_take_name(w, flame_frame_kind(f)),
		.object = flame_builder_text(w->b, flame_frame_object(f)),
		.kind = flame_frame_kind(f),
		.is_elsewhere = !flame_frame_passes(f, w->o->filter, w->o->part),
	};
	return p;
}

static uint32_t flame_stacks_add_part(struct flame_walk *w, uint32_t parent,
				      const struct flame_stacks_part *p)
{
	return flame_builder_box(w->b, parent, p->name, p->object, p->kind);
}

static bool flame_stacks_is_left_out(const struct flame_walk *w, uint32_t context)
{
	return contexts_get(&w->tally->contexts, context)[w->o->n_keys + HIDDEN_LEFT_OUT];
}

/*
 * True if the function is drawn. A sampled function that is not part of the stack is drawn only if
 * there is no stack; otherwise its weight is that of the stack.
 */
static bool flame_stacks_is_drawn(const struct stacks *s, uint32_t node)
{
	return !s->apart[node] || stacks_is_root(s, s->nodes[node].parent);
}

/* Returns the weight of node @i; none if a filter leaves it out. */
static struct weight flame_stacks_weight_of(struct flame_walk *w, uint32_t i)
{
	const struct stacks *s = &w->tally->stacks;
	const struct weight self = s->weights[i].self;

	if (!self.samples || stacks_is_root(s, i) ||
	    flame_stacks_part_of(w, s->nodes[i].frame)->is_elsewhere)
		return (struct weight){ 0 };
	return self;
}

static void flame_stacks_weigh(struct flame_walk *w, uint32_t box, struct weight weight)
{
	const enum flame_side other = w->o->side == FLAME_AFTER ? FLAME_BEFORE : FLAME_AFTER;

	flame_builder_weigh(w->b, box, w->o->side,
			    w->o->by_period ? weight.period : weight.samples);
	if (w->o->with_samples)
		flame_builder_weigh(w->b, box, other, weight.samples);
}

/* Adds the boxes of @context on top of @box, in the order of the options, or in reverse. */
static uint32_t add_roots(struct flame_walk *w, uint32_t box, uint32_t context)
{
	const struct flame_roots *r = w->o->roots;

	for (size_t i = 0; i < r->n; i++) {
		size_t at = w->o->reverse ? r->n - 1 - i : i;
		const struct flame_stacks_part p = root_part(w, r->items[at], context);

		box = flame_stacks_add_part(w, box, &p);
	}
	return box;
}

/*
 * Adds the boxes. Parents have smaller numbers, so the box below is known when it is a node's turn.
 */
static void flame_stacks_add_upright(struct flame_walk *w)
{
	const struct stacks *s = &w->tally->stacks;
	_cleanup_(freep) uint32_t *box = xmalloc((s->n + 1) * sizeof(*box));

	for (uint32_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];

		if (n->parent == STACK_NONE) {
			box[i] = flame_stacks_is_left_out(w, n->frame) ? FLAME_NONE
								       : add_roots(w, 0, n->frame);
			continue;
		}
		box[i] = box[n->parent];
		if (box[i] == FLAME_NONE)
			continue;
		if (flame_stacks_is_drawn(s, i))
			box[i] = flame_stacks_add_part(w, box[i],
						       flame_stacks_part_of(w, n->frame));
		flame_stacks_weigh(w, box[i], flame_stacks_weight_of(w, i));
	}
}

/* Adds the stack that ends at node @i, from there outwards. */
static void add_outwards(struct flame_walk *w, uint32_t i, struct weight weight)
{
	const struct stacks *s = &w->tally->stacks;
	uint32_t box = 0;

	for (; s->nodes[i].parent != STACK_NONE; i = s->nodes[i].parent)
		if (flame_stacks_is_drawn(s, i))
			box = flame_stacks_add_part(w, box,
						    flame_stacks_part_of(w, s->nodes[i].frame));
	box = add_roots(w, box, s->nodes[i].frame);
	flame_stacks_weigh(w, box, weight);
}

static void flame_stacks_add_reversed(struct flame_walk *w)
{
	const struct stacks *s = &w->tally->stacks;
	_cleanup_(freep) bool *left_out = xcalloc(s->n + 1, sizeof(*left_out));

	for (uint32_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];
		struct weight weight = { 0 };

		left_out[i] = n->parent == STACK_NONE ? flame_stacks_is_left_out(w, n->frame)
						      : left_out[n->parent];
		if (!left_out[i])
			weight = flame_stacks_weight_of(w, i);
		if (weight.samples)
			add_outwards(w, i, weight);
	}
}

struct flame_walk *flame_walk_new(struct flame_builder *b, const struct flame_stacks_options *o)
{
	struct flame_walk *w = xcalloc(1, sizeof(*w));

	*w = (struct flame_walk){ .b = b, .o = o, .name = TEXT_EMPTY, .scratch = TEXT_EMPTY };
	w->parts = xcalloc((size_t)frames_count(o->env->frames) + 1, sizeof(*w->parts));
	return w;
}

void flame_walk_free(struct flame_walk *w)
{
	if (!w)
		return;
	free(w->parts);
	free(w->path.items);
	text_done(&w->name);
	text_done(&w->scratch);
	free(w);
}

void flame_add_stacks(struct flame_builder *b, const struct flame_stacks_options *o,
		      const struct tally *t)
{
	_cleanup_(flame_walk_freep) struct flame_walk *w = flame_walk_new(b, o);

	w->tally = t;
	if (o->reverse)
		flame_stacks_add_reversed(w);
	else
		flame_stacks_add_upright(w);
}

/* Takes the functions of the stack that ends at @node. Returns its root. */
static uint32_t flame_stacks_take_path(struct flame_walk *w, const struct tally *t, uint32_t node)
{
	w->tally = t;
	w->path.n = 0;
	for (; !stacks_is_root(&t->stacks, node); node = t->stacks.nodes[node].parent)
		if (flame_stacks_is_drawn(&t->stacks, node))
			*ARRAY_ADD(&w->path) = node;
	return node;
}

uint32_t flame_walk_roots(struct flame_walk *w, const struct tally *t, uint32_t node, uint32_t box)
{
	return add_roots(w, box, t->stacks.nodes[flame_stacks_take_path(w, t, node)].frame);
}

uint32_t flame_walk_functions(struct flame_walk *w, const struct tally *t, uint32_t node,
			      uint32_t box)
{
	flame_stacks_take_path(w, t, node);
	for (size_t i = 0; i < w->path.n; i++) {
		size_t at = w->o->reverse ? i : w->path.n - 1 - i;

		box = flame_stacks_add_part(
			w, box, flame_stacks_part_of(w, t->stacks.nodes[w->path.items[at]].frame));
	}
	return box;
}

/* Returns the same function as one of a waker. */
static struct flame_stacks_part waker_part(struct flame_walk *w, uint32_t frame)
{
	struct flame_stacks_part p = *flame_stacks_part_of(w, frame);

	text_clear(&w->name);
	flame_frame_name(frames_get(w->o->env->frames, frame), &w->name);
	p.name = flame_stacks_take_name(w, FLAME_WAKER);
	p.kind = FLAME_WAKER;
	return p;
}

uint32_t flame_walk_waker(struct flame_walk *w, const struct tally *t, uint32_t node, uint32_t box,
			  uint32_t outermost)
{
	flame_stacks_take_path(w, t, node);
	for (size_t i = 0; i < w->path.n; i++) {
		const struct flame_stacks_part p =
			waker_part(w, t->stacks.nodes[w->path.items[i]].frame);

		box = flame_stacks_add_part(w, box, &p);
		if (w->path.items[i] == outermost)
			break;
	}
	return box;
}

bool flame_walk_leaves_out(struct flame_walk *w, const struct tally *t, uint32_t node)
{
	w->tally = t;
	return !stacks_is_root(&t->stacks, node) &&
	       flame_stacks_part_of(w, t->stacks.nodes[node].frame)->is_elsewhere;
}

struct weight flame_walk_weight(struct flame_walk *w, const struct tally *t, uint32_t node)
{
	uint32_t root = node;

	w->tally = t;
	while (!stacks_is_root(&t->stacks, root))
		root = t->stacks.nodes[root].parent;
	return flame_stacks_is_left_out(w, t->stacks.nodes[root].frame)
		       ? (struct weight){ 0 }
		       : flame_stacks_weight_of(w, node);
}
