/* SPDX-License-Identifier: MIT */
#include "tools/list/event-count-view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "event/catalog.h"
#include "measure/count.h"
#include "tui/screen.h"

struct event_count {
	const struct catalog_entry *entry;
	char *buildid_dir;
	struct count_request request;
	struct count_job job;
	struct notes notes;
	struct diag diag; /* the job's messages */
	double rates[EVENT_COUNT_LOOKS];
	size_t n_looks;
	double total, last_s;
	char unit[64]; /* the unit of the count or the metric */
	bool is_metric, decimals;
};

static enum event_word_kind word_kind(const struct catalog_entry *e)
{
	switch (e->kind) {
	case CATALOG_METRIC:
	case CATALOG_METRIC_GROUP:
		return EVENT_WORD_METRIC;
	case CATALOG_PFM:
		return EVENT_WORD_PFM;
	default:
		return EVENT_WORD_EVENT;
	}
}

/* Moves the job's message to the caller's @diag. Returns @r. */
static int event_count_hand_over(struct event_count *c, int r, struct diag *diag)
{
	diag_done(diag);
	*diag = c->diag;
	c->diag = (struct diag){ 0 };
	return r;
}

int event_count_new(const struct catalog_entry *e, const char *buildid_dir,
		    struct event_count **ret, struct diag *diag)
{
	_cleanup_(event_count_freep) struct event_count *c = xcalloc(1, sizeof(*c));
	int r;

	c->entry = e;
	c->buildid_dir = buildid_dir ? xstrdup(buildid_dir) : NULL;
	c->is_metric = word_kind(e) == EVENT_WORD_METRIC;
	c->request.target.all_cpus = true;
	c->request.buildid_dir = c->buildid_dir;
	event_words_add(&c->request.events, word_kind(e), e->name);
	count_job_init(&c->job, &c->request, &c->notes, &c->diag);
	r = count_job_begin(&c->job);
	if (r < 0)
		return event_count_hand_over(c, r, diag);
	*ret = TAKE(c);
	return 0;
}

void event_count_free(struct event_count *c)
{
	if (!c)
		return;
	count_job_done(&c->job);
	event_words_done(&c->request.events);
	notes_done(&c->notes);
	diag_done(&c->diag);
	free(c->buildid_dir);
	free(c);
}

const struct catalog_entry *event_count_entry(const struct event_count *c)
{
	return c->entry;
}

static void take_metric(struct event_count *c, const struct stat_table *table)
{
	for (size_t i = 0; i < table->n_rows; i++)
		for (size_t m = 0; m < table->rows[i].n_metrics; m++)
			if (table->rows[i].metrics[m].known) {
				c->total = table->rows[i].metrics[m].value;
				snprintf(c->unit, sizeof(c->unit), "%s",
					 table->rows[i].metrics[m].unit);
				return;
			}
}

static double event_count_take_rows(struct event_count *c, const struct stat_table *table)
{
	double sum = 0;

	for (size_t i = 0; i < table->n_rows; i++) {
		sum += table->rows[i].count;
		snprintf(c->unit, sizeof(c->unit), "%s", table->rows[i].event->unit);
		c->decimals = table->rows[i].event->decimals;
	}
	c->total += sum;
	return sum;
}

int event_count_look(struct event_count *c, struct diag *diag)
{
	struct stat_table table;
	double now_s, rate;
	int r = count_job_look(&c->job, &table);

	if (r < 0)
		return event_count_hand_over(c, r, diag);
	now_s = (double)table.time_ns / 1e9;
	if (c->is_metric) {
		take_metric(c, &table);
		rate = c->total;
	} else {
		rate = event_count_take_rows(c, &table) /
		       (now_s > c->last_s ? now_s - c->last_s : 1);
	}
	c->last_s = now_s;
	c->rates[c->n_looks++ % EVENT_COUNT_LOOKS] = rate;
	return 0;
}

static void event_count_add_number(const struct event_count *c, double value, struct text *t)
{
	if (c->decimals || value >= 1e18 || (value > 0 && value < 10))
		text_addf(t, "%.2f", value);
	else
		text_filled(t, digits_grouped(text_room(t, DIGITS_GROUPED_MAX),
					      value > 0 ? (uint64_t)(value + 0.5) : 0));
}

static void add_bars(const struct event_count *c, const struct screen *s, struct text *t)
{
	size_t n = c->n_looks < EVENT_COUNT_LOOKS ? c->n_looks : EVENT_COUNT_LOOKS;
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = c->rates[i] > most ? c->rates[i] : most;
	text_add_char(t, ' ');
	for (size_t i = c->n_looks - n; i < c->n_looks && most > 0; i++) {
		int bar = (int)(c->rates[i % EVENT_COUNT_LOOKS] / most * 7 + 0.5);

		text_add(t, screen_glyph(s, GLYPH_BAR_1 + (bar > 0 ? bar : 0)));
	}
}

void event_count_describe(const struct event_count *c, const struct screen *s, struct text *t)
{
	const char *unit = c->unit;

	if (!c->n_looks) {
		text_add(t, "counting on all CPUs");
		return;
	}
	event_count_add_number(c, c->rates[(c->n_looks - 1) % EVENT_COUNT_LOOKS], t);
	if (*unit)
		text_addf(t, " %s", unit);
	if (!c->is_metric) {
		text_add(t, "/s, ");
		event_count_add_number(c, c->total, t);
		text_addf(t, "%s%s in %.1f s", *unit ? " " : "", unit, c->last_s);
	}
	text_add(t, " on all CPUs");
	add_bars(c, s, t);
}
