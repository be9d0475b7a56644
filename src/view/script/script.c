/* SPDX-License-Identifier: MIT */
#include "view/script/script.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "session/event-switch.h"
#include "session/group-read.h"
#include "session/machine.h"
#include "session/session.h"
#include "view/dump/dump.h"
#include "view/script/counts.h"
#include "view/script/dump.h"
#include "view/script/pen.h"
#include "view/script/record.h"

/*
 * A piece is what one thread formats at a time: large enough for sharing out to cost nothing, small
 * enough that the texts of PIECES_MAX of them do not add up. Batches below PARALLEL_MIN are not
 * worth waking anybody.
 */
#define PIECE_BYTES  (32 << 10) /* of records */
#define PIECES_MAX   8
#define PARALLEL_MIN 1024

/* Each thread has caches of its own, and more of them are soon faster than one can read. */
#define THREADS_MAX 8

struct script {
	struct session *session;
	const struct script_options *options;
	struct script_fields fields;
	struct sample_filter *filter;
	struct script_setup setup;
	struct event_switch between;

	struct script_pen *pens; /* one for each worker */
	size_t n_pens;
	struct workers *workers;
	struct text pieces[PIECES_MAX];
	struct group_reads *groups;
	struct script_dump *files; /* of --per-event-dump, or NULL */
	struct script_counts *counts;
	bool has_counts; /* a record said so, as streams do before all others */
};

int script_new(struct session *session, const struct script_options *o, struct script **ret,
	       struct text *notes, struct diag *diag)
{
	_cleanup_(script_freep) struct script *s = xcalloc(1, sizeof(*s));
	int r;

	s->session = session;
	s->between.shows = o->show_switches;
	s->options = o;
	s->groups = group_reads_new();
	s->counts = script_counts_new(session);
	for (size_t i = 0; i < PIECES_MAX; i++)
		s->pieces[i] = (struct text)TEXT_EMPTY;
	r = script_fields_choose(o->fields, o->n_fields, &s->fields, notes, diag);
	if (r >= 0)
		r = sample_filter_new(&o->filter, &s->filter, diag);
	if (r < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}

void script_free(struct script *s)
{
	if (!s)
		return;
	workers_free(s->workers);
	for (size_t i = 0; i < s->n_pens; i++)
		pen_done(&s->pens[i]);
	free(s->pens);
	for (size_t i = 0; i < PIECES_MAX; i++)
		text_done(&s->pieces[i]);
	script_setup_done(&s->setup);
	group_reads_free(s->groups);
	script_dump_free(s->files);
	script_counts_free(s->counts);
	sample_filter_free(s->filter);
	free(s);
}

/* Whether a line depends on those before it. */
static bool in_sequence(const struct script *s)
{
	const struct script_options *o = s->options;

	for (size_t i = 0; i < s->setup.n_events; i++)
		if (group_reads_wanted(s->setup.events[i].event) ||
		    (s->setup.events[i].fields & (FIELD_BIT(DATA_SRC) | FIELD_BIT(SRCCODE))))
			return true;
	return s->setup.lbr_registers || o->reltime || o->deltatime || o->show || o->dump_prefix ||
	       o->dump || o->switch_on || o->switch_off;
}

static void make_pens(struct script *s)
{
	s->workers = workers_new(in_sequence(s) ? 1 : s->options->threads, THREADS_MAX);
	s->n_pens = workers_count(s->workers);
	s->pens = xcalloc(s->n_pens, sizeof(*s->pens));
	for (size_t i = 0; i < s->n_pens; i++)
		pen_init(&s->pens[i], &s->setup);
}

bool script_is_of_counts(struct session *s)
{
	return features_have(datafile_features(session_datafile(s)), FEATURE_STAT);
}

int script_begin(struct script *s, struct diag *diag)
{
	const struct script_options *o = s->options;
	int r = 0;

	if (!s->has_counts && !script_is_of_counts(s->session))
		r = script_fields_fit(&s->fields, s->session, o->hide_call_graph, diag);
	if (r >= 0)
		r = script_setup_make(&s->setup, s->session, o, &s->fields, diag);
	if (r >= 0)
		r = event_switch_init(&s->between, s->session, s->options->switch_on,
				      s->options->switch_off, diag);
	if (r >= 0 && o->dump_prefix)
		r = script_dump_open(o->dump_prefix, s->session, &s->files, diag);
	if (r >= 0)
		make_pens(s);
	return r;
}

static int write_out(struct script *s, struct text *t)
{
	size_t n = t->length;
	bool good = !n || fwrite(t->chars, 1, n, s->options->out) == n;

	text_clear(t);
	pen_forget(&s->pens[0]);
	return good ? 0 : -EIO;
}

/* How @ev is shown; NULL: there is none, or it came too late in a stream. */
static const struct script_event *event_of(const struct script *s, const struct session_event *ev)
{
	return ev && ev->index < s->setup.n_events ? &s->setup.events[ev->index] : NULL;
}

/* Whether @h, decoded as @sample, is to be shown. */
static bool passes(const struct script *s, struct script_head *h, const struct sample *sample)
{
	struct location loc;

	if (!sample_filter_passes_moment(s->filter, h->time, h->cpu) ||
	    !sample_filter_passes_task(s->filter, h->pid, h->tid))
		return false;
	h->comm = machine_comm(s->session, h->pid, h->tid, h->time);
	if (!sample_filter_passes_comm(s->filter, h->comm))
		return false;
	if (!sample_filter_has_places(s->filter))
		return true;
	machine_resolve(s->session, h->pid, address_mode_of(sample->misc), sample->ip, h->time,
			&loc);
	return sample_filter_passes_place(s->filter, &loc);
}

static void print_one(struct script *s, struct script_pen *p, struct script_head *h,
		      const struct sample *sample, uint64_t period)
{
	if (!h->event->fields || !passes(s, h, sample) ||
	    event_switch_leaves_out(&s->between, h->event->event))
		return;
	if (s->options->dump) {
		write_out(s, &p->out);
		dump_sample_place(s->options->dump, sample, s->options->out);
	}
	pen_sample(p, h, sample, period);
	if (s->files) {
		script_dump_write(s->files, h->event->event->index, &p->out, true);
		pen_forget(p);
	}
}

/* A sample that reads its group's counts (:S) stands for one of each event that counted. */
static void print_shares(struct script *s, struct script_pen *p, struct script_head *h,
			 const struct sample *sample)
{
	const struct group_share *shares;
	size_t n = group_reads_share(s->groups, s->session, sample, &shares);

	for (size_t i = 0; i < n; i++) {
		h->event = event_of(s, shares[i].event);
		if (h->event)
			print_one(s, p, h, sample, shares[i].period);
	}
}

static void print_sample(struct script *s, struct script_pen *p, const struct delivered *d)
{
	const struct attr *attr = &d->event->attr;
	struct sample sample;
	struct script_head h;

	if (sample_decode(d->raw.bytes, d->raw.header.size, s->setup.tracepoints->swap, attr,
			  &sample) < 0)
		return;
	/* Nobody, rather than the idle task. */
	if (!(attr->sample_type & PERF_SAMPLE_TID))
		sample.pid = sample.tid = UINT32_MAX;
	h = (struct script_head){
		.event = event_of(s, d->event),
		.pid = sample.pid,
		.tid = sample.tid,
		.cpu = sample.cpu,
		.time = sample.time,
		.type = PERF_RECORD_SAMPLE,
		.misc = sample.misc,
	};
	if (group_reads_wanted(d->event))
		print_shares(s, p, &h, &sample);
	else
		print_one(s, p, &h, &sample,
			  attr->sample_type & PERF_SAMPLE_PERIOD ? sample.period
								 : attr->sample_period);
}

static void print_item(struct script *s, struct script_pen *p, const struct delivered *d)
{
	const struct script_event *e;
	bool shown;

	if (s->options->dump) {
		write_out(s, &p->out);
		dump_record(s->options->dump, d, s->options->out);
	}
	if (d->raw.header.type == PERF_RECORD_SAMPLE) {
		if (event_of(s, d->event) && !s->options->check_only)
			print_sample(s, p, d);
		return;
	}
	pen_forget(p);
	if (!s->options->show || !s->setup.n_events)
		return;
	shown = s->options->show & script_shows(d->raw.header.type);
	e = event_of(s, d->event);
	if (!e)
		e = &s->setup.events[0];
	script_record(p, e, d, shown);
	if (s->files && shown)
		script_dump_write(s->files, e->event->index, &p->out, false);
}

/* Up to PIECES_MAX pieces of a batch; piece i ends where i + 1 begins. */
struct slice {
	struct script *script;
	const struct delivered *items;
	size_t begin[PIECES_MAX + 1];
	size_t n;
};

static void print_piece(void *arg, size_t piece, unsigned worker)
{
	struct slice *slice = arg;
	struct script *s = slice->script;
	struct script_pen *p = &s->pens[worker];
	struct text mine = p->out;

	/* The pen writes to the piece's own text. */
	p->out = s->pieces[piece];
	pen_forget(p);
	for (size_t i = slice->begin[piece]; i < slice->begin[piece + 1]; i++)
		print_item(s, p, &slice->items[i]);
	s->pieces[piece] = p->out;
	p->out = mine;
	pen_forget(p);
}

/* Cuts what follows @from into pieces of about the same size. */
static void cut(struct slice *slice, size_t from, size_t n)
{
	slice->begin[0] = from;
	for (slice->n = 0; slice->n < PIECES_MAX && from < n; slice->n++) {
		for (size_t bytes = 0; bytes < PIECE_BYTES && from < n; from++)
			bytes += slice->items[from].raw.header.size;
		slice->begin[slice->n + 1] = from;
	}
}

static int print_parallel(struct script *s, const struct delivered *items, size_t n)
{
	struct slice slice = { .script = s, .items = items };

	for (size_t from = 0; from < n; from = slice.begin[slice.n]) {
		cut(&slice, from, n);
		workers_run(s->workers, slice.n, print_piece, &slice);
		for (size_t i = 0; i < slice.n; i++) {
			int r = write_out(s, &s->pieces[i]);

			if (r < 0)
				return r;
		}
	}
	return 0;
}

/* Enough that a write costs nothing beside what is written. */
#define BUFFER_FULL (256 << 10)

int script_batch(struct script *s, const struct delivered *items, size_t n)
{
	struct script_pen *p = &s->pens[0];
	int r = 0;

	if (s->n_pens > 1 && n >= PARALLEL_MIN)
		return print_parallel(s, items, n);
	for (size_t i = 0; i < n && r >= 0; i++) {
		print_item(s, p, &items[i]);
		if (p->out.length >= BUFFER_FULL)
			r = write_out(s, &p->out);
	}
	return r < 0 ? r : write_out(s, &p->out);
}

/* Counts come in records of perf's own. */
static void print_counts(struct script *s, const struct delivered *d)
{
	bool swap = datafile_swapped(session_datafile(s->session));
	struct record r;

	s->has_counts |= d->raw.header.type == PERF_RECORD_STAT_CONFIG;
	if (record_decode(d->raw.bytes, d->raw.header.size, swap, NULL, &r) >= 0)
		script_counts_record(s->counts, &r, s->options->out);
}

int script_user(struct script *s, const struct delivered *d)
{
	if (s->options->dump)
		dump_record(s->options->dump, d, s->options->out);
	if (d->raw.header.type == PERF_RECORD_FINISHED_ROUND &&
	    (s->options->show & SCRIPT_SHOW_ROUND))
		fputs("PERF_RECORD_FINISHED_ROUND\n", s->options->out);
	print_counts(s, d);
	return ferror(s->options->out) ? -EIO : 0;
}

int script_end(struct script *s, struct diag *diag)
{
	return s->files ? script_dump_finish(s->files, s->options->out, diag) : 0;
}
