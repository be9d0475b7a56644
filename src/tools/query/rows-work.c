/* SPDX-License-Identifier: MIT */
#include "tools/query/rows-work.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/sample-table.h"

#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

/*
 * The number of orders that are kept, which is more than any query has. The oldest one is dropped
 * first.
 */
#define ORDERS_MAX 16

struct kept_order {
	struct order_term terms[ORDER_TERMS_MAX];
	size_t n;
	bool grouped;
	uint32_t *list;
};

struct rows {
	struct sample_table *table;
	int *columns; /* the sample table's column for each SQL column; below 0: none */
	size_t n_columns;
	int time;
	bool time_ascends;
	uint32_t **ranks;  /* by SQL column: each code's place among the sorted texts */
	uint32_t **sorted; /* by SQL column: the code at each place */
	struct kept_order orders[ORDERS_MAX];
	size_t n_orders, next_order;
	uint32_t **groups; /* by SQL column: for rows_equal() */
};

static bool rows_ascends(const struct rows *r, int c)
{
	int64_t last = INT64_MIN, value;
	bool begun = false;

	for (size_t i = 0; i < r->table->n_rows; i++) {
		if (!rows_number(r, c, i, &value)) {
			if (begun)
				return false;
			continue;
		}
		if (value < last)
			return false;
		begun = true;
		last = value;
	}
	return true;
}

struct rows *rows_new(struct sample_table *t, int *columns, size_t n, int time)
{
	struct rows *r = xcalloc(1, sizeof(*r));

	r->table = t;
	r->columns = columns;
	r->n_columns = n;
	r->ranks = xcalloc(n + 1, sizeof(*r->ranks));
	r->sorted = xcalloc(n + 1, sizeof(*r->sorted));
	r->groups = xcalloc(n + 1, sizeof(*r->groups));
	r->time = time;
	r->time_ascends = time >= 0 && rows_has(r, time) && rows_ascends(r, time);
	return r;
}

void rows_free(struct rows *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_columns; i++) {
		free(r->ranks[i]);
		free(r->sorted[i]);
		free(r->groups[i]);
	}
	for (size_t i = 0; i < r->n_orders; i++)
		free(r->orders[i].list);
	free(r->ranks);
	free(r->sorted);
	free(r->groups);
	free(r->columns);
	sample_table_unref(r->table);
	free(r);
}

size_t rows_count(const struct rows *r)
{
	return r->table->n_rows;
}

bool rows_has(const struct rows *r, int c)
{
	return c >= 0 && (size_t)c < r->n_columns && r->columns[c] >= 0;
}

const struct sample_column *rows_column(const struct rows *r, int c)
{
	return &r->table->columns[r->columns[c]];
}

bool rows_is_text(const struct rows *r, int c)
{
	return sample_column_has_names(rows_column(r, c)->type);
}

bool rows_number(const struct rows *r, int c, size_t row, int64_t *ret)
{
	const struct sample_column *col = rows_column(r, c);

	if (col->valid && !(col->valid[row / 8] >> row % 8 & 1))
		return false;
	if (sample_column_width(col->type) == sizeof(int32_t))
		*ret = ((const int32_t *)col->values)[row];
	else
		*ret = ((const int64_t *)col->values)[row];
	return true;
}

bool rows_in_order_of(const struct rows *r, int c)
{
	return c >= 0 && c == r->time && r->time_ascends;
}

static int rows_compare_texts(const char *a, size_t na, const char *b, size_t nb)
{
	int d = memcmp(a, b, na < nb ? na : nb);

	return d ? d : na < nb ? -1 : na > nb;
}

static int compare_codes(const void *a, const void *b, void *arg)
{
	const struct sample_names *names = arg;
	size_t nx, ny;
	const char *x = sample_names_get(names, *(const uint32_t *)a, &nx);
	const char *y = sample_names_get(names, *(const uint32_t *)b, &ny);

	return rows_compare_texts(x, nx, y, ny);
}

static void rank_texts(struct rows *r, int c)
{
	const struct sample_names *names = &rows_column(r, c)->names;
	uint32_t *sorted;

	if (r->sorted[c])
		return;
	sorted = xmalloc((names->n + 1) * sizeof(*sorted));
	r->ranks[c] = xmalloc((names->n + 1) * sizeof(*r->ranks[c]));
	for (uint32_t i = 0; i < names->n; i++)
		sorted[i] = i;
	qsort_r(sorted, names->n, sizeof(*sorted), compare_codes, (void *)names);
	for (uint32_t i = 0; i < names->n; i++)
		r->ranks[c][sorted[i]] = i;
	r->sorted[c] = sorted;
}

int64_t rows_code(struct rows *r, int c, const char *text, size_t length)
{
	const struct sample_names *names = &rows_column(r, c)->names;
	size_t low = 0, high = names->n;

	rank_texts(r, c);
	while (low < high) {
		size_t middle = low + (high - low) / 2, n;
		const char *at = sample_names_get(names, r->sorted[c][middle], &n);
		int d = rows_compare_texts(at, n, text, length);

		if (!d)
			return r->sorted[c][middle];
		if (d < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return -1;
}

/* Sorts the rows of @from by one digit of their keys. Equal rows keep their order. */
static void rows_sort_by_digit(const uint64_t *keys, unsigned shift, const uint32_t *from,
			       uint32_t *to, size_t n)
{
	size_t starts[DIGITS] = { 0 }, at = 0;

	for (size_t i = 0; i < n; i++)
		starts[keys[from[i]] >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t count = starts[i];

		starts[i] = at;
		at += count;
	}
	for (size_t i = 0; i < n; i++)
		to[starts[keys[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
}

/*
 * Returns keys that sort like the values, from 0 on. *@ret_max becomes the largest one. NULL: no
 * row has a value.
 */
static uint64_t *rows_keys_of(struct rows *r, const struct order_term *term, bool grouped,
			      uint64_t *ret_max)
{
	size_t n = r->table->n_rows;
	uint64_t *keys = xcalloc(n + 1, sizeof(*keys));
	bool ranked = rows_is_text(r, term->column) && !grouped;
	uint64_t min = UINT64_MAX, max = 0;
	int64_t value;

	if (ranked)
		rank_texts(r, term->column);
	for (size_t i = 0; i < n; i++) {
		if (!rows_number(r, term->column, i, &value))
			continue;
		if (ranked)
			value = r->ranks[term->column][value];
		keys[i] = (uint64_t)value ^ UINT64_C(1) << 63;
		min = keys[i] < min ? keys[i] : min;
		max = keys[i] > max ? keys[i] : max;
	}
	for (size_t i = 0; i < n; i++)
		if (rows_number(r, term->column, i, &value))
			keys[i] = term->descending ? max - keys[i] : keys[i] - min;
	*ret_max = max > min ? max - min : 0;
	return keys;
}

/* Moves rows without a value to the front, or to the end. */
static void place_nulls(const struct rows *r, const struct order_term *term, uint32_t *list,
			uint32_t *spare)
{
	size_t n = r->table->n_rows, n_null = 0, at;
	int64_t value;

	if (!rows_column(r, term->column)->valid)
		return;
	for (size_t i = 0; i < n; i++)
		n_null += !rows_number(r, term->column, i, &value);
	at = term->descending ? 0 : n_null;
	n_null = term->descending ? n - n_null : 0;
	for (size_t i = 0; i < n; i++)
		spare[rows_number(r, term->column, list[i], &value) ? at++ : n_null++] = list[i];
	memcpy(list, spare, n * sizeof(*list));
}

static void sort_by_term(struct rows *r, const struct order_term *term, bool grouped,
			 uint32_t **list, uint32_t **spare)
{
	uint64_t max, *keys = rows_keys_of(r, term, grouped, &max);

	for (unsigned shift = 0; shift < 64 && max >> shift; shift += DIGIT_BITS) {
		uint32_t *swap = *list;

		rows_sort_by_digit(keys, shift, *list, *spare, r->table->n_rows);
		*list = *spare;
		*spare = swap;
	}
	free(keys);
	place_nulls(r, term, *list, *spare);
}

static uint32_t *rows_make_order(struct rows *r, const struct order_term *terms, size_t n,
				 bool grouped)
{
	size_t n_rows = r->table->n_rows;
	uint32_t *list = xmalloc((n_rows + 1) * sizeof(*list));
	uint32_t *spare = xmalloc((n_rows + 1) * sizeof(*spare));

	for (size_t i = 0; i < n_rows; i++)
		list[i] = (uint32_t)i;
	for (size_t i = n; i--;)
		sort_by_term(r, &terms[i], grouped, &list, &spare);
	free(spare);
	return list;
}

static bool terms_equal(const struct order_term *a, const struct order_term *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].column != b[i].column || a[i].descending != b[i].descending)
			return false;
	return true;
}

const uint32_t *rows_ordered(struct rows *r, const struct order_term *terms, size_t n, bool grouped)
{
	struct kept_order *o;

	for (size_t i = 0; i < r->n_orders; i++) {
		o = &r->orders[i];
		if (o->n == n && o->grouped == grouped && terms_equal(o->terms, terms, n))
			return o->list;
	}
	o = &r->orders[r->next_order];
	r->next_order = (r->next_order + 1) % ORDERS_MAX;
	if (r->n_orders < ORDERS_MAX)
		r->n_orders++;
	free(o->list);
	memcpy(o->terms, terms, n * sizeof(*terms));
	o->n = n;
	o->grouped = grouped;
	o->list = rows_make_order(r, terms, n, grouped);
	return o->list;
}

size_t rows_bound(const struct rows *r, int c, const uint32_t *list, size_t n, int64_t value)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t at;

		if (!rows_number(r, c, list ? list[middle] : middle, &at) || at < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t rows_equal(struct rows *r, int c, int64_t value, const uint32_t **ret)
{
	size_t n = r->table->n_rows, first, end;

	if (!r->groups[c])
		r->groups[c] = rows_make_order(r, &(struct order_term){ .column = c }, 1, true);
	first = rows_bound(r, c, r->groups[c], n, value);
	end = value == INT64_MAX ? n : rows_bound(r, c, r->groups[c], n, value + 1);
	*ret = r->groups[c] + first;
	return end - first;
}
