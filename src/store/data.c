/* SPDX-License-Identifier: MIT */
#include "store/data.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "store/content-id.h"

struct fleet_data *fleet_data_new(void)
{
	struct fleet_data *d = xcalloc(1, sizeof(*d));

	d->scratch = (struct text)TEXT_EMPTY;
	return d;
}

void fleet_data_free(struct fleet_data *d)
{
	if (!d)
		return;
	for (int t = 0; t < N_FLEET_TABLES; t++) {
		free(d->tables[t].cells);
		u64_map_done(&d->tables[t].ids);
	}
	intern_done(&d->texts);
	text_done(&d->scratch);
	free(d->remark);
	free(d);
}

size_t fleet_find_number(const struct fleet_data *d, enum fleet_table t, int64_t id)
{
	return (size_t)(uintptr_t)u64_map_find(&d->tables[t].ids, (uint64_t)id);
}

const union fleet_cell *fleet_find(const struct fleet_data *d, enum fleet_table t, int64_t id)
{
	size_t i = fleet_find_number(d, t, id);

	return i ? fleet_row(d, t, i - 1) : NULL;
}

bool fleet_rows_equal(enum fleet_table t, const union fleet_cell *a, const union fleet_cell *b)
{
	const struct fleet_table_type *type = &fleet_tables[t];

	for (size_t i = 0; i < type->n_columns; i++)
		if (type->columns[i].is_text ? strcmp(a[i].text, b[i].text) != 0
					     : a[i].number != b[i].number)
			return false;
	return true;
}

static const char *keep_text(struct fleet_data *d, const char *s)
{
	text_clear(&d->scratch);
	escape_not_utf8(&d->scratch, s, strlen(s));
	return intern_text(&d->texts, d->scratch.chars);
}

static union fleet_cell *new_row(struct fleet_data *d, enum fleet_table t)
{
	struct fleet_rows *rows = &d->tables[t];

	rows->cells = array_reserve(rows->cells, &rows->room, rows->n + 1,
				    fleet_tables[t].n_columns * sizeof(rows->cells[0]));
	return fleet_row(d, t, rows->n++);
}

void fleet_add(struct fleet_data *d, enum fleet_table t, const union fleet_cell *cells)
{
	const struct fleet_table_type *type = &fleet_tables[t];
	union fleet_cell *row;

	if (type->is_dictionary && fleet_find_number(d, t, cells[0].number))
		return;
	row = new_row(d, t);
	for (size_t i = 0; i < type->n_columns; i++) {
		if (type->columns[i].is_text)
			row[i].text = keep_text(d, cells[i].text);
		else
			row[i].number = cells[i].number;
	}
	if (type->is_dictionary)
		u64_map_put(&d->tables[t].ids, (uint64_t)row[0].number,
			    (void *)(uintptr_t)d->tables[t].n);
}

/*
 * Returns the id of a dictionary's row, computed from all cells but the id. Tables that could have
 * equal rows differ by their number.
 */
static int64_t store_data_id_of(enum fleet_table t, const union fleet_cell *cells, size_t n)
{
	struct content_hash h;

	content_hash_begin(&h);
	content_hash_number(&h, t);
	for (size_t i = 1; i < n; i++) {
		if (fleet_tables[t].columns[i].is_text)
			content_hash_text(&h, cells[i].text);
		else
			content_hash_number(&h, (uint64_t)cells[i].number);
	}
	return content_hash_id(&h);
}

/*
 * Adds a row without its id. Texts are escaped first, because the id is that of the stored texts.
 */
static int64_t add_made(struct fleet_data *d, enum fleet_table t, union fleet_cell *cells)
{
	const struct fleet_table_type *type = &fleet_tables[t];

	for (size_t i = 1; i < type->n_columns; i++)
		if (type->columns[i].is_text)
			cells[i].text = keep_text(d, cells[i].text);
	cells[0].number = store_data_id_of(t, cells, type->n_columns);
	fleet_add(d, t, cells);
	return cells[0].number;
}

int64_t fleet_add_image(struct fleet_data *d, const char *build_id, const char *name,
			bool is_kernel)
{
	union fleet_cell row[N_IMAGE_COLUMNS] = {
		[IMAGE_BUILD_ID].text = build_id,
		[IMAGE_NAME].text = name,
		[IMAGE_IS_KERNEL].number = is_kernel,
	};

	return add_made(d, FLEET_IMAGE, row);
}

static int64_t store_data_add_frame(struct fleet_data *d, int64_t image, const char *function,
				    bool is_inlined, uint64_t address)
{
	union fleet_cell row[N_FRAME_COLUMNS] = {
		[FRAME_IMAGE].number = image,
		[FRAME_FUNCTION].text = function,
		[FRAME_IS_INLINED].number = is_inlined,
		[FRAME_ADDRESS].number = (int64_t)address,
	};

	return add_made(d, FLEET_FRAME, row);
}

int64_t fleet_add_function(struct fleet_data *d, int64_t image, const char *name, bool is_inlined)
{
	return store_data_add_frame(d, image, name, is_inlined, 0);
}

int64_t fleet_add_address(struct fleet_data *d, int64_t image, uint64_t address)
{
	return store_data_add_frame(d, image, "", false, address);
}

int64_t fleet_add_stack(struct fleet_data *d, int64_t parent, int64_t frame)
{
	union fleet_cell row[N_STACK_COLUMNS] = {
		[STACK_PARENT].number = parent, [STACK_FRAME].number = frame
	};

	return add_made(d, FLEET_STACK, row);
}

int64_t fleet_add_event(struct fleet_data *d, const char *name, bool is_time)
{
	union fleet_cell row[N_EVENT_COLUMNS] = {
		[EVENT_NAME].text = name, [EVENT_IS_TIME].number = is_time
	};

	return add_made(d, FLEET_EVENT, row);
}

int64_t fleet_add_source(struct fleet_data *d, const struct fleet_source *s)
{
	const struct fleet_source all = { "", s->service, "", s->comm };
	union fleet_cell row[N_SOURCE_COLUMNS] = {
		[FLEET_SOURCE_HOST].text = s->host,
		[FLEET_SOURCE_SERVICE].text = s->service,
		[FLEET_SOURCE_CONTAINER].text = s->container,
		[FLEET_SOURCE_COMM].text = s->comm,
	};

	/*
	 * A source that is of all hosts already is rolled up into itself. 0 means this, because a
	 * row cannot contain the id of its own content.
	 */
	if (*s->host || *s->container)
		row[FLEET_SOURCE_ROLLUP].number = fleet_add_source(d, &all);
	return add_made(d, FLEET_SOURCE, row);
}

static int store_data_compare_numbers(const union fleet_cell *a, const union fleet_cell *b,
				      size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].number != b[i].number)
			return a[i].number < b[i].number ? -1 : 1;
	return 0;
}

static int compare_samples(const void *a, const void *b)
{
	return store_data_compare_numbers(a, b, N_SAMPLE_COLUMNS);
}

static void add_up_equal(struct fleet_rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->n; i++) {
		const union fleet_cell *row = rows->cells + i * N_SAMPLE_COLUMNS;
		union fleet_cell *last = rows->cells + (n - 1) * N_SAMPLE_COLUMNS;

		if (n && !store_data_compare_numbers(row, last, SAMPLE_SAMPLES)) {
			last[SAMPLE_SAMPLES].number += row[SAMPLE_SAMPLES].number;
			last[SAMPLE_PERIOD].number += row[SAMPLE_PERIOD].number;
			continue;
		}
		memmove(rows->cells + n++ * N_SAMPLE_COLUMNS, row, N_SAMPLE_COLUMNS * sizeof(*row));
	}
	rows->n = n;
}

/*
 * Returns the id of a batch. The rows do not affect it: a recording that is read again may have
 * other names.
 */
static int64_t batch_id(const struct fleet_recording *r, int64_t minute)
{
	struct content_hash h;

	content_hash_begin(&h);
	content_hash_number(&h, FLEET_BATCH);
	content_hash_text(&h, r->host);
	content_hash_number(&h, r->origin);
	content_hash_number(&h, (uint64_t)(minute - r->base));
	return content_hash_id(&h);
}

/* Makes a batch of the rows @from to @to, which are of one minute. */
static void store_data_make_batch(struct fleet_data *d, const struct fleet_recording *r,
				  size_t from, size_t to)
{
	int64_t id = batch_id(r, fleet_row(d, FLEET_SAMPLE, from)[SAMPLE_MINUTE].number);

	for (size_t i = from; i < to; i++)
		fleet_row(d, FLEET_SAMPLE, i)[SAMPLE_BATCH].number = id;
	fleet_add(d, FLEET_BATCH,
		  (union fleet_cell[N_BATCH_COLUMNS]){
			  [BATCH_ID].number = id,
			  [BATCH_MINUTE] = fleet_row(d, FLEET_SAMPLE, from)[SAMPLE_MINUTE],
			  [BATCH_HOST].text = r->host });
}

void fleet_make_batches(struct fleet_data *d, const struct fleet_recording *r)
{
	struct fleet_rows *rows = &d->tables[FLEET_SAMPLE];
	size_t from = 0;

	if (rows->n)
		qsort(rows->cells, rows->n, N_SAMPLE_COLUMNS * sizeof(rows->cells[0]),
		      compare_samples);
	add_up_equal(rows);
	for (size_t i = 1; i <= rows->n; i++) {
		if (i < rows->n && fleet_row(d, FLEET_SAMPLE, i)[SAMPLE_MINUTE].number ==
					   fleet_row(d, FLEET_SAMPLE, from)[SAMPLE_MINUTE].number)
			continue;
		store_data_make_batch(d, r, from, i);
		from = i;
	}
}

struct id_list {
	int64_t *items;
	size_t n, room;
	struct u64_map seen;
};

static void store_data_add_missing(const struct fleet_data *d, enum fleet_table t, int64_t id,
				   struct id_list *l)
{
	if (!id || fleet_find_number(d, t, id) || u64_map_find(&l->seen, (uint64_t)id))
		return;
	u64_map_put(&l->seen, (uint64_t)id, l);
	*ARRAY_ADD(l) = id;
}

static int store_data_compare_ids(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int64_t *fleet_missing(const struct fleet_data *d, enum fleet_table t, size_t *ret_n)
{
	struct id_list l = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(fleet_references); i++) {
		const struct fleet_reference *r = &fleet_references[i];

		for (size_t k = 0; r->to == t && k < d->tables[r->from].n; k++)
			store_data_add_missing(d, t, fleet_row(d, r->from, k)[r->column].number,
					       &l);
	}
	u64_map_done(&l.seen);
	if (l.n)
		qsort(l.items, l.n, sizeof(l.items[0]), store_data_compare_ids);
	*ret_n = l.n;
	return l.items;
}
