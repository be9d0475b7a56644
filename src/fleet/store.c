/* SPDX-License-Identifier: MIT */
#include "fleet/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "fleet/data.h"
#include "fleet/url.h"

static const struct fleet_store_class *const classes[] = { &fleet_sqlite, &fleet_postgresql,
							   &fleet_clickhouse, &fleet_otlp };

static const struct fleet_store_class *find_class(const char *scheme, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		for (const char *const *s = classes[i]->schemes; *s; s++)
			if (strlen(*s) == n && !strncmp(*s, scheme, n))
				return classes[i];
	return NULL;
}

bool fleet_has_scheme(const char *scheme, size_t n)
{
	return find_class(scheme, n);
}

int fleet_store_open(const struct fleet_url *u, bool writes, struct fleet_store **ret,
		     struct diag *diag)
{
	const struct fleet_store_class *class = find_class(u->scheme, strlen(u->scheme));

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
	if (s)
		s->class->close(s);
}

int fleet_store_put(struct fleet_store *s, const struct fleet_data *d, struct fleet_receipt *ret,
		    struct diag *diag)
{
	*ret = (struct fleet_receipt){ 0 };
	return s->class->put(s, d, ret, diag);
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

/* Rows of @t that others refer to, and in turn those that they refer to. */
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
		if (!fleet_find(d, t, ids[0])) {
			diag_set(diag, -EBADMSG, "the store is damaged: %s lacks the row %lld",
				 fleet_tables[t].name, (long long)ids[0]);
			diag_hint(diag, "Was it removed by hand? Rows of dictionaries must stay as "
					"long as anything refers to them.");
			return -EBADMSG;
		}
	}
}

/* Weights and times are counts: what is below zero was not written by perf push. */
static int check_weights(const struct fleet_data *d, struct diag *diag)
{
	static const struct {
		int column;
		const char *name;
	} counts[] = { { SAMPLE_MINUTE, "minute" },
		       { SAMPLE_SAMPLES, "samples" },
		       { SAMPLE_PERIOD, "period" } };

	for (size_t i = 0; i < d->tables[FLEET_SAMPLE].n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(counts); k++)
			if (fleet_row(d, FLEET_SAMPLE, i)[counts[k].column].number < 0)
				return diag_set(diag, -EBADMSG,
						"the store is damaged: perf_sample.%s has a value "
						"below zero",
						counts[k].name);
	return 0;
}

/* By function, stacks of one frame take the place of frames. */
static void make_stacks(struct fleet_data *d)
{
	for (size_t i = 0; i < d->tables[FLEET_SAMPLE].n; i++) {
		union fleet_cell *stack = &fleet_row(d, FLEET_SAMPLE, i)[SAMPLE_STACK];

		if (stack->number)
			stack->number = fleet_add_stack(d, 0, stack->number);
	}
}

/* "host=web*, event=cycles" */
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

int fleet_read(const struct fleet_url *u, struct fleet_data **ret, struct diag *diag)
{
	static const enum fleet_table order[] = { FLEET_EVENT, FLEET_SOURCE, FLEET_STACK,
						  FLEET_FRAME, FLEET_IMAGE };
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	int r = fleet_store_open(u, false, &s, diag);

	if (r >= 0)
		r = s->class->weights(s, &u->filter, d, diag);
	if (r >= 0)
		r = check_weights(d, diag);
	if (r >= 0 && u->filter.by_function)
		make_stacks(d);
	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(order); i++)
		r = fetch_all(s, order[i], d, diag);
	if (r < 0)
		return r;
	if (!d->tables[FLEET_SAMPLE].n) {
		_cleanup_(text_done) struct text choice = TEXT_EMPTY;

		add_choice(&choice, &u->filter);
		diag_set(diag, -ENODATA, "nothing in the store is of that choice%s%s",
			 choice.length ? ": " : "", choice.chars);
		diag_hint(diag, "Patterns match whole names (host=web*), and since= counts back "
				"from now.");
		return -ENODATA;
	}
	*ret = TAKE(d);
	return 0;
}
