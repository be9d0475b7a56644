/* SPDX-License-Identifier: MIT */
#include "tools/timechart/rows-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Threads that ran longer or moved more than this always get a row. */
#define WORTH_NS    10000000
#define WORTH_BYTES 1048576

/* More rows than this are unreadable. A browser's script can show the others. */
#define DRAWN_MAX 250

static bool chart_rows_is_named(const char comm[CHART_COMM_MAX], const char *word)
{
	return comm[0] && strlen(word) <= CHART_COMM_MAX && !strncmp(comm, word, CHART_COMM_MAX);
}

bool chart_task_is(const struct chart_task *t, const char *word)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	if (*word && !*end && (number == t->tid || number == t->pid))
		return true;
	return chart_rows_is_named(t->comm, word) || chart_rows_is_named(t->before, word);
}

static bool chart_rows_is_selected(const struct chart_task *t, const struct chart_rows_request *rq)
{
	for (size_t i = 0; i < rq->n_selected; i++)
		if (chart_task_is(t, rq->selected[i]))
			return true;
	return !rq->n_selected;
}

/* A row while they are sorted. */
struct weighed {
	uint64_t weight, second;
	uint32_t task;
};

static int chart_rows_by_weight(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (x->second != y->second)
		return x->second > y->second ? -1 : 1;
	return (x->task > y->task) - (x->task < y->task);
}

/* True if the thread has a lane. A thread of which only the number is known has none. */
static bool has_lane(const struct chart *c, const struct chart_task *t)
{
	return c->lanes.items[t->lane].n || t->io_lane != LANE_NONE;
}

static size_t chart_rows_weigh(const struct chart *c, const struct chart_rows_request *rq,
			       struct weighed *ret)
{
	size_t n = 0;

	for (uint32_t i = 0; i < c->tasks.n; i++) {
		const struct chart_task *t = &c->tasks.items[i];
		uint64_t ns = chart_task_ns(c, t, CHART_RUNNING), bytes = chart_task_bytes(t);

		if (has_lane(c, t) && chart_rows_is_selected(t, rq))
			ret[n++] = (struct weighed){ rq->by_bytes ? bytes : ns,
						     rq->by_bytes ? ns : bytes, i };
	}
	return n;
}

static size_t count_drawn(const struct weighed *w, size_t n, const struct chart_rows_request *rq)
{
	uint64_t worth = rq->by_bytes ? WORTH_BYTES : WORTH_NS;
	size_t drawn = 0;

	while (drawn < n && drawn < DRAWN_MAX && w[drawn].weight >= worth)
		drawn++;
	if (drawn < rq->least || rq->n_selected)
		drawn = rq->n_selected ? DRAWN_MAX : rq->least;
	return drawn < n ? drawn : n;
}

void chart_rows_init(struct chart_rows *rows, const struct chart *c,
		     const struct chart_rows_request *rq)
{
	struct weighed *w = xcalloc(c->tasks.n + 1, sizeof(*w));

	rows->by_bytes = rq->by_bytes;
	rows->n = chart_rows_weigh(c, rq, w);
	qsort(w, rows->n, sizeof(*w), chart_rows_by_weight);
	rows->tasks = xcalloc(rows->n + 1, sizeof(*rows->tasks));
	for (size_t i = 0; i < rows->n; i++)
		rows->tasks[i] = w[i].task;
	rows->n_drawn = count_drawn(w, rows->n, rq);
	free(w);
}

void chart_rows_done(struct chart_rows *rows)
{
	free(rows->tasks);
}
