/* SPDX-License-Identifier: MIT */
#include "store/sqlite-scan.h"

#if HAVE_SQLITE3
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "base/workers.h"
#include "store/data.h"
#include "store/select.h"
#include "store/sqlite-file.h"
#include "store/sums.h"
#include "store/url.h"

/* The most threads, and how many bytes of the file are worth one more. */
#define THREADS_MAX      8
#define BYTES_PER_THREAD (1 << 20)

/* A thread takes the rows of this many seconds at a time. */
#define STRETCH 600

/* Batches are read one by one if at most one in so many is of a chosen host. */
#define CHOSEN_SHARE 4

/* The number of a source or event whose rows are not chosen. */
#define UNCHOSEN UINT32_MAX

/* The place of a row among those that are read: it does not depend on who reads first. */
struct sqlite_scan_place {
	uint64_t stretch, run; /* @run: of rows of one source, within the stretch */
};

/* Sources, as far as the filter distinguishes them. */
struct sqlite_scan_sources {
	struct {
		struct sqlite_scan_place first; /* its first row */
		int64_t id;                     /* in @rows */
	} * items;
	size_t n, room;
	struct fleet_data *rows;
	struct u64_map numbers; /* by id in the file: 1 + a number, or UNCHOSEN */
	struct u64_map by_id;   /* by id in @rows: 1 + a number */
	struct text whose;
};

struct sqlite_scan_events {
	int64_t *items;
	size_t n, room;
	struct u64_map numbers; /* by id: 1 + a number, or UNCHOSEN */
};

/* The rows that a host has sent for a minute, which lie together. */
struct sqlite_scan_batch {
	int64_t minute, id;
};

/* The batches of the chosen hosts, in the order of their rows. */
struct sqlite_scan_batches {
	struct sqlite_scan_batch *items;
	size_t n, room;
};

struct sqlite_scan {
	const struct fleet_filter *filter;
	struct fleet_part parts[FLEET_PARTS_MAX];
	size_t n_parts;
	bool by_batch; /* only @batches are read */
	struct sqlite_scan_batches batches;
	struct sqlite_scan_worker *workers;
	atomic_bool stop;

	pthread_mutex_t lock; /* guards the members up to the next lock */
	size_t part;
	int64_t next; /* the time up to which @part was handed out */
	uint64_t n_stretches;
	struct sqlite_scan_sources sources;
	struct sqlite_scan_events events;

	pthread_mutex_t sums_lock; /* guards the others */
	struct fleet_sums sums;
	struct u64_map frames; /* by stack, if stacks are added up by function */
};

struct sqlite_scan_worker {
	struct sqlite_scan *scan;
	struct sqlite_file *file, own;
	bool is_open;
	sqlite3_stmt *next[FLEET_PARTS_MAX], *rows[FLEET_PARTS_MAX], *batch_rows;
	sqlite3_stmt *source_query, *event_query, *frame_query;
	struct sqlite_scan_place place;
	/* The source and event of the last row. */
	bool has_source, has_event;
	int64_t source_id, event_id;
	uint32_t source, event;
	struct fleet_sum block[FLEET_SUMS_BLOCK];
	size_t n_block;
	struct fleet_sums minute; /* by cell: the sums of the minute that is being read */
	int64_t minute_at;
	struct diag diag;
	int error;
};

static const char *scan_text_at(sqlite3_stmt *q, int i)
{
	const char *text = (const char *)sqlite3_column_text(q, i);

	return text ? text : "";
}

static bool scan_matches(const char *glob, const char *text)
{
	return !glob || glob_matches(glob, text);
}

/* Runs @q for @id. Returns 1 if there is a row, 0 if there is none. */
static int scan_ask_row(struct sqlite_scan_worker *w, sqlite3_stmt *q, int64_t id)
{
	int r;

	sqlite3_reset(q);
	sqlite3_bind_int64(q, 1, id);
	r = sqlite3_step(q);
	return r == SQLITE_ROW ? 1 : r == SQLITE_DONE ? 0 : sqlite_file_explain(w->file, &w->diag);
}

/* Converts a number from 0 on to a value of a map, and back. */
static void *scan_as_value(uint32_t number)
{
	return (void *)((uintptr_t)number + 1);
}

static uint32_t scan_as_number(const void *value)
{
	return (uint32_t)((uintptr_t)value - 1);
}

/* Returns the number of the source in the row of @q. */
static uint32_t scan_number_source(struct sqlite_scan *s, sqlite3_stmt *q)
{
	const struct fleet_filter *f = s->filter;
	const char *host = scan_text_at(q, 0), *service = scan_text_at(q, 1);
	const char *container = scan_text_at(q, 2), *comm = scan_text_at(q, 3);
	struct sqlite_scan_sources *sources = &s->sources;
	struct fleet_source source = { "", "", "", comm };
	const void *known;
	int64_t id;

	if (!scan_matches(f->host, host) || !scan_matches(f->service, service) ||
	    !scan_matches(f->container, container) || !scan_matches(f->comm, comm))
		return UNCHOSEN;
	text_clear(&sources->whose);
	fleet_whose(&sources->whose, f, host, service);
	source.host = sources->whose.chars;
	id = fleet_add_source(sources->rows, &source);
	known = u64_map_find(&sources->by_id, (uint64_t)id);
	if (known)
		return scan_as_number(known);
	u64_map_put(&sources->by_id, (uint64_t)id, scan_as_value((uint32_t)sources->n));
	*ARRAY_ADD(sources) = (__typeof__(*sources->items)){ .id = id, .first = { UINT64_MAX, 0 } };
	return (uint32_t)sources->n - 1;
}

/* Finds the number of source @id. Rows without a source are not chosen. */
static int scan_find_source(struct sqlite_scan_worker *w, int64_t id, uint32_t *ret)
{
	struct sqlite_scan *s = w->scan;
	const void *known = u64_map_find(&s->sources.numbers, (uint64_t)id);
	int r;

	if (known) {
		*ret = scan_as_number(known);
		return 0;
	}
	r = scan_ask_row(w, w->source_query, id);
	if (r < 0)
		return r;
	*ret = r ? scan_number_source(s, w->source_query) : UNCHOSEN;
	sqlite3_reset(w->source_query);
	u64_map_put(&s->sources.numbers, (uint64_t)id, scan_as_value(*ret));
	return 0;
}

static bool scan_is_before(const struct sqlite_scan_place *a, const struct sqlite_scan_place *b)
{
	return a->stretch != b->stretch ? a->stretch < b->stretch : a->run < b->run;
}

/* Takes note of the source of the next rows, which is looked up where it changes. */
static int scan_enter_source(struct sqlite_scan_worker *w, int64_t id)
{
	struct sqlite_scan *s = w->scan;
	int r;

	if (w->has_source && id == w->source_id)
		return 0;
	pthread_mutex_lock(&s->lock);
	r = scan_find_source(w, id, &w->source);
	w->place.run++;
	if (r >= 0 && w->source != UNCHOSEN &&
	    scan_is_before(&w->place, &s->sources.items[w->source].first))
		s->sources.items[w->source].first = w->place;
	pthread_mutex_unlock(&s->lock);
	w->has_source = r >= 0;
	w->source_id = id;
	return r;
}

static int scan_find_event(struct sqlite_scan_worker *w, int64_t id, uint32_t *ret)
{
	struct sqlite_scan_events *events = &w->scan->events;
	const void *known = u64_map_find(&events->numbers, (uint64_t)id);
	const char *glob = w->scan->filter->event;
	int r = 1;

	if (known) {
		*ret = scan_as_number(known);
		return 0;
	}
	if (glob) {
		r = scan_ask_row(w, w->event_query, id);
		if (r < 0)
			return r;
		r = r && glob_matches(glob, scan_text_at(w->event_query, 0));
		sqlite3_reset(w->event_query);
	}
	*ret = r ? (uint32_t)events->n : UNCHOSEN;
	if (r)
		*ARRAY_ADD(events) = id;
	u64_map_put(&events->numbers, (uint64_t)id, scan_as_value(*ret));
	return 0;
}

static int scan_enter_event(struct sqlite_scan_worker *w, int64_t id)
{
	int r;

	if (w->has_event && id == w->event_id)
		return 0;
	pthread_mutex_lock(&w->scan->lock);
	r = scan_find_event(w, id, &w->event);
	pthread_mutex_unlock(&w->scan->lock);
	w->has_event = r >= 0;
	w->event_id = id;
	return r;
}

/* Replaces stack @id by its innermost frame; 0: it has none, or does not exist. */
static int scan_find_frame(struct sqlite_scan_worker *w, int64_t *id)
{
	struct u64_map *frames = &w->scan->frames;
	int64_t frame = *id ? (int64_t)(uintptr_t)u64_map_find(frames, (uint64_t)*id) : 0;
	int r;

	if (!frame && *id) {
		r = scan_ask_row(w, w->frame_query, *id);
		if (r < 0)
			return r;
		frame = r ? sqlite3_column_int64(w->frame_query, 0) : 0;
		sqlite3_reset(w->frame_query);
		if (frame)
			u64_map_put(frames, (uint64_t)*id, (void *)(uintptr_t)frame);
	}
	*id = frame;
	return 0;
}

/* Replaces the stacks of the rows that wait by their innermost frames. */
static int scan_find_frames(struct sqlite_scan_worker *w)
{
	int r = 0;

	pthread_mutex_lock(&w->scan->sums_lock);
	for (size_t i = 0; r >= 0 && i < w->n_block; i++)
		r = scan_find_frame(w, &w->block[i].stack);
	pthread_mutex_unlock(&w->scan->sums_lock);
	return r;
}

/* Adds the rows that wait to the sums of all threads. */
static void scan_add_block(struct sqlite_scan_worker *w)
{
	pthread_mutex_lock(&w->scan->sums_lock);
	fleet_sums_add(&w->scan->sums, w->block, w->n_block);
	pthread_mutex_unlock(&w->scan->sums_lock);
	w->n_block = 0;
}

/* Adds the rows that wait to the sums. */
static int scan_flush(struct sqlite_scan_worker *w)
{
	const struct fleet_filter *f = w->scan->filter;
	int r = f->by_function ? scan_find_frames(w) : 0;

	if (r < 0)
		return r;
	if (!f->by_cell) {
		scan_add_block(w);
		return 0;
	}
	fleet_sums_add(&w->minute, w->block, w->n_block);
	w->n_block = 0;
	return 0;
}

/* By cell: adds the cells of the minute that was read to the sums. */
static int scan_end_minute(struct sqlite_scan_worker *w)
{
	int r = scan_flush(w);

	for (size_t i = 0; r >= 0 && i < w->minute.n; i++) {
		w->n_block += fleet_thirds(&w->minute.items[i], &w->block[w->n_block]);
		if (w->n_block + FLEET_THIRDS > FLEET_SUMS_BLOCK)
			scan_add_block(w);
	}
	if (r >= 0)
		scan_add_block(w);
	fleet_sums_clear(&w->minute);
	return r;
}

static int scan_enter_minute(struct sqlite_scan_worker *w, int64_t minute)
{
	int r = minute == w->minute_at ? 0 : scan_end_minute(w);

	w->minute_at = minute;
	return r;
}

/* --- functions that the SELECT calls ---------------------------------------------------------- */

/* Ends the SELECT if @r is an error, which the worker keeps. Returns false then. */
static bool scan_goes_on(struct sqlite_scan_worker *w, sqlite3_context *context, int r)
{
	if (r >= 0)
		return true;
	w->error = r;
	sqlite3_result_error(context, "", -1);
	return false;
}

/* scan_is_chosen(source) */
static void scan_is_chosen(sqlite3_context *context, int n, sqlite3_value **values)
{
	struct sqlite_scan_worker *w = sqlite3_user_data(context);

	(void)n;
	if (scan_goes_on(w, context, scan_enter_source(w, sqlite3_value_int64(values[0]))))
		sqlite3_result_int(context, w->source != UNCHOSEN);
}

/* scan_take(time, source, event, stack, samples, period) */
static void scan_take(sqlite3_context *context, int n, sqlite3_value **values)
{
	struct sqlite_scan_worker *w = sqlite3_user_data(context);
	int r = scan_enter_source(w, sqlite3_value_int64(values[1]));

	(void)n;
	if (r >= 0)
		r = scan_enter_event(w, sqlite3_value_int64(values[2]));
	if (r >= 0 && w->scan->filter->by_cell)
		r = scan_enter_minute(w, sqlite3_value_int64(values[0]));
	if (!scan_goes_on(w, context, r) || w->source == UNCHOSEN || w->event == UNCHOSEN)
		return;
	w->block[w->n_block++] = (struct fleet_sum){
		.minute = w->scan->filter->by_minute ? sqlite3_value_int64(values[0]) : 0,
		.source = w->source,
		.event = w->event,
		.stack = sqlite3_value_int64(values[3]),
		.samples = sqlite3_value_int64(values[4]),
		.period = sqlite3_value_int64(values[5]),
	};
	if (w->n_block == FLEET_SUMS_BLOCK)
		scan_goes_on(w, context, scan_flush(w));
}

/* Ends the aggregate, which has no value. */
static void scan_end(sqlite3_context *context)
{
	(void)context;
}

/* --- stretches of time ------------------------------------------------------------------------ */

/*
 * Finds the next stretch with rows, in the order of time. Returns 1 if there is one: *@ret is its
 * begin, in *@ret_part. 0: everything was handed out.
 */
static int scan_find_stretch(struct sqlite_scan_worker *w, size_t *ret_part, int64_t *ret)
{
	struct sqlite_scan *s = w->scan;

	for (; s->part < s->n_parts; s->part++, s->next = INT64_MIN) {
		const struct fleet_part *p = &s->parts[s->part];
		sqlite3_stmt *q = w->next[s->part];
		int r;

		sqlite3_bind_int64(q, 2, p->to);
		r = scan_ask_row(w, q, s->next > p->from ? s->next : p->from);
		if (r > 0) {
			*ret_part = s->part;
			*ret = sqlite3_column_int64(q, 0);
		}
		sqlite3_reset(q);
		if (r)
			return r;
	}
	return 0;
}

/* Takes the next stretch: [*@ret, *@ret_end). */
static int scan_take_stretch(struct sqlite_scan_worker *w, size_t *ret_part, int64_t *ret,
			     int64_t *ret_end)
{
	struct sqlite_scan *s = w->scan;
	int64_t to;
	int r;

	pthread_mutex_lock(&s->lock);
	r = scan_find_stretch(w, ret_part, ret);
	if (r > 0) {
		to = s->parts[*ret_part].to;
		*ret_end = *ret < to - STRETCH ? *ret + STRETCH : to;
		s->next = *ret_end;
		w->place = (struct sqlite_scan_place){ .stretch = s->n_stretches++ };
	}
	pthread_mutex_unlock(&s->lock);
	w->has_source = false;
	return r;
}

/* Runs @q, which takes rows, with @a and @b. */
static int scan_run(struct sqlite_scan_worker *w, sqlite3_stmt *q, int64_t a, int64_t b)
{
	int step;

	sqlite3_bind_int64(q, 1, a);
	sqlite3_bind_int64(q, 2, b);
	step = sqlite3_step(q);
	if (step == SQLITE_ROW)
		step = sqlite3_step(q);
	if (step != SQLITE_DONE && !w->error)
		w->error = sqlite_file_explain(w->file, &w->diag);
	sqlite3_reset(q);
	return w->error;
}

/* Returns the first batch from minute @from on. */
static size_t scan_first_batch(const struct sqlite_scan_batches *b, int64_t from)
{
	size_t low = 0, high = b->n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (b->items[middle].minute < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Reads the batches of [from, to), in one transaction, because beginning one takes long. */
static int scan_run_batches(struct sqlite_scan_worker *w, int64_t from, int64_t to)
{
	const struct sqlite_scan_batches *b = &w->scan->batches;

	if (!w->error)
		w->error = sqlite_file_run(w->file, "BEGIN", &w->diag);
	for (size_t i = scan_first_batch(b, from); !w->error && i < b->n; i++) {
		if (b->items[i].minute >= to)
			break;
		scan_run(w, w->batch_rows, b->items[i].minute, b->items[i].id);
	}
	return w->error ? w->error : sqlite_file_run(w->file, "COMMIT", &w->diag);
}

static int scan_read_stretch(struct sqlite_scan_worker *w, size_t part, int64_t from, int64_t to)
{
	int r = w->scan->by_batch ? scan_run_batches(w, from, to)
				  : scan_run(w, w->rows[part], from, to);

	if (!r)
		r = w->scan->filter->by_cell ? scan_end_minute(w) : scan_flush(w);
	w->error = r;
	return r;
}

static void scan_read(void *arg, size_t piece, unsigned worker)
{
	struct sqlite_scan *s = arg;
	struct sqlite_scan_worker *w = &s->workers[piece];
	int64_t from, to;
	size_t part;
	int r = w->is_open;

	(void)worker;
	while (r > 0 && !atomic_load(&s->stop)) {
		r = scan_take_stretch(w, &part, &from, &to);
		if (r > 0 && scan_read_stretch(w, part, from, to) < 0)
			r = w->error;
	}
	if (r < 0) {
		w->error = r;
		atomic_store(&s->stop, true);
	}
}

/* --- batches ---------------------------------------------------------------------------------- */

static int scan_compare_batches(const void *va, const void *vb)
{
	const struct sqlite_scan_batch *a = va, *b = vb;

	if (a->minute != b->minute)
		return a->minute < b->minute ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* Lists the batches of the chosen hosts. *@ret_all is the number of those of all hosts. */
static int scan_list_batches(struct sqlite_scan *s, sqlite3_stmt *q, size_t *ret_all)
{
	const struct fleet_part *p = &s->parts[0];
	int step;

	*ret_all = 0;
	sqlite3_bind_int64(q, 1, p->from);
	sqlite3_bind_int64(q, 2, p->to);
	while ((step = sqlite3_step(q)) == SQLITE_ROW) {
		++*ret_all;
		if (glob_matches(s->filter->host, scan_text_at(q, 2)))
			*ARRAY_ADD(&s->batches) = (struct sqlite_scan_batch){
				sqlite3_column_int64(q, 0), sqlite3_column_int64(q, 1)
			};
	}
	return step;
}

/*
 * Decides whether the batches of the chosen hosts are read, or all rows: a few hosts among many
 * have few of the rows.
 */
static int scan_choose_batches(struct sqlite_scan *s)
{
	struct sqlite_scan_worker *w = &s->workers[0];
	sqlite3_stmt *q;
	size_t n_all;
	int r = 0;

	if (!s->filter->host || s->parts[0].table != FLEET_SAMPLE)
		return 0;
	r = sqlite_file_prepare(w->file,
				"SELECT minute, id, host FROM perf_batch "
				"WHERE minute >= ? AND minute < ?",
				&q, &w->diag);
	if (r < 0)
		return r;
	if (scan_list_batches(s, q, &n_all) != SQLITE_DONE)
		r = sqlite_file_explain(w->file, &w->diag);
	sqlite3_finalize(q);
	s->by_batch = n_all && s->batches.n <= n_all / CHOSEN_SHARE;
	if (s->by_batch && s->batches.n)
		qsort(s->batches.items, s->batches.n, sizeof(*s->batches.items),
		      scan_compare_batches);
	return r;
}

/* --- workers ---------------------------------------------------------------------------------- */

static bool scan_chooses_sources(const struct fleet_filter *f)
{
	return f->host || f->service || f->container || f->comm;
}

static int scan_prepare_part(struct sqlite_scan_worker *w, size_t i)
{
	const struct fleet_part *p = &w->scan->parts[i];
	const char *table = fleet_tables[p->table].name;
	_cleanup_(freep) char *next =
		xasprintf("SELECT %s FROM %s WHERE %s >= ? AND %s < ? ORDER BY %s LIMIT 1", p->time,
			  table, p->time, p->time, p->time);
	/* Other indices, which somebody may have added, would change the order of rows. */
	_cleanup_(freep) char *rows = xasprintf(
		"SELECT scan_take(%s, source, event, stack, samples, period) FROM %s NOT INDEXED "
		"WHERE %s >= ? AND %s < ?%s",
		p->time, table, p->time, p->time,
		scan_chooses_sources(w->scan->filter) ? " AND scan_is_chosen(source)" : "");
	int r = sqlite_file_prepare(w->file, next, &w->next[i], &w->diag);

	return r < 0 ? r : sqlite_file_prepare(w->file, rows, &w->rows[i], &w->diag);
}

static int scan_prepare(struct sqlite_scan_worker *w)
{
	int r;

	sqlite3_create_function(w->file->db, "scan_is_chosen", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
				w, scan_is_chosen, NULL, NULL);
	sqlite3_create_function(w->file->db, "scan_take", 6, SQLITE_UTF8 | SQLITE_DIRECTONLY, w,
				NULL, scan_take, scan_end);
	r = sqlite_file_prepare(w->file,
				"SELECT host, service, container, comm FROM perf_source "
				"WHERE id = ?",
				&w->source_query, &w->diag);
	if (r >= 0)
		r = sqlite_file_prepare(w->file, "SELECT name FROM perf_event WHERE id = ?",
					&w->event_query, &w->diag);
	if (r >= 0)
		r = sqlite_file_prepare(w->file, "SELECT frame FROM perf_stack WHERE id = ?",
					&w->frame_query, &w->diag);
	for (size_t i = 0; r >= 0 && i < w->scan->n_parts; i++)
		r = scan_prepare_part(w, i);
	if (r >= 0)
		r = sqlite_file_prepare(w->file,
					"SELECT scan_take(minute, source, event, stack, samples, "
					"period) FROM perf_sample NOT INDEXED "
					"WHERE minute = ? AND batch = ? AND scan_is_chosen(source)",
					&w->batch_rows, &w->diag);
	w->is_open = r >= 0;
	return r;
}

/* Opens the connections. The first one is there; without the others the work takes longer. */
static int scan_open(struct sqlite_scan *s, struct sqlite_file *file, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sqlite_scan_worker *w = &s->workers[i];
		int r = 0;

		w->scan = s;
		w->file = i ? &w->own : file;
		if (i)
			r = sqlite_file_open(&w->own, file->path, file->patience, 0, &w->diag);
		/* Pages are read one after the other, so a small cache is enough. */
		if (r >= 0)
			r = sqlite_file_run(w->file, "PRAGMA cache_size = -512", &w->diag);
		if (r >= 0)
			r = scan_prepare(w);
		if (r < 0)
			return i ? 0 : r;
	}
	return 0;
}

static void scan_close(struct sqlite_scan_worker *w)
{
	for (size_t i = 0; i < FLEET_PARTS_MAX; i++) {
		sqlite3_finalize(w->next[i]);
		sqlite3_finalize(w->rows[i]);
	}
	sqlite3_finalize(w->batch_rows);
	sqlite3_finalize(w->source_query);
	sqlite3_finalize(w->event_query);
	sqlite3_finalize(w->frame_query);
	fleet_sums_done(&w->minute);
	if (w->own.db)
		sqlite_file_close(&w->own);
	diag_done(&w->diag);
}

/* Returns how many threads the file is worth. */
static unsigned scan_threads(struct sqlite_file *f)
{
	int64_t pages = 0, page_size = 0;
	struct diag unused = { 0 };

	if (!sqlite3_threadsafe() ||
	    sqlite_file_number(f, "PRAGMA page_count", &pages, &unused) < 0 ||
	    sqlite_file_number(f, "PRAGMA page_size", &page_size, &unused) < 0) {
		diag_done(&unused);
		return 1;
	}
	pages /= BYTES_PER_THREAD / (page_size > 0 ? page_size : 1);
	return pages < THREADS_MAX ? 1 + (unsigned)pages : THREADS_MAX;
}

/* --- the result ------------------------------------------------------------------------------- */

static int scan_compare_firsts(const void *va, const void *vb, void *data)
{
	const struct sqlite_scan_sources *sources = data;
	const struct sqlite_scan_place *a = &sources->items[*(const uint32_t *)va].first;
	const struct sqlite_scan_place *b = &sources->items[*(const uint32_t *)vb].first;

	return scan_is_before(a, b) ? -1 : scan_is_before(b, a);
}

/* Adds the sources to @d, in the order of their first rows. */
static void scan_add_sources(struct sqlite_scan_sources *sources, struct fleet_data *d)
{
	_cleanup_(freep) uint32_t *order = xcalloc(sources->n + 1, sizeof(*order));

	for (size_t i = 0; i < sources->n; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, sources->n, sizeof(*order), scan_compare_firsts, sources);
	for (size_t i = 0; i < sources->n; i++) {
		int64_t id = sources->items[order[i]].id;
		const union fleet_cell *row = fleet_find(sources->rows, FLEET_SOURCE, id);

		fleet_add_source(d, &(struct fleet_source){ row[FLEET_SOURCE_HOST].text, "", "",
							    row[FLEET_SOURCE_COMM].text });
	}
}

static void scan_give(struct sqlite_scan *s, struct fleet_data *d)
{
	_cleanup_(freep) int64_t *ids = xcalloc(s->sources.n + 1, sizeof(*ids));

	for (size_t i = 0; i < s->sources.n; i++)
		ids[i] = s->sources.items[i].id;
	scan_add_sources(&s->sources, d);
	u64_map_done(&s->frames);
	s->frames = (struct u64_map){ 0 };
	fleet_sums_take(&s->sums, ids, s->sources.n, s->events.items, d);
}

static void scan_done(struct sqlite_scan *s, size_t n_workers)
{
	for (size_t i = 0; i < n_workers; i++)
		scan_close(&s->workers[i]);
	free(s->workers);
	free(s->batches.items);
	free(s->sources.items);
	fleet_data_free(s->sources.rows);
	u64_map_done(&s->sources.numbers);
	u64_map_done(&s->sources.by_id);
	text_done(&s->sources.whose);
	free(s->events.items);
	u64_map_done(&s->events.numbers);
	fleet_sums_done(&s->sums);
	u64_map_done(&s->frames);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->sums_lock);
}

/* Returns the error of the first worker that has one, with its message. */
static int scan_take_error(struct sqlite_scan *s, size_t n_workers, struct diag *diag)
{
	for (size_t i = 0; i < n_workers; i++) {
		struct sqlite_scan_worker *w = &s->workers[i];

		if (w->error >= 0)
			continue;
		diag_done(diag);
		*diag = w->diag;
		w->diag = (struct diag){ 0 };
		return w->error;
	}
	return 0;
}

int sqlite_scan(struct sqlite_file *file, const struct fleet_filter *f, struct fleet_data *d,
		struct diag *diag)
{
	_cleanup_(workers_freep) struct workers *workers = workers_new(0, scan_threads(file));
	size_t n = workers_count(workers);
	struct sqlite_scan s = {
		.filter = f,
		.workers = xcalloc(n, sizeof(*s.workers)),
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.sums_lock = PTHREAD_MUTEX_INITIALIZER,
		.next = INT64_MIN,
		.sources = { .rows = fleet_data_new(), .whose = TEXT_EMPTY },
	};
	int r;

	s.n_parts = fleet_parts(f, INT64_MAX, s.parts);
	r = scan_open(&s, file, n);
	if (r >= 0)
		r = scan_choose_batches(&s);
	s.workers[0].error = r;
	if (r >= 0)
		workers_run(workers, n, scan_read, &s);
	r = scan_take_error(&s, n, diag);
	if (r >= 0)
		scan_give(&s, d);
	scan_done(&s, n);
	return r;
}
#endif
