/* SPDX-License-Identifier: MIT */
/*
 * Joins the rows that the workers took into one table: the order of rows is determined, then each
 * column is put into that order, several columns at once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "base/workers.h"
#include "profile/sample-table-internal.h"
#include "profile/stack-numbers.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

/* A row of a worker: the worker's number is in the upper bits. */
#define WORKER_SHIFT 48
#define ROW_MASK     ((UINT64_C(1) << WORKER_SHIFT) - 1)

/* Rows that are being sorted, and their times. */
struct sample_table_settle_ordering {
	uint64_t *rows, *keys;
	size_t n;
};

/* The row at each position of the table. */
struct sample_table_settle_rows {
	uint64_t *items;
	size_t n;
};

static int compare_runs(const void *a, const void *b)
{
	const struct row_run *x = a, *y = b;

	if (x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Returns all rows in the order of the file. */
static struct sample_table_settle_rows rows_of_file(struct sample_table_maker *m)
{
	struct sample_table_settle_rows all = { 0 };
	struct row_run *runs;
	size_t n_runs = 0, at = 0;

	for (unsigned i = 0; i < m->options.n_workers; i++) {
		n_runs += m->workers[i].runs.n;
		all.n += m->workers[i].n;
	}
	runs = xmalloc((n_runs + 1) * sizeof(*runs));
	all.items = xmalloc((all.n + 1) * sizeof(*all.items));
	n_runs = 0;
	for (unsigned i = 0; i < m->options.n_workers; i++)
		for (size_t j = 0; j < m->workers[i].runs.n; j++)
			runs[n_runs++] = m->workers[i].runs.items[j];
	qsort(runs, n_runs, sizeof(*runs), compare_runs);
	for (size_t i = 0; i < n_runs; i++)
		for (size_t j = 0; j < runs[i].n; j++)
			all.items[at++] = (uint64_t)runs[i].worker << WORKER_SHIFT |
					  (runs[i].first + j);
	free(runs);
	return all;
}

static uint64_t sample_table_settle_time_of(const struct sample_table_maker *m, uint64_t row)
{
	return m->workers[row >> WORKER_SHIFT].times[row & ROW_MASK];
}

#define DIGIT_BITS 11
#define DIGITS     (1u << DIGIT_BITS)

/* Makes one pass of a radix sort, which keeps the order of equal digits. */
static void sample_table_settle_sort_by_digit(const struct sample_table_settle_ordering *from,
					      struct sample_table_settle_ordering *to,
					      uint64_t base, unsigned shift)
{
	size_t starts[DIGITS] = { 0 }, at = 0;

	for (size_t i = 0; i < from->n; i++)
		starts[(from->keys[i] - base) >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t count = starts[i];

		starts[i] = at;
		at += count;
	}
	for (size_t i = 0; i < from->n; i++) {
		size_t place = starts[(from->keys[i] - base) >> shift & (DIGITS - 1)]++;

		to->keys[place] = from->keys[i];
		to->rows[place] = from->rows[i];
	}
}

/* Finds the range of the keys. Returns true if they ascend. */
static bool keys_ascend(const struct sample_table_settle_ordering *o, uint64_t *ret_min,
			uint64_t *ret_max)
{
	bool ascend = true;

	*ret_min = UINT64_MAX;
	*ret_max = 0;
	for (size_t i = 0; i < o->n; i++) {
		ascend &= !i || o->keys[i - 1] <= o->keys[i];
		*ret_min = o->keys[i] < *ret_min ? o->keys[i] : *ret_min;
		*ret_max = o->keys[i] > *ret_max ? o->keys[i] : *ret_max;
	}
	return ascend;
}

/* Sorts @n rows by time; O(n) for each 11 bits of the span of times. */
static void sort_stretch(const struct sample_table_maker *m, uint64_t *rows, size_t n)
{
	_cleanup_(freep) uint64_t *keys = xmalloc(n * sizeof(*keys));
	_cleanup_(freep) uint64_t *other_keys = NULL, *other_rows = NULL;
	struct sample_table_settle_ordering o = { rows, keys, n }, other, swap;
	uint64_t min, max;

	for (size_t i = 0; i < n; i++)
		keys[i] = sample_table_settle_time_of(m, rows[i]);
	if (keys_ascend(&o, &min, &max))
		return;
	other_keys = xmalloc(n * sizeof(*other_keys));
	other_rows = xmalloc(n * sizeof(*other_rows));
	other = (struct sample_table_settle_ordering){ other_rows, other_keys, n };
	for (unsigned shift = 0; shift < 64 && (max - min) >> shift; shift += DIGIT_BITS) {
		sample_table_settle_sort_by_digit(&o, &other, min, shift);
		swap = o;
		o = other;
		other = swap;
	}
	if (o.rows != rows)
		memcpy(rows, o.rows, n * sizeof(*rows));
}

/* This many rows are looked at together for places where the order can be cut. */
#define CUT_BLOCK ((size_t)32 << 10)

/* A stretch has at least this many rows, so that what each costs does not matter. */
#define STRETCH_MIN ((size_t)16 << 10)

/* Returns for each block the earliest time in all blocks behind it. The caller frees the list. */
static uint64_t *times_behind_blocks(const struct sample_table_maker *m,
				     const struct sample_table_settle_rows *all)
{
	uint64_t *behind = xmalloc((all->n / CUT_BLOCK + 1) * sizeof(*behind)), min = UINT64_MAX;

	for (size_t i = all->n; i--;) {
		uint64_t time = sample_table_settle_time_of(m, all->items[i]);

		if (i % CUT_BLOCK == CUT_BLOCK - 1 || i == all->n - 1)
			behind[i / CUT_BLOCK] = min;
		min = time < min ? time : min;
	}
	return behind;
}

/*
 * Sorts by time. Rows are nearly in order, as they come from rings that were emptied in turn. So
 * the order is cut where nothing behind is earlier than anything before, and each stretch is sorted
 * by itself, which takes little memory beside the rows.
 */
static void sort_by_time(const struct sample_table_maker *m,
			 const struct sample_table_settle_rows *all)
{
	_cleanup_(freep) uint64_t *behind_blocks = times_behind_blocks(m, all);
	_cleanup_(freep) uint64_t *behind = xmalloc(CUT_BLOCK * sizeof(*behind));
	uint64_t max = 0;
	size_t from = 0;

	for (size_t block = 0; block < all->n; block += CUT_BLOCK) {
		size_t n = all->n - block < CUT_BLOCK ? all->n - block : CUT_BLOCK;
		uint64_t min = behind_blocks[block / CUT_BLOCK], time;

		for (size_t i = n; i--;) {
			behind[i] = min;
			time = sample_table_settle_time_of(m, all->items[block + i]);
			min = time < min ? time : min;
		}
		for (size_t i = 0; i < n; i++) {
			size_t end = block + i + 1;

			time = sample_table_settle_time_of(m, all->items[end - 1]);
			max = time > max ? time : max;
			if (end != all->n && (max > behind[i] || end - from < STRETCH_MIN))
				continue;
			sort_stretch(m, all->items + from, end - from);
			from = end;
		}
	}
}

/* The distinct texts of a column, numbered in order of appearance. */
struct name_maker {
	struct sample_column *column;
	struct intern texts;
	struct u64_map codes;
	struct text bytes;
	size_t offsets_room;
};

static int32_t name_code(struct name_maker *nm, const char *text)
{
	struct sample_names *names = &nm->column->names;
	struct text valid = TEXT_EMPTY;
	const char *own;
	uintptr_t code;

	escape_not_utf8(&valid, text, strlen(text));
	own = intern_text(&nm->texts, valid.chars);
	code = (uintptr_t)u64_map_find(&nm->codes, (uintptr_t)own);
	/* Offsets are 32 bits wide. A text that does not fit any more gives no name. */
	if (!code && nm->bytes.length + valid.length > INT32_MAX) {
		text_done(&valid);
		return -1;
	}
	if (!code) {
		code = ++names->n;
		u64_map_put(&nm->codes, (uintptr_t)own, (void *)code);
		text_add_bytes(&nm->bytes, valid.chars, valid.length);
		names->offsets = array_reserve(names->offsets, &nm->offsets_room, names->n + 1,
					       sizeof(*names->offsets));
		names->offsets[0] = 0;
		names->offsets[names->n] = (int32_t)nm->bytes.length;
	}
	text_done(&valid);
	return (int32_t)code - 1;
}

static void name_maker_end(struct name_maker *nm)
{
	struct sample_names *names = &nm->column->names;

	if (!names->offsets)
		names->offsets = xcalloc(1, sizeof(*names->offsets));
	names->bytes = text_take(&nm->bytes);
	intern_done(&nm->texts);
	u64_map_done(&nm->codes);
}

#define CODE_UNKNOWN INT32_MIN

struct settling {
	struct sample_table_maker *m;
	struct sample_table *table;
	struct sample_table_settle_rows order;
};

static struct table_worker *worker_of(const struct settling *s, uint64_t row)
{
	return &s->m->workers[row >> WORKER_SHIFT];
}

/* Returns the name of frame @id, or NULL. */
static const char *frame_name(const struct settling *s, enum sample_field_source source,
			      uint32_t id)
{
	const struct frame *f;

	if (id == FRAME_NONE)
		return NULL;
	f = frames_get(s->m->frames, id);
	if (source == SOURCE_IMAGE || source == SOURCE_CHAIN_IMAGE)
		return f->image ? image_long_name(f->image) : NULL;
	return f->sym ? f->sym->name : NULL;
}

/* The codes of frames, looked up when a frame first occurs. */
struct frame_codes {
	int32_t *items;
	size_t n;
};

static struct frame_codes frame_codes_new(const struct settling *s)
{
	struct frame_codes c = { .n = frames_count(s->m->frames) };

	c.items = xmalloc((c.n + 1) * sizeof(*c.items));
	for (size_t i = 0; i < c.n; i++)
		c.items[i] = CODE_UNKNOWN;
	return c;
}

static int32_t frame_code(const struct settling *s, struct frame_codes *c, struct name_maker *nm,
			  enum sample_field_source source, uint32_t frame)
{
	if (frame >= c->n)
		return -1;
	if (c->items[frame] == CODE_UNKNOWN) {
		const char *name = frame_name(s, source, frame);

		c->items[frame] = name ? name_code(nm, name) : -1;
	}
	return c->items[frame];
}

static void settle_frames(struct settling *s, size_t i, struct name_maker *nm)
{
	enum sample_field_source source = s->m->columns[i].field.source;
	struct frame_codes codes = frame_codes_new(s);
	int32_t *to = nm->column->values;

	for (size_t k = 0; k < s->order.n; k++) {
		uint64_t row = s->order.items[k];
		const uint32_t *from = worker_of(s, row)->parts[i].values;

		to[k] = frame_code(s, &codes, nm, source, from[row & ROW_MASK]);
	}
	free(codes.items);
}

static void settle_texts(struct settling *s, size_t i, struct name_maker *nm)
{
	unsigned n_workers = s->m->options.n_workers;
	int32_t **codes = xcalloc(n_workers, sizeof(*codes));
	int32_t *to = nm->column->values;

	for (unsigned w = 0; w < n_workers; w++) {
		size_t n = s->m->workers[w].parts[i].names.list.n;

		codes[w] = xmalloc((n + 1) * sizeof(**codes));
		for (size_t k = 0; k < n; k++)
			codes[w][k] = CODE_UNKNOWN;
	}
	for (size_t k = 0; k < s->order.n; k++) {
		uint64_t row = s->order.items[k], at = row & ROW_MASK;
		const struct column_part *p = &worker_of(s, row)->parts[i];
		int32_t local = ((const int32_t *)p->values)[at];
		int32_t *code = &codes[row >> WORKER_SHIFT][local];

		if (p->valid && !p->valid[at]) {
			to[k] = -1;
			continue;
		}
		if (*code == CODE_UNKNOWN)
			*code = name_code(nm, p->names.list.items[local]);
		to[k] = *code;
	}
	for (unsigned w = 0; w < n_workers; w++)
		free(codes[w]);
	free(codes);
}

/* Returns a bit for each of @n codes that is present; NULL: all are. */
static uint8_t *bits_of_codes(const int32_t *codes, size_t n, size_t *ret_null)
{
	uint8_t *bits = NULL;

	for (size_t i = 0; i < n; i++) {
		if (codes[i] >= 0)
			continue;
		if (!bits) {
			bits = xmalloc(n / 8 + 1);
			memset(bits, 0xff, n / 8 + 1);
		}
		bits[i / 8] &= (uint8_t) ~(1u << i % 8);
		++*ret_null;
	}
	return bits;
}

static void settle_names(struct settling *s, size_t i)
{
	struct sample_column *c = &s->table->columns[i];
	struct name_maker nm = { .column = c, .bytes = TEXT_EMPTY };

	c->values = xmalloc((s->order.n + 1) * sizeof(int32_t));
	switch (s->m->columns[i].field.source) {
	case SOURCE_SYMBOL:
	case SOURCE_IMAGE:
		settle_frames(s, i, &nm);
		break;
	default:
		settle_texts(s, i, &nm);
	}
	name_maker_end(&nm);
	c->valid = bits_of_codes(c->values, s->order.n, &c->n_null);
}

/* Computes the offset of @ip from the start of its function. Returns false if there is none. */
static bool offset_in_function(const struct settling *s, uint32_t id, uint64_t *ret)
{
	const struct frame *f = id == FRAME_NONE ? NULL : frames_get(s->m->frames, id);

	if (!f || !f->sym)
		return false;
	*ret = f->addr - f->sym->start;
	return true;
}

static void clear_bit(struct sample_column *c, size_t n, size_t i)
{
	if (!c->valid) {
		c->valid = xmalloc(n / 8 + 1);
		memset(c->valid, 0xff, n / 8 + 1);
	}
	c->valid[i / 8] &= (uint8_t) ~(1u << i % 8);
	c->n_null++;
}

static void settle_offsets(struct settling *s, size_t i)
{
	struct sample_column *c = &s->table->columns[i];
	uint64_t *to = c->values = xcalloc(s->order.n + 1, sizeof(*to));

	for (size_t k = 0; k < s->order.n; k++) {
		uint64_t row = s->order.items[k];
		const uint32_t *from = worker_of(s, row)->parts[i].values;

		if (!offset_in_function(s, from[row & ROW_MASK], &to[k]))
			clear_bit(c, s->order.n, k);
	}
}

static void settle_stacks(struct settling *s, size_t i)
{
	struct sample_column *c = &s->table->columns[i];
	const struct stack_numbers *stacks = s->m->options.stacks;
	uint64_t *to = c->values = xcalloc(s->order.n + 1, sizeof(*to));

	for (size_t k = 0; k < s->order.n; k++) {
		uint64_t row = s->order.items[k];
		const uint32_t *from = worker_of(s, row)->parts[i].values;

		if (stacks)
			to[k] = stack_numbers_of(stacks, (unsigned)(row >> WORKER_SHIFT),
						 from[row & ROW_MASK]);
		if (!to[k])
			clear_bit(c, s->order.n, k);
	}
}

static void settle_numbers(struct settling *s, size_t i)
{
	struct sample_column *c = &s->table->columns[i];
	size_t width = sample_column_width(c->type);
	bool partial = s->m->columns[i].partial;
	uint64_t none = s->m->columns[i].field.none;

	c->values = xmalloc((s->order.n + 1) * width);
	for (size_t k = 0; k < s->order.n; k++) {
		uint64_t row = s->order.items[k], at = row & ROW_MASK;
		const struct column_part *p = &worker_of(s, row)->parts[i];

		if (width == sizeof(uint64_t))
			((uint64_t *)c->values)[k] = ((const uint64_t *)p->values)[at];
		else
			((uint32_t *)c->values)[k] = ((const uint32_t *)p->values)[at];
		if ((partial && !p->valid[at]) || (none && ((uint64_t *)c->values)[k] == none))
			clear_bit(c, s->order.n, k);
	}
}

/* Returns the items of a row. */
static size_t list_of_row(const struct settling *s, size_t i, uint64_t row, size_t *ret_first)
{
	const struct table_worker *w = worker_of(s, row);
	const struct column_part *p = &w->parts[i];
	const uint64_t *starts = p->values;
	size_t at = row & ROW_MASK;

	*ret_first = starts[at];
	return (at + 1 < w->n ? starts[at + 1] : p->n_items) - starts[at];
}

static void settle_lists(struct settling *s, size_t i)
{
	struct sample_column *c = &s->table->columns[i];
	enum sample_field_source source = s->m->columns[i].field.source;
	struct name_maker nm = { .column = c, .bytes = TEXT_EMPTY };
	struct frame_codes codes = frame_codes_new(s);
	size_t first, n;

	c->offsets = xmalloc((s->order.n + 1) * sizeof(*c->offsets));
	c->offsets[0] = 0;
	for (size_t k = 0; k < s->order.n; k++)
		c->offsets[k + 1] = c->offsets[k] +
				    (int64_t)list_of_row(s, i, s->order.items[k], &first);
	c->n_values = (size_t)c->offsets[s->order.n];
	c->values = xmalloc((c->n_values + 1) * sample_column_width(c->type));
	for (size_t k = 0; k < s->order.n; k++) {
		const void *items = worker_of(s, s->order.items[k])->parts[i].items;
		size_t at = (size_t)c->offsets[k];

		n = list_of_row(s, i, s->order.items[k], &first);
		for (size_t j = 0; j < n; j++)
			if (c->type == SAMPLE_COLUMN_LIST_U64)
				((uint64_t *)c->values)[at + j] =
					((const uint64_t *)items)[first + j];
			else
				((int32_t *)c->values)[at + j] =
					frame_code(s, &codes, &nm, source,
						   ((const uint32_t *)items)[first + j]);
	}
	free(codes.items);
	name_maker_end(&nm);
	if (c->type == SAMPLE_COLUMN_LIST_NAMES)
		c->items_valid = bits_of_codes(c->values, c->n_values, &c->n_items_null);
}

/* Releases the parts from which column @i was made. */
static void release_parts(struct sample_table_maker *m, size_t i)
{
	for (unsigned w = 0; w < m->options.n_workers; w++) {
		struct column_part *p = &m->workers[w].parts[i];

		free(TAKE(p->values));
		free(TAKE(p->valid));
		free(TAKE(p->items));
	}
}

static void settle_column(void *arg, size_t i, unsigned worker)
{
	struct settling *s = arg;
	struct sample_column *c = &s->table->columns[i];

	(void)worker;
	c->name = xstrdup(s->m->columns[i].name);
	c->type = s->m->columns[i].field.type;
	c->n_values = s->order.n;
	if (sample_column_is_list(c->type))
		settle_lists(s, i);
	else if (c->type == SAMPLE_COLUMN_NAME)
		settle_names(s, i);
	else if (s->m->columns[i].field.source == SOURCE_OFFSET)
		settle_offsets(s, i);
	else if (s->m->columns[i].field.source == SOURCE_STACK)
		settle_stacks(s, i);
	else
		settle_numbers(s, i);
	release_parts(s->m, i);
}

struct sample_table *sample_table_settle(struct sample_table_maker *m, struct workers *w)
{
	struct settling s = { .m = m, .order = rows_of_file(m) };

	sort_by_time(m, &s.order);
	for (unsigned i = 0; i < m->options.n_workers; i++)
		free(TAKE(m->workers[i].times));
	s.table = xcalloc(1, sizeof(*s.table));
	*s.table = (struct sample_table){ .columns = xcalloc(m->n_columns + 1,
							     sizeof(*s.table->columns)),
					  .n_columns = m->n_columns,
					  .n_rows = s.order.n,
					  .refs = 1 };
	if (w)
		workers_run(w, m->n_columns, settle_column, &s);
	else
		for (size_t i = 0; i < m->n_columns; i++)
			settle_column(&s, i, 0);
	free(s.order.items);
	return s.table;
}
