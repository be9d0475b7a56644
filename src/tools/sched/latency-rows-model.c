/* SPDX-License-Identifier: MIT */
/* The rows of sched/latency.h: tasks merged by name, and sorted. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "session/machine.h"
#include "tools/sched/latency-model.h"
#include "tools/sched/latency-task-model.h"

static const struct {
	const char *name;
	enum sched_latency_key key;
} keys[] = {
	{ "avg", SCHED_LATENCY_AVG },       { "max", SCHED_LATENCY_MAX },
	{ "switch", SCHED_LATENCY_SWITCH }, { "runtime", SCHED_LATENCY_RUNTIME },
	{ "pid", SCHED_LATENCY_PID },
};

static int sched_latency_rows_refuse_key(const char *text, size_t offset, size_t length,
					 struct diag *diag)
{
	diag_mark(diag, -EINVAL, text, offset, length, "'%.*s' is not a key to sort by",
		  (int)length, text + offset);
	diag_hint(diag, "There are: avg, max, switch, runtime, pid");
	return -EINVAL;
}

static int sched_latency_rows_add_key(struct sched_latency_order *o, const char *text,
				      size_t offset, size_t length, struct diag *diag)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strlen(keys[i].name) != length ||
		    memcmp(keys[i].name, text + offset, length) != 0)
			continue;
		if (o->n == SCHED_LATENCY_KEYS_MAX)
			return diag_set(diag, -EINVAL, "more than %d keys to sort by",
					SCHED_LATENCY_KEYS_MAX);
		o->keys[o->n++] = keys[i].key;
		return 0;
	}
	return sched_latency_rows_refuse_key(text, offset, length, diag);
}

int sched_latency_order_parse(const char *text, struct sched_latency_order *ret, struct diag *diag)
{
	struct sched_latency_order o = { .n = 0 };
	const char *p = text + strspn(text, ", ");
	int r = 0;

	while (*p && r >= 0) {
		size_t n = strcspn(p, ", ");

		r = sched_latency_rows_add_key(&o, text, (size_t)(p - text), n, diag);
		p += n;
		p += strspn(p, ", ");
	}
	if (r >= 0)
		*ret = o;
	return r;
}

static int sched_latency_rows_compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static uint64_t sched_latency_rows_average(const struct sched_latency_row *r)
{
	return r->n ? r->sum_ns / r->n : 0;
}

static int sched_latency_rows_compare_by(enum sched_latency_key key,
					 const struct sched_latency_row *a,
					 const struct sched_latency_row *b)
{
	switch (key) {
	case SCHED_LATENCY_AVG:
		return sched_latency_rows_compare_u64(sched_latency_rows_average(a),
						      sched_latency_rows_average(b));
	case SCHED_LATENCY_MAX:
		return sched_latency_rows_compare_u64(a->max_ns, b->max_ns);
	case SCHED_LATENCY_SWITCH:
		return sched_latency_rows_compare_u64(a->n, b->n);
	case SCHED_LATENCY_RUNTIME:
		return sched_latency_rows_compare_u64(a->run_ns, b->run_ns);
	case SCHED_LATENCY_PID:
		return a->tid < b->tid ? -1 : a->tid > b->tid;
	}
	return 0;
}

struct sched_latency_ordered {
	struct sched_latency_row row;
	size_t place; /* the previous position, which orders equal rows */
};

static int sched_latency_rows_compare(const void *a, const void *b, void *arg)
{
	const struct sched_latency_order *o = arg;
	const struct sched_latency_ordered *x = a, *y = b;

	for (size_t i = 0; i < o->n; i++) {
		int c = sched_latency_rows_compare_by(o->keys[i], &x->row, &y->row);

		if (c)
			return -c;
	}
	return sched_latency_rows_compare_u64(x->place, y->place);
}

static void sched_latency_rows_sort(struct sched_latency_rows *rows,
				    const struct sched_latency_order *o)
{
	_cleanup_(freep) struct sched_latency_ordered *all = xcalloc(rows->n + 1, sizeof(*all));

	for (size_t i = 0; i < rows->n; i++)
		all[i] = (struct sched_latency_ordered){ rows->items[i], i };
	qsort_r(all, rows->n, sizeof(*all), sched_latency_rows_compare, (void *)o);
	for (size_t i = 0; i < rows->n; i++)
		rows->items[i] = all[i].row;
}

/* A task with its last name. */
struct sched_latency_named {
	const struct sched_latency_task *task;
	const char *comm;
	size_t number; /* in order of appearance */
};

/* Orders by descending number; among equal ones the youngest comes first. */
static int sched_latency_rows_compare_tids(const void *a, const void *b)
{
	const struct sched_latency_named *x = a, *y = b;
	int32_t i = (int32_t)x->task->tid, j = (int32_t)y->task->tid;

	return i != j ? (i < j ? 1 : -1) : sched_latency_rows_compare_u64(y->number, x->number);
}

/* Orders by name, the last one first, then as above. */
static int compare_comms(const void *a, const void *b)
{
	const struct sched_latency_named *x = a, *y = b;
	int c = strcmp(y->comm, x->comm);

	return c ? c : sched_latency_rows_compare_tids(a, b);
}

static const char *sched_latency_rows_name_of(const struct sched_latency *l,
					      const struct sched_latency_task *t,
					      const struct session *s)
{
	uint64_t last = t->until ? t->until - 1 : 0;

	return l->options.keeps_names ? t->comm : machine_comm(s, t->tid, t->tid, last);
}

static struct sched_latency_named *name_tasks(const struct sched_latency *l,
					      const struct session *s)
{
	struct sched_latency_named *named = xcalloc(l->tasks.n + 1, sizeof(*named));

	for (size_t i = 0; i < l->tasks.n; i++) {
		const struct sched_latency_task *t = l->tasks.items[i];

		named[i] = (struct sched_latency_named){ t, sched_latency_rows_name_of(l, t, s),
							 i };
	}
	return named;
}

static void sched_latency_rows_add_task(struct sched_latency_row *row,
					const struct sched_latency_named *named)
{
	const struct sched_latency_task *t = named->task;

	if (!row->n_tasks++) {
		row->comm = named->comm;
		row->tid = (int32_t)t->tid;
	}
	row->run_ns += t->run_ns;
	row->n += t->n;
	row->sum_ns += t->sum_ns;
	if (t->max_ns <= row->max_ns)
		return;
	row->max_ns = t->max_ns;
	row->max_begin = t->max_begin;
	row->max_end = t->max_end;
}

static void sched_latency_rows_add_row(struct sched_latency_rows *rows,
				       const struct sched_latency_row *row)
{
	/* Linux gives the idle task this name; on each CPU its number is 0. */
	if (!row->n || !strcmp(row->comm, "swapper"))
		return;
	*ARRAY_ADD(rows) = *row;
	rows->run_ns += row->run_ns;
	rows->n_waits += row->n;
}

void sched_latency_rows(const struct sched_latency *l, const struct session *s, bool by_task,
			const struct sched_latency_order *order, struct sched_latency_rows *ret)
{
	_cleanup_(freep) struct sched_latency_named *named = name_tasks(l, s);
	size_t n = l->tasks.n;

	*ret = (struct sched_latency_rows){ 0 };
	qsort(named, n, sizeof(*named), by_task ? sched_latency_rows_compare_tids : compare_comms);
	for (size_t i = 0; i < n;) {
		struct sched_latency_row row = { .n_tasks = 0 };
		size_t first = i;

		do
			sched_latency_rows_add_task(&row, &named[i++]);
		while (!by_task && i < n && !strcmp(named[first].comm, named[i].comm));
		sched_latency_rows_add_row(ret, &row);
	}
	sched_latency_rows_sort(ret, order);
}

void sched_latency_rows_done(struct sched_latency_rows *rows)
{
	free(rows->items);
}
