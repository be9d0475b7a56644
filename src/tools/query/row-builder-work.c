/* SPDX-License-Identifier: MIT */
#include "tools/query/row-builder-work.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "profile/sample-table.h"
#include "tools/query/tables-work.h"

struct built_column {
	bool is_text;
	void *values; /* int64_t numbers, int32_t codes */
	size_t room;
	uint8_t *valid;
	size_t valid_room;
	size_t n; /* the number of rows that were added */
	struct intern texts;
	struct u64_map codes;
	struct text bytes;
	int32_t *offsets;
	size_t n_names, offsets_room;
};

struct row_builder {
	const struct query_table *table;
	struct built_column *columns;
	size_t n_rows;
};

struct row_builder *row_builder_new(const struct query_table *t)
{
	struct row_builder *b = xcalloc(1, sizeof(*b));

	b->table = t;
	b->columns = xcalloc(t->n_columns + 1, sizeof(*b->columns));
	for (size_t i = 0; i < t->n_columns; i++) {
		b->columns[i].is_text = t->columns[i].is_text;
		b->columns[i].bytes = (struct text)TEXT_EMPTY;
	}
	return b;
}

void row_builder_free(struct row_builder *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->table->n_columns; i++) {
		struct built_column *c = &b->columns[i];

		free(c->values);
		free(c->valid);
		free(c->offsets);
		text_done(&c->bytes);
		intern_done(&c->texts);
		u64_map_done(&c->codes);
	}
	free(b->columns);
	free(b);
}

/* Extends the column to @n rows; the added ones have no value. */
static void query_row_builder_reach(struct built_column *c, size_t n)
{
	size_t width = c->is_text ? sizeof(int32_t) : sizeof(int64_t);

	c->values = array_reserve(c->values, &c->room, n + 1, width);
	c->valid = array_reserve(c->valid, &c->valid_room, n / 8 + 1, 1);
	for (; c->n < n; c->n++) {
		memset((char *)c->values + c->n * width, c->is_text ? 0xff : 0, width);
		if (!(c->n % 8))
			c->valid[c->n / 8] = 0;
	}
}

static void query_row_builder_mark(struct built_column *c, size_t row)
{
	if (!(row % 8))
		c->valid[row / 8] = 0;
	c->valid[row / 8] |= (uint8_t)(1u << row % 8);
	c->n = row + 1;
}

void row_add_number(struct row_builder *b, unsigned column, int64_t value)
{
	struct built_column *c = &b->columns[column];

	query_row_builder_reach(c, b->n_rows);
	((int64_t *)c->values)[b->n_rows] = value;
	query_row_builder_mark(c, b->n_rows);
}

static int32_t query_row_builder_code_of(struct built_column *c, const char *text)
{
	struct text valid = TEXT_EMPTY;
	const char *own;
	uintptr_t code;

	escape_not_utf8(&valid, text, strlen(text));
	own = intern_text(&c->texts, valid.chars);
	code = (uintptr_t)u64_map_find(&c->codes, (uintptr_t)own);
	if (!code && c->bytes.length + valid.length <= INT32_MAX) {
		code = ++c->n_names;
		u64_map_put(&c->codes, (uintptr_t)own, (void *)code);
		text_add_bytes(&c->bytes, valid.chars, valid.length);
		c->offsets = array_reserve(c->offsets, &c->offsets_room, c->n_names + 1,
					   sizeof(*c->offsets));
		c->offsets[0] = 0;
		c->offsets[c->n_names] = (int32_t)c->bytes.length;
	}
	text_done(&valid);
	return (int32_t)code - 1;
}

void row_add_text(struct row_builder *b, unsigned column, const char *text)
{
	struct built_column *c = &b->columns[column];
	int32_t code = text ? query_row_builder_code_of(c, text) : -1;

	if (code < 0)
		return;
	query_row_builder_reach(c, b->n_rows);
	((int32_t *)c->values)[b->n_rows] = code;
	query_row_builder_mark(c, b->n_rows);
}

void row_end(struct row_builder *b)
{
	b->n_rows++;
}

static void finish_column(struct row_builder *b, size_t i, struct sample_column *to)
{
	struct built_column *c = &b->columns[i];

	query_row_builder_reach(c, b->n_rows);
	*to = (struct sample_column){
		.name = xstrdup(b->table->columns[i].name),
		.type = c->is_text ? SAMPLE_COLUMN_NAME : SAMPLE_COLUMN_I64,
		.values = TAKE(c->values),
		.n_values = b->n_rows,
		.valid = TAKE(c->valid),
	};
	if (!c->is_text)
		return;
	to->names.n = c->n_names;
	to->names.offsets = c->offsets ? TAKE(c->offsets) : xcalloc(1, sizeof(int32_t));
	to->names.bytes = text_take(&c->bytes);
}

struct sample_table *row_builder_finish(struct row_builder *b)
{
	struct sample_table *t = xcalloc(1, sizeof(*t));

	t->n_columns = b->table->n_columns;
	t->n_rows = b->n_rows;
	t->refs = 1;
	t->columns = xcalloc(t->n_columns + 1, sizeof(*t->columns));
	for (size_t i = 0; i < t->n_columns; i++)
		finish_column(b, i, &t->columns[i]);
	return t;
}
