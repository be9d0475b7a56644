/* SPDX-License-Identifier: MIT */
#pragma once
/* Small tables for tests of lookups. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "profile/sample-table.h"
#include "tools/query/row-builder-work.h"
#include "tools/query/rows-work.h"
#include "tools/query/tables-work.h"

static struct query_column example_columns[] = {
	{ .name = (char *)"time" },
	{ .name = (char *)"tid" },
	{ .name = (char *)"comm", .is_text = true },
};

static struct query_table example_table = { .name = (char *)"example",
					    .columns = example_columns,
					    .n_columns = 3 };

/* A row; a negative number, or NULL, means no value. */
struct example_row {
	int64_t time, tid;
	const char *comm;
};

__attribute__((unused)) static struct rows *example_rows(const struct example_row *rows, size_t n)
{
	struct row_builder *b = row_builder_new(&example_table);
	int *columns = xmalloc(3 * sizeof(*columns));
	struct sample_table *t;

	for (size_t i = 0; i < n; i++) {
		if (rows[i].time >= 0)
			row_add_number(b, 0, rows[i].time);
		if (rows[i].tid >= 0)
			row_add_number(b, 1, rows[i].tid);
		row_add_text(b, 2, rows[i].comm);
		row_end(b);
	}
	t = row_builder_finish(b);
	row_builder_free(b);
	for (int i = 0; i < 3; i++)
		columns[i] = i;
	return rows_new(t, columns, 3, 0);
}

#define EXAMPLE_ROWS(...)                                                                          \
	example_rows((const struct example_row[]){ __VA_ARGS__ },                                  \
		     sizeof((const struct example_row[]){ __VA_ARGS__ }) /                         \
			     sizeof(struct example_row))
