/* SPDX-License-Identifier: MIT */
#include "profile/report-group.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/red-black.h"
#include "base/contexts.h"
#include "profile/figures.h"

void report_group_free(struct report_group *g)
{
	if (!g)
		return;
	free(g->members);
	free(g->entries);
	free(g->slots);
	free(g);
}

static uint64_t report_group_member_value(const struct row_order *o, const struct report_entry *e,
					  size_t member)
{
	const struct report_row *row = e->members[member];

	return row ? figure_value(o, row) : 0;
}

static double report_group_percent(const struct report_group *g, size_t member, uint64_t period)
{
	return percent_of(period, report_rows_whole(g->members[member]).period);
}

static double report_group_mean(const struct report_row *row, uint64_t sum)
{
	return row && row->self.samples ? (double)sum / (double)row->self.samples : 0;
}

static struct value branch_value(const struct branch_sums *s, enum branch_figure what)
{
	switch (what) {
	case BRANCHES_PREDICTED:
		return value_percent(percent_of(s->predicted, s->n));
	case BRANCHES_ABORTED:
		return value_unsigned(s->aborted);
	case BRANCHES_CYCLES:
		break;
	}
	return value_unsigned(s->n ? s->cycles / s->n : 0);
}

struct value report_group_figure(const struct report_group *g, const struct figure *f,
				 const struct report_entry *e, size_t member)
{
	uint64_t value = report_group_member_value(&f->what, e, member);

	if ((f->what.by == ROW_BY_TOTAL || f->what.by == ROW_BY_LATENCY_TOTAL) &&
	    !g->members[0]->options->children)
		return VALUE_UNKNOWN;
	if (f->needs & ROW_NEEDS_LATENCY)
		return value_percent(
			percent_of(value, report_rows_whole_sums(g->members[member])->latency));
	if (f->what.by == ROW_BY_BRANCHES)
		return e->members[member] ? branch_value(&e->members[member]->sums->branches,
							 (enum branch_figure)f->what.index)
					  : VALUE_UNKNOWN;
	if (f->what.by == ROW_BY_WEIGHT)
		return value_mean(report_group_mean(e->members[member], value));
	return f->share ? value_percent(report_group_percent(g, member, value))
			: value_unsigned(value);
}

double report_group_class(const struct report_group *g, const struct figure *f, size_t i,
			  const struct report_entry *e, size_t member)
{
	const struct report_row *row = e->members[member];

	return row ? report_group_percent(g, member, row->sums->memory[f->breakdown][i]) : 0;
}

bool report_group_has_class(const struct report_group *g, const struct figure *f, size_t i)
{
	for (size_t m = 0; m < g->n_members; m++)
		if (g->members[m]->shown_sums.memory[f->breakdown][i])
			return true;
	return false;
}

double report_entry_percent(const struct report_group *g, const struct report_entry *e)
{
	const struct report_row *row = e->members[0];
	bool children = g->members[0]->options->children;

	return row ? report_group_percent(g, 0, children ? row->total.period : row->self.period)
		   : 0;
}

bool report_entry_is_shown(const struct report_group *g, const struct report_entry *e)
{
	return report_entry_percent(g, e) >= g->members[0]->options->rq.percent_limit;
}

static int compare_member(const struct row_order *o, const struct report_entry *a,
			  const struct report_entry *b, size_t member)
{
	uint64_t va = report_group_member_value(o, a, member),
		 vb = report_group_member_value(o, b, member);

	return va < vb ? 1 : va > vb ? -1 : 0;
}

static int compare_figure(const struct entry_order *eo, const struct row_order *o,
			  const struct report_entry *a, const struct report_entry *b)
{
	int c = compare_member(o, a, b, eo->sort_by);

	for (size_t i = 1; i < eo->n_members && !c; i++)
		c = compare_member(o, a, b, i);
	return c;
}

static uint32_t report_group_depth_of(const struct report_entry *e)
{
	return e->members[0] ? e->members[0]->depth : 0;
}

/*
 * Compares totals. Only the leader's totals count, and if they are equal, the depth of stacks: see
 * row-order.h.
 */
static int compare_totals(const struct row_order *by, const struct report_entry *a,
			  const struct report_entry *b)
{
	const struct report_options *o = a->rows->options;
	int c = compare_member(by, a, b, 0);

	if (c || !o->rq.with_trees || a->row->task != b->row->task ||
	    report_group_depth_of(a) == report_group_depth_of(b))
		return c;
	return (report_group_depth_of(a) > report_group_depth_of(b)) == o->rq.callers_first ? -1
											    : 1;
}

typedef int compare_fn(const struct key *k, struct key_env *env, uint64_t a, uint64_t b);

static int report_group_compare_values(const struct report_entry *a, const struct report_entry *b,
				       size_t i, compare_fn *compare)
{
	const struct report_options *o = a->rows->options;
	uint64_t va = a->row->values[i];
	uint64_t vb = b->row->values[i];

	if (va == vb)
		return 0;
	return compare ? compare(&o->keys[i], o->env, va, vb) : va < vb ? -1 : 1;
}

int report_entry_compare(const struct entry_order *eo, const struct report_entry *a,
			 const struct report_entry *b)
{
	const struct key *keys = a->rows->options->keys;
	int c = 0;

	for (size_t i = 0; i < eo->n_order && !c; i++) {
		const struct row_order *o = &eo->order[i];

		if (o->by == ROW_BY_TOTAL)
			c = compare_totals(o, a, b);
		else if (o->by != ROW_BY_KEY)
			c = compare_figure(eo, o, a, b);
		else if (!eo->keys || eo->keys[o->index])
			c = report_group_compare_values(a, b, o->index,
							keys[o->index].type->compare);
	}
	return c;
}

static int report_group_by_order(const void *a, const void *b, void *order)
{
	return report_entry_compare(order, a, b);
}

static int report_group_by_identity(const void *a, const void *b, void *options)
{
	const struct report_options *o = options;
	int c = 0;

	for (size_t i = 0; i < o->n_keys && !c; i++) {
		const struct key_type *t = o->keys[i].type;

		c = report_group_compare_values(a, b, i, t->identity ? t->identity : t->compare);
	}
	return c;
}

static size_t first_member(const struct report_entry *e)
{
	size_t i = 0;

	while (!e->members[i])
		i++;
	return i;
}

/* Compares by arrival: the leader's rows in their order, then those that each other member adds. */
static int report_group_by_arrival(const void *va, const void *vb)
{
	const struct report_entry *a = va, *b = vb;
	size_t ma = first_member(a), mb = first_member(b);

	if (ma != mb)
		return ma < mb ? -1 : 1;
	if (!ma && a->row->first != b->row->first)
		return a->row->first < b->row->first ? -1 : 1;
	if (!ma && a->row->nth != b->row->nth)
		return a->row->nth < b->row->nth ? -1 : 1;
	return a->row->place < b->row->place ? -1 : a->row->place > b->row->place;
}

/* Moves the entries into the order of the pointers, and updates the pointers. */
static void report_group_rearrange(struct report_group *g, const struct report_entry **pointers)
{
	struct report_entry *sorted = xcalloc(g->n + 1, sizeof(*sorted));

	for (size_t i = 0; i < g->n; i++)
		sorted[i] = *pointers[i];
	free(g->entries);
	g->entries = sorted;
	for (size_t i = 0; i < g->n; i++)
		pointers[i] = &g->entries[i];
}

/* Sorts the entries like rows_sort(), whose comment explains why it uses trees. */
static void report_group_sort_entries(struct report_group *g)
{
	const struct report_options *o = g->members[0]->options;
	_cleanup_(freep)
		const struct report_entry **pointers = xcalloc(g->n + 1, sizeof(*pointers));
	struct entry_order order = {
		.order = o->order,
		.n_order = o->n_order,
		.n_members = g->n_members,
		.sort_by = g->sort_by,
	};

	qsort(g->entries, g->n, sizeof(*g->entries), report_group_by_arrival);
	for (size_t i = 0; i < g->n; i++)
		pointers[i] = &g->entries[i];
	red_black_sort((const void **)pointers, g->n, report_group_by_identity, (void *)o);
	report_group_rearrange(g, pointers);
	for (size_t i = 0; i < g->n; i++)
		g->entries[i].place = (uint32_t)i;
	red_black_sort((const void **)pointers, g->n, report_group_by_order, &order);
	report_group_rearrange(g, pointers);
}

static size_t all_rows(const struct report_rows *r)
{
	return r->n + r->n_hidden;
}

/* Finds rows of the members with the same keys. Returns entry numbers, by member and row. */
static uint32_t **find_entries(struct report_group *g)
{
	const struct report_options *o = g->members[0]->options;
	_cleanup_(freep) uint64_t *values = xcalloc(o->n_keys + 1, sizeof(*values));
	_cleanup_(contexts_done) struct contexts tuples;
	uint32_t **numbers = xcalloc(g->n_members, sizeof(*numbers));

	contexts_init(&tuples, o->n_keys + 1);
	for (size_t m = 0; m < g->n_members; m++) {
		const struct report_rows *rows = g->members[m];

		numbers[m] = xcalloc(all_rows(rows) + 1, sizeof(*numbers[m]));
		for (size_t i = 0; i < all_rows(rows); i++) {
			for (size_t k = 0; k < o->n_keys; k++)
				values[k] = rows->rows[i].values[k];
			values[o->n_keys] = rows->rows[i].is_hidden;
			numbers[m][i] = contexts_add(&tuples, values);
		}
	}
	g->n = tuples.n;
	return numbers;
}

static void report_group_add_row(struct report_group *g, size_t entry, size_t member,
				 const struct report_row *row)
{
	struct report_entry *e = &g->entries[entry];

	g->slots[entry * g->n_members + member] = row;
	if (!e->row)
		*e = (struct report_entry){ .rows = g->members[member],
					    .row = row,
					    .members = &g->slots[entry * g->n_members],
					    .place = row->place };
}

static void report_group_join(struct report_group *g)
{
	uint32_t **numbers = find_entries(g);

	g->entries = xcalloc(g->n + 1, sizeof(*g->entries));
	g->slots = xcalloc(g->n * g->n_members + 1, sizeof(const struct report_row *));
	for (size_t m = 0; m < g->n_members; m++) {
		for (size_t i = 0; i < all_rows(g->members[m]); i++)
			report_group_add_row(g, numbers[m][i], m, &g->members[m]->rows[i]);
		free(numbers[m]);
	}
	free(numbers);
}

/* Removes the rows that filters leave out, which were needed only for the order. */
static void drop_hidden(struct report_group *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (!g->entries[i].row->is_hidden)
			g->entries[n++] = g->entries[i];
	g->n = n;
}

/* Takes the rows of a single event, which are sorted already. */
static void report_group_take_rows(struct report_group *g)
{
	const struct report_rows *rows = g->members[0];

	g->n = rows->n;
	g->entries = xcalloc(g->n + 1, sizeof(*g->entries));
	g->slots = xcalloc(g->n + 1, sizeof(const struct report_row *));
	for (size_t i = 0; i < g->n; i++)
		report_group_add_row(g, i, 0, &rows->rows[i]);
}

struct report_group *report_group_new(const struct report_rows *const *members, size_t n,
				      size_t sort_by)
{
	struct report_group *g = xcalloc(1, sizeof(*g));

	g->members = xcalloc(n, sizeof(const struct report_rows *));
	memcpy(g->members, members, n * sizeof(const struct report_rows *));
	g->n_members = n;
	g->sort_by = sort_by < n ? sort_by : 0;
	if (n == 1) {
		report_group_take_rows(g);
	} else {
		report_group_join(g);
		report_group_sort_entries(g);
		drop_hidden(g);
	}
	return g;
}
