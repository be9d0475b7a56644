/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Rows of a report made by hand, for tests of the later stages: two keys whose values are the words
 * themselves.
 */
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "profile/report-group.h"
#include "profile/report-plan.h"

static inline int example_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return strcmp((const char *)(uintptr_t)a, (const char *)(uintptr_t)b);
}

static inline void example_word(const struct key *k, struct key_env *env, const struct key_cell *c,
				struct text *scratch, struct value *ret)
{
	(void)k, (void)env, (void)scratch;
	ret[0] = value_text((const char *)(uintptr_t)c->value);
}

static const struct key_type example_types[] = {
	{ .name = "who",
	  .parts = { { .name = "who", .type = VALUE_TEXT } },
	  .compare = example_compare,
	  .value = example_word },
	{ .name = "what",
	  .parts = { { .name = "what", .type = VALUE_TEXT } },
	  .compare = example_compare,
	  .value = example_word },
};

static const struct key example_keys[] = {
	{ .type = &example_types[0], .title = "Who", .parts = example_types[0].parts },
	{ .type = &example_types[1], .title = "What", .parts = example_types[1].parts },
};

static const struct row_order example_order[] = {
	{ ROW_BY_SELF, 0 },
	{ ROW_BY_KEY, 0 },
	{ ROW_BY_KEY, 1 },
};

static struct key_env example_env;

static struct report_options example_options = {
	.env = &example_env,
	.keys = example_keys,
	.n_keys = 2,
	.order = example_order,
	.n_order = 3,
};

#define EXAMPLE_MAX 8

struct example_rows {
	struct report_rows rows;
	struct report_row items[EXAMPLE_MAX];
	uint64_t values[EXAMPLE_MAX][2];
};

static inline void example_rows_init(struct example_rows *m)
{
	*m = (struct example_rows){ .rows = { .options = &example_options } };
	m->rows.rows = m->items;
}

/* Adds a row after the others. Equal words must be the same pointer, so give literals. */
static inline void example_add(struct example_rows *m, const char *who, const char *what,
			       uint64_t period)
{
	struct weight w = { .period = period, .samples = period / 10 };
	size_t i = m->rows.n++;

	m->values[i][0] = (uintptr_t)who;
	m->values[i][1] = (uintptr_t)what;
	m->items[i] = (struct report_row){
		.first_self = STACK_NONE,
		.first_node = STACK_NONE,
		.self = w,
		.total = w,
		.values = m->values[i],
	};
	weight_add(&m->rows.shown, w);
	weight_add(&m->rows.all, w);
}

/* A plan with overhead, samples and both keys; its memory is static. */
static struct report_column example_columns[] = {
	{ .title = "Overhead" },
	{ .title = "Samples" },
	{ .title = "Who", .key = 0 },
	{ .title = "What", .key = 1 },
};
static struct report_columns example_levels[] = {
	{ .items = &example_columns[2], .n = 1 },
	{ .items = &example_columns[3], .n = 1 },
};

static inline struct report_plan example_plan(void)
{
	example_columns[0].figure = figure_get("overhead");
	example_columns[1].figure = figure_get("sample");
	return (struct report_plan){
		.keys = { .items = (struct key *)example_keys, .n = 2 },
		.columns = { .items = example_columns, .n = 4 },
		.order = (struct row_order *)example_order,
		.n_order = 3,
	};
}

static inline struct report_plan example_hierarchy_plan(void)
{
	struct report_plan p = example_plan();

	p.columns.n = 2;
	p.levels = example_levels;
	p.n_levels = 2;
	return p;
}
