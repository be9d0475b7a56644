/* SPDX-License-Identifier: MIT */
#include "session/lbr-stitch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/u64-map.h"
#include "datafile/features.h"
#include "session/call-chain.h"
#include "wire/sample.h"

#define REGISTERS_MAX 4096
#define CALLS_MAX     8192 /* the maximum of a stack; calls further out are dropped */

/* The calls of a thread's last sample, newest first: those in registers, then older ones. */
struct thread_calls {
	struct branch *items;
	size_t n, room;
	size_t n_registers;
	uint64_t newest; /* register of the first call */
};

struct lbr_stitch {
	uint64_t n_registers; /* number of registers of the hardware */
	struct u64_map by_tid;
};

/* Returns the capability "branches" of the PMU that has it. */
static uint64_t count_registers(const struct pmu_caps *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->caps.n && !n; i++)
		if (!strcmp(p->caps.items[i].name, "branches") &&
		    number_parse(p->caps.items[i].value, &n) < 0)
			n = 0;
	return n;
}

uint64_t lbr_registers(const struct features *f)
{
	uint64_t n = count_registers(&f->cpu_pmu_caps);

	for (size_t i = 0; i < f->pmu_caps.n && !n; i++)
		n = count_registers(&f->pmu_caps.items[i]);
	return n <= REGISTERS_MAX ? n : 0;
}

struct lbr_stitch *lbr_stitch_new(uint64_t n_registers)
{
	struct lbr_stitch *l = xcalloc(1, sizeof(*l));

	l->n_registers = n_registers;
	return l;
}

static void lbr_stitch_free_thread(void *arg, uint64_t tid, void *value)
{
	struct thread_calls *t = value;

	(void)arg, (void)tid;
	free(t->items);
	free(t);
}

void lbr_stitch_free(struct lbr_stitch *l)
{
	if (!l)
		return;
	u64_map_for_each(&l->by_tid, lbr_stitch_free_thread, NULL);
	u64_map_done(&l->by_tid);
	free(l);
}

static struct thread_calls *lbr_stitch_thread_of(struct lbr_stitch *l, uint32_t tid)
{
	struct thread_calls *t = u64_map_find(&l->by_tid, tid);

	if (!t) {
		t = xcalloc(1, sizeof(*t));
		u64_map_put(&l->by_tid, tid, t);
	}
	return t;
}

/*
 * Returns the index of the calls in @t that are further out than those of @sample; t->n: there are
 * none.
 */
static size_t find_outer(const struct lbr_stitch *l, const struct thread_calls *t,
			 const struct sample *sample)
{
	size_t n = sample->branches.n / 3;
	struct branch oldest;
	uint64_t ahead, at;

	/* While registers are free, no call was lost. */
	if (n != l->n_registers || sample->branch_hw_index == UINT64_MAX)
		return t->n;
	oldest = sample_branch(sample, n - 1);
	/* The number of registers by which the newest call is ahead of the newest in @t. */
	ahead = (sample->branch_hw_index % l->n_registers + l->n_registers -
		 t->newest % l->n_registers) %
		l->n_registers;
	at = n - 1 - ahead;
	if (at >= t->n_registers || t->items[at].from != oldest.from ||
	    t->items[at].to != oldest.to)
		return t->n;
	return at + 1;
}

/* Keeps the calls of @sample, followed by those of @t from @outer on. */
static void lbr_stitch_remember(struct thread_calls *t, const struct sample *sample, size_t outer)
{
	size_t n = sample->branches.n / 3, n_outer = t->n - outer;

	if (n + n_outer > CALLS_MAX)
		n_outer = n < CALLS_MAX ? CALLS_MAX - n : 0;
	t->items = array_reserve(t->items, &t->room, n + n_outer, sizeof(*t->items));
	if (n_outer)
		memmove(&t->items[n], &t->items[outer], n_outer * sizeof(*t->items));
	for (size_t i = 0; i < n; i++)
		t->items[i] = sample_branch(sample, i);
	t->n = n + n_outer;
	t->n_registers = n;
	t->newest = sample->branch_hw_index;
}

void lbr_stitch_extend(struct lbr_stitch *l, const struct sample *sample, struct call_chain *c)
{
	struct thread_calls *t = lbr_stitch_thread_of(l, sample->tid);
	size_t n = sample->branches.n / 3;

	lbr_stitch_remember(t, sample, find_outer(l, t, sample));
	c->items = array_reserve(c->items, &c->room, c->n + t->n - n, sizeof(*c->items));
	for (size_t i = n; i < t->n; i++)
		c->items[c->n++] = (struct chain_entry){ .ip = t->items[i].from,
							 .mode = ADDRESS_USER };
}
