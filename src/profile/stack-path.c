/* SPDX-License-Identifier: MIT */
#include "profile/stack-path.h"

#include <stdlib.h>

#include "base/memory.h"

void stack_path_init(struct stack_path *p, struct resolver *r)
{
	*p = (struct stack_path){ .resolver = r };
}

void stack_path_done(struct stack_path *p)
{
	call_chain_done(&p->chain);
	free(p->steps);
}

void stack_path_forget(struct stack_path *p)
{
	p->n = 0;
	p->n_keys = 0;
}

/*
 * Returns how many of the outermost entries of the chain are the same as before, and how many steps
 * they have.
 */
static size_t common_entries(const struct stack_path *p, const struct resolved_task *task,
			     uint64_t time, size_t *ret_steps)
{
	const struct call_chain *c = &p->chain;
	size_t common = 0, at = 0;

	if (p->user == task->user && p->kernel == task->kernel)
		for (; common < c->n && at < p->n; common++) {
			const struct chain_entry *e = &c->items[c->n - common - 1];
			const struct path_step *s = &p->steps[at];

			if (e->ip != s->ip || e->mode != s->mode || e->is_return != s->is_return ||
			    !span_has(&s->span, time) || p->n - at <= s->n_inner)
				break;
			at += 1 + s->n_inner;
		}
	*ret_steps = at;
	return common;
}

static bool stack_path_is_call(struct stack_path *p, const struct resolved_task *task, size_t i,
			       uint64_t time)
{
	return call_chain_is_call(&p->chain, p->resolver->session, task->pid, time, i);
}

/*
 * Returns the frames of entry @i. An entry after another one is its caller, with few exceptions,
 * and then few addresses belong to another function. So whether it is a caller is checked only
 * where it matters.
 */
static struct resolved_frames entry_frames(struct stack_path *p, const struct resolved_task *task,
					   size_t i, uint64_t time, struct span *ret_span)
{
	const struct chain_entry *e = &p->chain.items[i];
	struct resolver *r = p->resolver;
	bool by_address = frames_by_address(r->frames);
	bool call = e->is_return && (!by_address || stack_path_is_call(p, task, i, time));
	struct resolved_frames all;

	all = resolver_stack_frames(r, task, e->mode, e->ip, call, time, ret_span);
	if (call && !by_address && r->is_divided && !stack_path_is_call(p, task, i, time))
		all = resolver_stack_frames(r, task, e->mode, e->ip, false, time, ret_span);
	return all;
}

static void stack_path_take_entry(struct stack_path *p, const struct resolved_task *task, size_t i,
				  uint64_t time)
{
	const struct chain_entry *e = &p->chain.items[i];
	struct resolved_frames all;
	struct span span;

	all = entry_frames(p, task, i, time, &span);
	p->has_nowhere |= p->resolver->is_nowhere;
	if (p->n) {
		span_since(&span, p->steps[p->n - 1].span.from);
		span_before(&span, p->steps[p->n - 1].span.until);
	}
	if (!inlines_are_shown(p->inlines, e->mode))
		all.n = 1;
	p->steps = array_reserve(p->steps, &p->room, p->n + all.n, sizeof(*p->steps));
	for (size_t k = 0; k < all.n; k++)
		p->steps[p->n++] = (struct path_step){
			.ip = e->ip,
			.mode = e->mode,
			.is_return = e->is_return,
			.frame = all.items[k],
			.n_inner = k ? 0 : (uint32_t)all.n - 1,
			.span = span,
		};
}

/* Gives step @i the mode @mode, if it has no image; returns the mode that it has. */
static enum address_mode mark_step(struct stack_path *p, size_t i, enum address_mode mode)
{
	struct frames *frames = p->resolver->frames;
	struct path_step *s = &p->steps[i];
	const struct frame *f = frames_get(frames, s->frame);
	const struct location loc = { .addr = s->ip, .image_addr = s->ip };

	if (f->image || f->mode == mode)
		return f->mode;
	s->frame = frames_add(frames, &loc, mode, FRAME_OF_STACK);
	if (p->n_keys > i)
		p->n_keys = i;
	return mode;
}

static void mark_nowhere(struct stack_path *p)
{
	enum address_mode mode = p->mode;

	for (size_t i = 0; i < p->n; i++)
		mode = mark_step(p, p->callers_first ? i : p->n - 1 - i, mode);
}

void stack_path_take(struct stack_path *p, const struct resolved_task *task, uint64_t time,
		     enum address_mode mode, enum inlines inlines)
{
	size_t common = 0, n_steps = 0;

	if ((p->mode == mode || !p->has_nowhere) && p->inlines == inlines)
		common = common_entries(p, task, time, &n_steps);
	p->mode = mode;
	p->inlines = inlines;
	p->has_nowhere &= common > 0;
	p->user = task->user;
	p->kernel = task->kernel;
	stack_path_cut(p, n_steps);
	for (size_t i = p->chain.n - common; i-- > 0;)
		resolver_expect(p->resolver, task, p->chain.items[i].mode, p->chain.items[i].ip,
				time);
	for (size_t i = p->chain.n - common; i-- > 0;)
		stack_path_take_entry(p, task, i, time);
	if (p->has_nowhere)
		mark_nowhere(p);
}

void stack_path_cut(struct stack_path *p, size_t n)
{
	p->n = n;
	if (p->n_keys > n)
		p->n_keys = n;
}

static void find_keys(struct stack_path *p, uint64_t root_key)
{
	if (p->root_key != root_key)
		p->n_keys = 0;
	p->root_key = root_key;
	for (; p->n_keys < p->n; p->n_keys++) {
		struct path_step *s = &p->steps[p->n_keys];

		s->key = stack_key(p->n_keys ? s[-1].key : root_key, s->frame, false);
	}
}

/* This number of the innermost frames is likely to be new. */
#define NEW_STEPS 4

uint32_t stack_path_node(struct stack_path *p, struct stacks *s, uint32_t root)
{
	uint32_t node = STACK_NONE;
	size_t known = p->n;

	find_keys(p, s->keys[root]);
	for (size_t i = p->n > NEW_STEPS ? p->n - NEW_STEPS : 0; i < p->n; i++)
		stacks_expect(s, p->steps[i].key);
	while (known && (node = stacks_find(s, p->steps[known - 1].key)) == STACK_NONE)
		known--;
	if (!known)
		node = root;
	for (size_t i = known; i < p->n; i++)
		node = stacks_make(s, p->steps[i].key, node, p->steps[i].frame);
	return node;
}
