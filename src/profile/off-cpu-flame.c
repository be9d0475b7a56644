/* SPDX-License-Identifier: MIT */
#include "profile/off-cpu-flame.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "profile/collector.h"
#include "profile/flame-frame.h"
#include "profile/flame-stacks.h"
#include "profile/folded.h"
#include "profile/frames.h"
#include "profile/key.h"
#include "profile/off-cpu.h"
#include "profile/wait-kind.h"
#include "session/session.h"
#include "symbol/symbol.h"

struct off_cpu_flame_boxes {
	const struct off_cpu *off;
	struct flame_builder *b;
	const struct flame_stacks_options *o;
	struct flame_walk *walk;
	uint8_t *hints; /* by frame: enum wait_hint + 1; 0: not looked up */
};

static const struct tally *tally_of(const struct off_cpu_flame_boxes *x,
				    const struct off_cpu_stack *s)
{
	return collector_tally(off_cpu_collector(x->off), s->event->index);
}

static enum wait_hint off_cpu_flame_hint_of(struct off_cpu_flame_boxes *x, uint32_t id)
{
	const struct frame *f = frames_get(x->o->env->frames, id);

	if (!x->hints[id])
		x->hints[id] = f->sym ? 1 + wait_hint_of(f->sym->name, flame_frame_is_of_kernel(f))
				      : 1 + WAIT_HINT_NONE;
	return (enum wait_hint)(x->hints[id] - 1);
}

/* Returns what the functions of a stack hint at, from the innermost outwards. */
static enum wait_hint hint_of_stack(struct off_cpu_flame_boxes *x, const struct tally *t,
				    uint32_t node)
{
	const struct stacks *s = &t->stacks;
	enum wait_hint hint = WAIT_HINT_NONE;

	for (uint32_t i = node; !stacks_is_root(s, i); i = s->nodes[i].parent)
		if (!wait_hint_refine(&hint, off_cpu_flame_hint_of(x, s->nodes[i].frame)))
			break;
	return hint;
}

static uint32_t off_cpu_flame_add_box(struct off_cpu_flame_boxes *x, uint32_t box, const char *name,
				      enum flame_kind kind)
{
	_cleanup_(text_done) struct text folded = TEXT_EMPTY;

	if (x->o->folded_names) {
		folded_name_add(&folded, name, false);
		text_add(&folded, x->o->folded_kinds ? folded_suffix(kind) : "");
		name = folded.chars;
	}
	return flame_builder_box(x->b, box, flame_builder_text(x->b, name),
				 flame_builder_text(x->b, ""), kind);
}

/*
 * Returns the frame at which an interrupt entered the kernel: the code that it interrupted has
 * nothing to do with the wake-up. If no known entry function is found, it is the outermost kernel
 * frame. STACK_NONE: there is no kernel frame.
 */
static uint32_t entry_of_interrupt(struct off_cpu_flame_boxes *x, const struct off_cpu_stack *waker)
{
	const struct stacks *s = &tally_of(x, waker)->stacks;
	uint32_t entry = STACK_NONE;

	for (uint32_t i = waker->node; !stacks_is_root(s, i); i = s->nodes[i].parent) {
		uint32_t frame = s->nodes[i].frame;

		if (!flame_frame_is_of_kernel(frames_get(x->o->env->frames, frame)))
			break;
		entry = i;
		if (off_cpu_flame_hint_of(x, frame) == WAIT_HINT_INTERRUPT)
			break;
	}
	return entry;
}

static uint32_t add_waker(struct off_cpu_flame_boxes *x, uint32_t box, uint32_t number)
{
	const struct off_cpu_stack waker = off_cpu_stack(x->off, number);
	const struct tally *t = tally_of(x, &waker);
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	uint32_t entry;

	text_addf(&name, "-- woken by %s --", waker.waker ? waker.waker : "an interrupt");
	box = off_cpu_flame_add_box(x, box, name.chars, FLAME_WAKER);
	if (waker.waker)
		return flame_walk_waker(x->walk, t, waker.node, box, STACK_NONE);
	entry = entry_of_interrupt(x, &waker);
	return entry == STACK_NONE ? box : flame_walk_waker(x->walk, t, waker.node, box, entry);
}

/* True if only the thread is known, and not where it waits or runs. */
static bool has_no_functions(enum wait_state state)
{
	return state == WAIT_FROM_BEFORE || state == WAIT_FIRST_CPU || state == WAIT_RUNNING_UNSEEN;
}

static uint32_t off_cpu_flame_add_functions(struct off_cpu_flame_boxes *x,
					    const struct wait_time *t,
					    const struct off_cpu_stack *s, uint32_t box)
{
	return has_no_functions(t->state)
		       ? box
		       : flame_walk_functions(x->walk, tally_of(x, s), s->node, box);
}

static uint32_t add_kind(struct off_cpu_flame_boxes *x, uint32_t box, enum wait_kind kind)
{
	return off_cpu_flame_add_box(x, box, wait_kind_name(kind),
				     kind == WAIT_KIND_RUNNING ? FLAME_TASK : FLAME_WAIT);
}

static uint32_t off_cpu_flame_add_upright(struct off_cpu_flame_boxes *x, const struct wait_time *t,
					  const struct off_cpu_stack *s, enum wait_kind kind)
{
	uint32_t box = flame_walk_roots(x->walk, tally_of(x, s), s->node, 0);

	box = off_cpu_flame_add_functions(x, t, s, add_kind(x, box, kind));
	return t->waker == WAIT_NO_STACK ? box : add_waker(x, box, t->waker);
}

static uint32_t off_cpu_flame_add_reversed(struct off_cpu_flame_boxes *x, const struct wait_time *t,
					   const struct off_cpu_stack *s, enum wait_kind kind)
{
	uint32_t box = off_cpu_flame_add_functions(x, t, s, add_kind(x, 0, kind));

	return flame_walk_roots(x->walk, tally_of(x, s), s->node, box);
}

static void off_cpu_flame_add_time(struct off_cpu_flame_boxes *x, const struct wait_time *t,
				   bool counts)
{
	const struct off_cpu_stack s = off_cpu_stack(x->off, t->stack);
	enum wait_kind kind;
	uint32_t box;

	if (!has_no_functions(t->state) && flame_walk_leaves_out(x->walk, tally_of(x, &s), s.node))
		return;
	kind = wait_kind_of(t->state, hint_of_stack(x, tally_of(x, &s), s.node));
	box = x->o->reverse ? off_cpu_flame_add_reversed(x, t, &s, kind)
			    : off_cpu_flame_add_upright(x, t, &s, kind);
	flame_builder_weigh(x->b, box, x->o->side, counts ? t->count : t->ns);
}

void off_cpu_add_boxes(const struct off_cpu *off, struct flame_builder *b,
		       const struct flame_stacks_options *o, bool counts)
{
	const struct wait_times *times = off_cpu_times(off);
	struct off_cpu_flame_boxes x = { .off = off, .b = b, .o = o, .walk = flame_walk_new(b, o) };

	x.hints = xcalloc((size_t)frames_count(o->env->frames) + 1, sizeof(*x.hints));
	for (size_t i = 0; i < times->times.n; i++)
		off_cpu_flame_add_time(&x, &times->times.items[i], counts);
	free(x.hints);
	flame_walk_free(x.walk);
}

/* Returns the kind of a wait whose state was not recorded, from its functions alone. */
static enum wait_kind kind_of_part(struct off_cpu_flame_boxes *x, const struct off_cpu_part *p,
				   uint32_t node)
{
	enum wait_hint hint;

	if (!p->waits)
		return WAIT_KIND_RUNNING;
	hint = hint_of_stack(x, p->tally, node);
	return wait_kind_of(hint == WAIT_HINT_PREEMPTED ? WAIT_RUNNABLE : WAIT_SLEEPING, hint);
}

static void off_cpu_flame_add_node(struct off_cpu_flame_boxes *x, const struct off_cpu_part *p,
				   uint32_t node)
{
	const struct weight w = flame_walk_weight(x->walk, p->tally, node);
	enum wait_kind kind;
	uint32_t box = 0;

	if (!w.samples)
		return;
	kind = kind_of_part(x, p, node);
	if (!x->o->reverse)
		box = flame_walk_roots(x->walk, p->tally, node, box);
	box = flame_walk_functions(x->walk, p->tally, node, add_kind(x, box, kind));
	if (x->o->reverse)
		box = flame_walk_roots(x->walk, p->tally, node, box);
	flame_builder_weigh(x->b, box, x->o->side,
			    p->ns_per_sample ? w.samples * p->ns_per_sample : w.period);
}

void off_cpu_add_parts(const struct off_cpu_part *parts, size_t n, struct flame_builder *b,
		       const struct flame_stacks_options *o)
{
	struct off_cpu_flame_boxes x = { .b = b, .o = o, .walk = flame_walk_new(b, o) };

	x.hints = xcalloc((size_t)frames_count(o->env->frames) + 1, sizeof(*x.hints));
	for (size_t i = 0; i < n; i++)
		for (uint32_t node = 0; node < parts[i].tally->stacks.n; node++)
			off_cpu_flame_add_node(&x, &parts[i], node);
	free(x.hints);
	flame_walk_free(x.walk);
}
