/* SPDX-License-Identifier: MIT */
#include "store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "store/check.h"
#include "store/data.h"
#include "store/select.h"
#include "store/url.h"

static const struct fleet_store_class *const classes[] = { &fleet_sqlite, &fleet_postgresql,
							   &fleet_clickhouse, &fleet_otlp };

static const struct fleet_store_class *store_store_find_class(const char *scheme, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		for (const char *const *s = classes[i]->schemes; *s; s++)
			if (strlen(*s) == n && !strncmp(*s, scheme, n))
				return classes[i];
	return NULL;
}

bool fleet_has_scheme(const char *scheme, size_t n)
{
	return store_store_find_class(scheme, n);
}

int fleet_store_open(const struct fleet_url *u, bool writes, struct fleet_store **ret,
		     struct diag *diag)
{
	const struct fleet_store_class *class = store_store_find_class(u->scheme,
								       strlen(u->scheme));

	if (!writes && !class->weights) {
		diag_set(diag, -ENOTSUP, "what was sent to %s cannot be read back", u->scheme);
		diag_hint(diag, "Profiles can be read from sqlite:, postgresql:// and "
				"clickhouse://.");
		return -ENOTSUP;
	}
	return class->open(u, writes, ret, diag);
}

void fleet_store_close(struct fleet_store *s)
{
	if (!s)
		return;
	u64_map_done(&s->checked);
	s->class->close(s);
}

void fleet_store_wrote(struct fleet_store *s, int64_t id)
{
	u64_map_put(&s->checked, (uint64_t)id, s);
}

static int store_store_compare_ids(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * Returns the ids of @d's rows that have not been checked yet, sorted; the caller frees the list.
 */
static int64_t *unchecked_ids(const struct fleet_store *s, const struct fleet_data *d,
			      enum fleet_table t, size_t *ret_n)
{
	const size_t n = d->tables[t].n;
	int64_t *ids = xcalloc(n + 1, sizeof(*ids));

	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		if (!u64_map_find(&s->checked, (uint64_t)fleet_row(d, t, i)[0].number))
			ids[(*ret_n)++] = fleet_row(d, t, i)[0].number;
	qsort(ids, *ret_n, sizeof(*ids), store_store_compare_ids);
	return ids;
}

/*
 * Counts collisions. Ids are 64 bits of a hash, and other writers are untrusted: a row with the
 * same id and other content is shown instead of ours.
 */
static int count_collisions(struct fleet_store *s, const struct fleet_data *d, enum fleet_table t,
			    size_t *ret, struct diag *diag)
{
	_cleanup_(fleet_data_freep) struct fleet_data *there = fleet_data_new();
	size_t n;
	_cleanup_(freep) int64_t *ids = unchecked_ids(s, d, t, &n);
	int r = n ? s->class->fetch(s, t, ids, n, there, diag) : 0;

	for (size_t i = 0; r >= 0 && i < n; i++) {
		const union fleet_cell *row = fleet_find(there, t, ids[i]);

		if (row && fleet_rows_equal(t, row, fleet_find(d, t, ids[i])))
			fleet_store_wrote(s, ids[i]);
		else
			*ret += row != NULL;
	}
	return r;
}

int fleet_store_put(struct fleet_store *s, const struct fleet_data *d, struct fleet_receipt *ret,
		    struct diag *diag)
{
	struct diag unused = { 0 };
	int r;

	*ret = (struct fleet_receipt){ 0 };
	r = s->class->put(s, d, ret, diag);
	/* If this check is not possible now, the data is stored nevertheless. */
	for (int t = 0, found = 0; r >= 0 && found >= 0 && t < N_FLEET_TABLES; t++)
		if (fleet_tables[t].is_dictionary && s->class->fetch && ret->n_new)
			found = count_collisions(s, d, (enum fleet_table)t, &ret->n_collisions,
						 &unused);
	diag_done(&unused);
	return r;
}

int fleet_store_maintain(struct fleet_store *s, const struct fleet_retention *r, struct diag *diag)
{
	if (!s->class->maintain)
		return diag_set(diag, -ENOTSUP, "this store keeps nothing that could be tidied");
	return s->class->maintain(s, r, diag);
}

int fleet_refuse_empty(const char *store, struct diag *diag)
{
	return diag_set(diag, -ENODATA, "%s has no profiles: perf push writes them", store);
}

int fleet_refuse_newer(const char *store, int64_t version, struct diag *diag)
{
	return diag_set(
		diag, -ENOTSUP,
		"%s was written by a newer perf: its tables have version %lld, and this perf "
		"knows %d",
		store, (long long)version, FLEET_SCHEMA_VERSION);
}

/* Fetches rows of @t to which others refer, and in turn those to which they refer. */
static int fetch_all(struct fleet_store *s, enum fleet_table t, struct fleet_data *d,
		     struct diag *diag)
{
	for (;;) {
		size_t n;
		_cleanup_(freep) int64_t *ids = fleet_missing(d, t, &n);
		int r;

		if (!n)
			return 0;
		r = s->class->fetch(s, t, ids, n, d, diag);
		if (r < 0)
			return r;
		/* The rest is left to fleet_check(). */
		if (!fleet_find(d, t, ids[0]))
			return 0;
	}
}

/* Makes stacks of one frame, which replace the frames of a result by function. */
static void store_store_make_stacks(struct fleet_data *d)
{
	for (size_t i = 0; i < d->tables[FLEET_SAMPLE].n; i++) {
		union fleet_cell *stack = &fleet_row(d, FLEET_SAMPLE, i)[SAMPLE_STACK];

		if (stack->number)
			stack->number = fleet_add_stack(d, 0, stack->number);
	}
}

/* Appends the filter as text: "host=web*, event=cycles". */
static void add_choice(struct text *t, const struct fleet_filter *f)
{
	const struct {
		const char *name, *pattern;
	} parts[] = { { "host", f->host },
		      { "service", f->service },
		      { "container", f->container },
		      { "comm", f->comm },
		      { "event", f->event } };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].pattern)
			text_addf(t, "%s%s=%s", t->length ? ", " : "", parts[i].name,
				  parts[i].pattern);
}

/* Finds whether there were batches in @part whose minutes are deleted: those before @kept. */
static int ask_deleted(struct fleet_store *s, const struct fleet_part *part, int64_t kept,
		       bool *ret, struct diag *diag)
{
	int64_t to = part->to < kept ? part->to : kept, found = -1;
	_cleanup_(freep) char *sql = NULL;
	int r = 0;

	if (part->table == FLEET_SAMPLE && part->from < to) {
		sql = xasprintf("SELECT minute FROM perf_batch WHERE minute >= %" PRId64
				" AND minute < %" PRId64 " ORDER BY minute LIMIT 1",
				part->from, to);
		r = s->class->number(s, sql, &found, diag);
	}
	*ret |= found >= 0;
	return r;
}

/* Appends "2026-05-31T12:00", as since= accepts it. */
static void add_minute(struct text *t, int64_t minute)
{
	time_t seconds = (time_t)minute;
	char date[32];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) && strftime(date, sizeof(date), "%Y-%m-%dT%H:%M", &tm))
		text_add(t, date);
}

/*
 * Notes in the remark of @d that the choice reaches back beyond the minutes that are kept. Minutes
 * are kept for a shorter time than hours (--keep-minutes).
 */
static int note_deleted(struct fleet_store *s, const struct fleet_filter *f, struct fleet_data *d,
			struct diag *diag)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int64_t kept = INT64_MAX;
	struct fleet_part parts[FLEET_PARTS_MAX];
	size_t n = fleet_parts(f, INT64_MAX, parts);
	bool is_deleted = false;
	int r = s->class->number(s, "SELECT minute FROM perf_sample ORDER BY minute LIMIT 1", &kept,
				 diag);

	for (size_t i = 0; r >= 0 && i < n; i++)
		r = ask_deleted(s, &parts[i], kept, &is_deleted, diag);
	if (r < 0 || !is_deleted)
		return r;
	text_add(&t, "single minutes and hosts are kept ");
	if (kept == INT64_MAX)
		text_add(&t, "no longer");
	else
		text_add(&t, "from "), add_minute(&t, kept), text_add(&t, " (UTC) on");
	text_add(&t, ", and this choice reaches back further: of what is older there are only sums "
		     "of whole hours, of all hosts and containers");
	d->remark = text_take(&t);
	return 0;
}

static int store_store_refuse_nothing(const struct fleet_filter *f, const struct fleet_data *d,
				      struct diag *diag)
{
	_cleanup_(text_done) struct text choice = TEXT_EMPTY;

	add_choice(&choice, f);
	diag_set(diag, -ENODATA, "nothing in the store is of that choice%s%s%s%s",
		 choice.length ? ": " : "", choice.chars, d->remark ? "; " : "",
		 d->remark ? d->remark : "");
	diag_hint(diag, d->remark ? "Ask for whole hours, without host=, container=, by=host and "
				    "by=minute."
				  : "Patterns match whole names (host=web*), and since= counts "
				    "back from now.");
	return -ENODATA;
}

int fleet_read(const struct fleet_url *u, struct fleet_data **ret, struct diag *diag)
{
	static const enum fleet_table order[] = { FLEET_EVENT, FLEET_SOURCE, FLEET_STACK,
						  FLEET_FRAME, FLEET_IMAGE };
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	int r = fleet_store_open(u, false, &s, diag);

	if (r >= 0)
		r = s->class->weights(s, &u->filter, d, diag);
	if (r >= 0 && u->filter.by_function)
		store_store_make_stacks(d);
	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(order); i++)
		r = fetch_all(s, order[i], d, diag);
	if (r >= 0)
		r = fleet_check(d, diag);
	if (r >= 0)
		r = note_deleted(s, &u->filter, d, diag);
	if (r < 0)
		return r;
	if (!d->tables[FLEET_SAMPLE].n)
		return store_store_refuse_nothing(&u->filter, d, diag);
	*ret = TAKE(d);
	return 0;
}
