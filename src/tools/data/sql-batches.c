/* SPDX-License-Identifier: MIT */
#include "tools/data/sql-batches.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/relay.h"

static int write_batch(void *arg, unsigned slot, unsigned worker)
{
	const struct sql_batches *b = arg;
	const struct sql_batch *batch = &b->items[slot];

	(void)worker;
	for (size_t at = 0; at < batch->n;) {
		size_t n = (size_t)batch->items[at + 1];

		b->write(b->arg, (enum sql_table)batch->items[at], batch->items + at + 2, n);
		at += n + 2;
	}
	return 0;
}

void sql_batches_init(struct sql_batches *b)
{
	const struct relay_work work = {
		.depth = SQL_BATCHES, .threads = 1, .run = write_batch, .arg = b
	};

	b->items = xcalloc(SQL_BATCHES, sizeof(*b->items));
	b->relay = relay_new(&work);
}

void sql_batches_done(struct sql_batches *b)
{
	if (b->relay)
		relay_free(b->relay);
	free(b->items);
}

static struct sql_batch *next_batch(struct sql_batches *b)
{
	unsigned slot = 0;

	if (b->relay)
		relay_slot(b->relay, &slot);
	b->items[slot].n = 0;
	return &b->items[slot];
}

static void sql_batches_hand_over(struct sql_batches *b)
{
	if (b->relay)
		relay_start(b->relay);
	else
		write_batch(b, 0, 0);
	b->filling = NULL;
}

void sql_batches_add(struct sql_batches *b, enum sql_table table, const struct sql_value *values,
		     size_t n)
{
	struct sql_batch *batch;

	if (b->filling && b->filling->n + n + 2 > SQL_BATCH_VALUES)
		sql_batches_hand_over(b);
	if (!b->filling)
		b->filling = next_batch(b);
	batch = b->filling;
	batch->items[batch->n++] = table;
	batch->items[batch->n++] = (int64_t)n;
	for (size_t i = 0; i < n; i++)
		batch->items[batch->n++] = values[i].number;
}

void sql_batches_wait(struct sql_batches *b)
{
	if (b->filling)
		sql_batches_hand_over(b);
	if (b->relay)
		relay_wait(b->relay);
}
