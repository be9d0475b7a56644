/* SPDX-License-Identifier: MIT */
#include "tools/report/thread-counts-model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "session/machine.h"
#include "session/session.h"

struct numbered_read {
	struct thread_read read;
	size_t turn; /* the position in the file, which orders equal times */
};

static int thread_counts_by_time(const void *a, const void *b)
{
	const struct numbered_read *x = a, *y = b;

	if (x->read.time != y->read.time)
		return x->read.time < y->read.time ? -1 : 1;
	return x->turn < y->turn ? -1 : x->turn > y->turn;
}

static struct numbered_read *reads_in_time(const struct session *s, size_t *ret_n)
{
	const struct thread_read *reads = machine_reads(s, ret_n);
	struct numbered_read *sorted = xcalloc(*ret_n + 1, sizeof(*sorted));

	for (size_t i = 0; i < *ret_n; i++)
		sorted[i] = (struct numbered_read){ reads[i], i };
	qsort(sorted, *ret_n, sizeof(*sorted), thread_counts_by_time);
	return sorted;
}

/* Returns the number, from 1, that @key has in @m. A new key gets the next number. */
static size_t thread_counts_number_of(struct u64_map *m, uint64_t key)
{
	uintptr_t n = (uintptr_t)u64_map_find(m, key);

	if (!n) {
		n = m->n + 1;
		u64_map_put(m, key, (void *)n);
	}
	return n;
}

static uint64_t cell_key(size_t row, size_t column)
{
	return (uint64_t)row << 32 | column;
}

static void thread_counts_add_value(struct thread_counts *t, size_t row, size_t column,
				    uint64_t value)
{
	uint64_t *cell = u64_map_find(&t->cells, cell_key(row, column));

	if (!cell) {
		cell = arena_alloc(&t->arena, sizeof(*cell));
		u64_map_put(&t->cells, cell_key(row, column), cell);
	}
	*cell += value;
}

struct thread_counts *thread_counts_new(const struct session *s)
{
	struct thread_counts *t = xcalloc(1, sizeof(*t));
	struct u64_map columns = { 0 }, rows = { 0 };
	size_t n;
	_cleanup_(freep) struct numbered_read *reads = reads_in_time(s, &n);

	for (size_t i = 0; i < n; i++) {
		const struct thread_read *r = &reads[i].read;
		const struct session_event *e = session_event_by_id(s, r->event_id);

		if (!e)
			continue;

		size_t row = thread_counts_number_of(&rows, (uint64_t)r->pid << 32 | r->tid) - 1;
		size_t column = thread_counts_number_of(&columns, e->index) - 1;

		if (row == t->rows.n)
			*ARRAY_ADD(&t->rows) = (struct thread_count){ r->pid, r->tid };
		if (column == t->columns.n)
			*ARRAY_ADD(&t->columns) = e;
		thread_counts_add_value(t, row, column, r->value);
	}
	u64_map_done(&columns);
	u64_map_done(&rows);
	return t;
}

void thread_counts_free(struct thread_counts *t)
{
	if (!t)
		return;
	free(t->rows.items);
	free(t->columns.items);
	u64_map_done(&t->cells);
	arena_done(&t->arena);
	free(t);
}

uint64_t thread_counts_value(const struct thread_counts *t, size_t row, size_t column)
{
	const uint64_t *cell = u64_map_find(&t->cells, cell_key(row, column));

	return cell ? *cell : 0;
}
