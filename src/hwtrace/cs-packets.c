/* SPDX-License-Identifier: MIT */
#include "hwtrace/cs-packets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "hwtrace/cs-tree.h"

/*
 * The same limits as in hwtrace/cs-decoder.c: a basic amount of memory, and an amount for each byte
 * of trace.
 */
#define MEMORY_FREE     (UINT64_C(40) << 20)
#define MEMORY_PER_BYTE 32
#define UNIT_COST       (10 << 10) /* measured memory of a unit in the library */
#define TREE_COST       (40 << 10) /* and of all units together */
/* this part of the cost is not returned: the library keeps memory */
#define KEPT_PART 16

/* The key of the tree of formatted traces, which may contain all units. */
#define ALL_UNITS UINT64_MAX

struct packet_tree {
	struct cs_tree *tree; /* NULL: the library does not support the units */
	uint64_t cost;
};

/*
 * Passes on a line. The library prints the packets of all trees through the tree that was made
 * last.
 */
static void packets_take_line(void *arg, const char *line)
{
	const struct cs_packets *p = arg;

	if (p->line)
		p->line(p->arg, line);
}

static void packet_tree_free(void *arg, uint64_t key, void *value)
{
	struct cs_packets *p = arg;
	struct packet_tree *t = value;

	(void)key;
	cs_tree_free(t->tree);
	budget_add(&p->memory, t->cost - t->cost / KEPT_PART, 1);
	free(t);
}

static void packets_forget_trees(struct cs_packets *p)
{
	u64_map_for_each(&p->trees, packet_tree_free, p);
	u64_map_done(&p->trees);
	p->trees = (struct u64_map){ 0 };
}

void cs_packets_done(struct cs_packets *p)
{
	packets_forget_trees(p);
	cs_info_done(&p->info);
}

static bool unit_equals(const struct cs_unit *a, const struct cs_unit *b)
{
	return a->magic == b->magic && a->cpu == b->cpu && a->id == b->id &&
	       memcmp(a->registers, b->registers, sizeof(a->registers)) == 0;
}

static bool info_equals(const struct cs_info *a, const struct cs_info *b)
{
	if (a->n_units != b->n_units)
		return false;
	for (size_t i = 0; i < a->n_units; i++)
		if (!unit_equals(&a->units[i], &b->units[i]))
			return false;
	return true;
}

void cs_packets_set_units(struct cs_packets *p, const struct cs_info *info)
{
	if (info_equals(&p->info, info))
		return;
	packets_forget_trees(p);
	cs_info_done(&p->info);
	p->info = *info;
	p->info.units = xcalloc(info->n_units + 1, sizeof(info->units[0]));
	if (info->n_units)
		memcpy(p->info.units, info->units, info->n_units * sizeof(info->units[0]));
}

static const struct cs_unit *cs_packets_unit_of_cpu(const struct cs_info *info, uint32_t cpu)
{
	for (size_t i = 0; i < info->n_units; i++)
		if (info->units[i].cpu == cpu)
			return &info->units[i];
	return NULL;
}

/*
 * Adds a tree. @only: the unit whose trace it is; NULL: all. Returns NULL if there is no memory for
 * it.
 */
static struct packet_tree *packets_add_tree(struct cs_packets *p, const struct cs_unit *only)
{
	uint64_t n = only ? 1 : p->info.n_units, cost = TREE_COST + n * UNIT_COST;
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct packet_tree *t;

	if (!budget_take(&p->memory, cost))
		return NULL;
	t = xcalloc(1, sizeof(*t));
	t->cost = cost;
	(void)cs_tree_new(
		&(struct cs_tree_setup){
			.info = &p->info,
			.only = only,
			.sink = { .text = packets_take_line, .arg = p },
		},
		&t->tree, &diag);
	u64_map_put(&p->trees, only ? only->cpu : ALL_UNITS, t);
	return t;
}

static void packets_allow(struct cs_packets *p, size_t n)
{
	if (!p->is_begun)
		budget_add(&p->memory, MEMORY_FREE, 1);
	p->is_begun = true;
	budget_add(&p->memory, n, MEMORY_PER_BYTE);
}

int cs_packets_print(struct cs_packets *p, const struct cs_stretch *s,
		     void (*line)(void *arg, const char *line), void *arg)
{
	const struct cs_unit *only = s->is_raw ? cs_packets_unit_of_cpu(&p->info, s->cpu) : NULL;
	struct packet_tree *t;

	packets_allow(p, s->n);
	if (!p->info.n_units || (s->is_raw && !only))
		return -ENOENT;
	p->line = NULL; /* The library prints a line for each unit that is reset. */
	t = u64_map_find(&p->trees, only ? only->cpu : ALL_UNITS);
	if (!t)
		t = packets_add_tree(p, only);
	else if (t->tree)
		cs_tree_reset(t->tree);
	if (!t)
		return -ENOMEM;
	if (!t->tree)
		return -ENOENT;
	p->line = line;
	p->arg = arg;
	/* The decoder skips damage: the packets before it are printed. */
	(void)cs_tree_feed(t->tree, s->index, s->bytes, s->n);
	return 0;
}
