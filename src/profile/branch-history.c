/* SPDX-License-Identifier: MIT */
#include "profile/branch-history.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/branch-note.h"
#include "profile/frames.h"
#include "session/call-chain.h"
#include "symbol/symbol.h"
#include "wire/branch.h"

#define CALL_BYTES_MAX 8 /* the most bytes from a call to its return address */

void branch_history_done(struct branch_history *h)
{
	free(h->items);
	*h = (struct branch_history){ 0 };
}

static bool same_branches(const struct sample *s, size_t a, size_t b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct branch x = sample_branch(s, a + i), y = sample_branch(s, b + i);

		if (x.from != y.from || x.to != y.to)
			return false;
	}
	return true;
}

/*
 * Returns how many branches from @at on form a loop that is repeated directly after them, and how
 * often.
 */
static size_t find_loop(const struct sample *s, size_t at, size_t n, size_t *ret_times)
{
	for (size_t length = 1; at + 2 * length <= n; length++) {
		size_t times = 1;

		while (at + (times + 1) * length <= n &&
		       same_branches(s, at, at + times * length, length))
			times++;
		*ret_times = times;
		if (times > 1)
			return length;
	}
	*ret_times = 1;
	return 1;
}

static void branch_history_add_branch(struct branch_history *h, const struct sample *s, size_t i)
{
	struct branch b = sample_branch(s, i);

	*ARRAY_ADD(h) = (struct history_entry){ .part = HISTORY_TO, .branch = b };
	*ARRAY_ADD(h) = (struct history_entry){ .part = HISTORY_FROM, .branch = b };
}

static uint64_t sum_cycles(const struct sample *s, size_t at, size_t n)
{
	uint64_t cycles = 0;

	for (size_t i = at; i < at + n; i++)
		cycles += branch_cycles(sample_branch(s, i).flags);
	return cycles;
}

static void branch_history_add_branches(struct branch_history *h, const struct sample *s)
{
	size_t n = s->branches.n / 3;

	for (size_t at = 0, length, times; at < n; at += times * length) {
		size_t first = h->n;

		length = find_loop(s, at, n, &times);
		for (size_t i = 0; i < length; i++)
			branch_history_add_branch(h, s, at + i);
		if (times > 1) {
			h->items[first + 1].iterations = (uint32_t)times;
			h->items[first + 1].loop_cycles = sum_cycles(s, at, times * length);
		}
	}
}

static bool in_kernel(uint64_t addr)
{
	return addr >> 63;
}

/* True if @b is the call that returns to @addr. */
static bool is_call_of(const struct branch *b, uint64_t addr)
{
	return b->from < addr && addr - b->from <= CALL_BYTES_MAX;
}

/*
 * Finds the frames of @c that stay: those called from the target of the newest branch, up to
 * *@ret_inner (kernel frames, if only branches of programs were recorded), and callers for which
 * there is no branch, from *@ret_outer on.
 */
static void find_callers(const struct call_chain *c, const struct sample *s, size_t *ret_inner,
			 size_t *ret_outer)
{
	bool kernel = in_kernel(sample_branch(s, 0).to);
	size_t inner = 0, outer;

	while (inner < c->n && in_kernel(c->items[inner].ip) != kernel)
		inner++;
	outer = inner + (inner < c->n);
	for (size_t i = 0; i < s->branches.n / 3 && outer < c->n; i++) {
		struct branch b = sample_branch(s, i);

		outer += is_call_of(&b, c->items[outer].ip);
	}
	*ret_inner = inner;
	*ret_outer = outer;
}

static void add_callers(struct branch_history *h, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*ARRAY_ADD(h) = (struct history_entry){ .part = HISTORY_CALLER };
}

static struct chain_entry chain_entry_of(const struct history_entry *e)
{
	uint64_t addr = e->part == HISTORY_TO ? e->branch.to : e->branch.from;

	return (struct chain_entry){ .ip = addr,
				     .mode = in_kernel(addr) ? ADDRESS_KERNEL : ADDRESS_USER };
}

void branch_history_take(struct branch_history *h, struct call_chain *c, const struct sample *s)
{
	size_t inner, outer, n_outer, n_branches;

	h->n = 0;
	if (!s->branches.n) {
		add_callers(h, c->n);
		return;
	}
	find_callers(c, s, &inner, &outer);
	n_outer = c->n - outer;
	add_callers(h, inner);
	branch_history_add_branches(h, s);
	n_branches = h->n - inner;
	add_callers(h, n_outer);
	c->items = array_reserve(c->items, &c->room, c->n + n_branches, sizeof(*c->items));
	memmove(&c->items[inner + n_branches], &c->items[outer], n_outer * sizeof(*c->items));
	for (size_t i = inner; i < inner + n_branches; i++)
		c->items[i] = chain_entry_of(&h->items[i]);
	c->n = h->n;
}

void history_entry_note(const struct history_entry *e, struct branch_note *n)
{
	switch (e->part) {
	case HISTORY_CALLER:
		n->callers++;
		break;
	case HISTORY_TO:
		branch_note_arrival(n, &e->branch);
		break;
	case HISTORY_FROM:
		n->from++;
		n->cycles += branch_cycles(e->branch.flags);
		n->loops += e->iterations > 0;
		n->iterations += e->iterations;
		n->loop_cycles += e->loop_cycles;
		break;
	}
}

void frame_marks_done(struct frame_marks *m)
{
	free(m->known);
}

static void frame_marks_reserve(struct frame_marks *m, size_t n)
{
	size_t before = m->room;

	m->known = array_reserve(m->known, &m->room, n, 1);
	if (m->room > before)
		memset(m->known + before, 0, m->room - before);
}

bool frame_marks_has(struct frame_marks *m, const struct frames *frames, uint32_t frame)
{
	const struct symbol *sym;

	if (!m->regex)
		return false;
	frame_marks_reserve(m, (size_t)frame + 1);
	if (!m->known[frame]) {
		sym = frames_get(frames, frame)->sym;
		m->known[frame] = sym && !regexec(m->regex, sym->name, 0, NULL, 0) ? 2 : 1;
	}
	return m->known[frame] == 2;
}
