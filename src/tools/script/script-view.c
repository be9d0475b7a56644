/* SPDX-License-Identifier: MIT */
#include "tools/script/script-view.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "session/consumer.h"
#include "session/event-switch.h"
#include "session/machine.h"
#include "session/sample-hook.h"
#include "session/session.h"
#include "tools/script/dump-view.h"
#include "tools/script/record-view.h"
#include "tools/script/round-counts-model.h"
#include "tools/script/writer-view.h"
#include "view/dump/dump.h"
#include "view/header/header.h"
#include "view/record-text.h"
#include "wire/record.h"

/*
 * The maximum number of threads. Each has caches of its own, and more threads would soon be faster
 * than the reader.
 */
#define THREADS_MAX 8

struct script {
	struct session *session;
	const struct script_options *options;
	struct script_fields fields;
	struct sample_filter *filter;
	struct script_setup setup;
	struct event_switch between;

	struct script_writer *writers; /* one for each worker */
	size_t n_pens;
	struct workers *workers;
	struct text slices[CONSUMER_SLICES_MAX];
	struct script_dump *files; /* for --per-event-dump, or NULL */
	struct script_counts *counts;
	struct diag *diag;
	bool has_counts; /* a record showed it; in streams it precedes the others */
};

int script_new(struct session *session, const struct script_options *o, struct script **ret,
	       struct text *notes, struct diag *diag)
{
	_cleanup_(script_freep) struct script *s = xcalloc(1, sizeof(*s));
	int r;

	s->session = session;
	s->between.shows = o->show_switches;
	s->options = o;
	s->counts = script_counts_new(session);
	s->workers = workers_new(o->threads, THREADS_MAX);
	for (size_t i = 0; i < CONSUMER_SLICES_MAX; i++)
		s->slices[i] = (struct text)TEXT_EMPTY;
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
		script_writer_done(&s->writers[i]);
	free(s->writers);
	for (size_t i = 0; i < CONSUMER_SLICES_MAX; i++)
		text_done(&s->slices[i]);
	script_setup_done(&s->setup);
	script_dump_free(s->files);
	script_counts_free(s->counts);
	sample_filter_free(s->filter);
	free(s);
}

/* True if a line depends on previous lines. */
static bool in_sequence(const struct script *s)
{
	const struct script_options *o = s->options;

	for (size_t i = 0; i < s->setup.n_events; i++)
		if (s->setup.events[i].fields &
		    (FIELD_BIT(DATA_SRC) | FIELD_BIT(SRCCODE) | FIELD_BIT(METRIC) | FIELDS_OF_CODE))
			return true;
	return s->setup.lbr_registers || o->reltime || o->deltatime || o->show || o->dump_prefix ||
	       o->dump || o->hook || o->switch_on || o->switch_off;
}

static void make_pens(struct script *s, size_t n)
{
	s->n_pens = n;
	s->writers = xcalloc(n, sizeof(*s->writers));
	for (size_t i = 0; i < n; i++)
		script_writer_init(&s->writers[i], &s->setup);
}

bool script_is_of_counts(struct session *s)
{
	return features_have(session_features(s), FEATURE_STAT);
}

static int script_begin(void *arg, struct consumer *c)
{
	struct script *s = arg;
	const struct script_options *o = s->options;
	int r = 0;

	if (!s->has_counts && !script_is_of_counts(s->session))
		r = script_fields_fit(&s->fields, s->session, o->hide_call_graph, s->diag);
	if (r >= 0)
		r = script_setup_make(&s->setup, s->session, o, &s->fields, s->diag);
	if (r >= 0)
		r = event_switch_init(&s->between, s->session, s->options->switch_on,
				      s->options->switch_off, s->diag);
	if (r >= 0 && o->dump_prefix)
		r = script_dump_open(o->dump_prefix, s->session, &s->files, s->diag);
	if (r < 0)
		return r;
	if (in_sequence(s))
		c->order = CONSUMER_IN_ORDER;
	make_pens(s, in_sequence(s) ? 1 : workers_count(s->workers));
	return 0;
}

static int script_write_out(struct script *s, struct text *t)
{
	size_t n = t->length;
	bool good = !n || fwrite(t->chars, 1, n, s->options->out) == n;

	text_clear(t);
	return good ? 0 : -EIO;
}

/* Writes the text so far, so that it precedes the text that goes to the output directly. */
static void make_way(struct script *s, struct script_writer *p)
{
	script_write_out(s, &p->out);
	script_writer_forget(p);
}

/*
 * Returns the writer of @worker, which continues @slice. It can only copy text from the same slice.
 */
static struct script_writer *take_writer(struct script *s, unsigned worker, unsigned slice)
{
	struct script_writer *p = &s->writers[worker];

	text_swap(&p->out, &s->slices[slice]);
	if (!p->out.length)
		script_writer_forget(p);
	return p;
}

static void leave_pen(struct script *s, struct script_writer *p, unsigned slice)
{
	text_swap(&p->out, &s->slices[slice]);
}

/* Returns the layout of @ev. NULL: there is none, or it came too late in a stream. */
static const struct script_event *script_event_of(const struct script *s,
						  const struct session_event *ev)
{
	return ev && ev->index < s->setup.n_events ? &s->setup.events[ev->index] : NULL;
}

static bool script_passes(const struct script *s, struct script_writer *p, struct script_head *h,
			  const struct sample *sample)
{
	struct location loc;

	/* With a hook, samples of other times and CPUs were not filtered before. */
	if (s->options->hook && !sample_filter_passes_moment(s->filter, h->time, h->cpu))
		return false;
	if (!sample_filter_passes_task(s->filter, h->pid, h->tid))
		return false;
	h->comm = script_writer_comm(p, h->pid, h->tid, h->moment);
	if (!sample_filter_passes_comm(s->filter, h->comm))
		return false;
	if (!sample_filter_has_places(s->filter))
		return true;
	machine_resolve(s->session, h->pid, address_mode_of(sample->misc), sample->ip, h->moment,
			&loc);
	return sample_filter_passes_place(s->filter, &loc);
}

/* Returns 1 if the sample is printed, 0 if not, or the error of the hook. */
static int script_counts(struct script *s, struct script_writer *p, struct script_head *h,
			 const struct session_sample *ss)
{
	int r = sample_hook_early(s->options->hook, ss);

	if (r)
		return r < 0 ? r : 0;
	if (!script_passes(s, p, h, ss->sample) || event_switch_leaves_out(&s->between, ss->event))
		return 0;
	r = sample_hook_late(s->options->hook, ss);
	return r < 0 ? r : !r;
}

static int script_print_sample(struct script *s, struct script_writer *p,
			       const struct session_sample *ss)
{
	const struct sample *sample = ss->sample;
	struct script_head h = {
		.event = script_event_of(s, ss->event),
		.pid = sample->pid,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.time = sample->time,
		.moment = ss->event->decoded ? ss->time : sample->time,
		.type = PERF_RECORD_SAMPLE,
		.misc = sample->misc,
		.facts = ss->record ? session_trace_facts(ss->record) : NULL,
	};

	int r;

	if (!h.event || !h.event->fields)
		return 0;
	/* A hook may print before its sample is printed. */
	if (s->options->hook && p->out.length)
		make_way(s, p);
	r = script_counts(s, p, &h, ss);
	if (r <= 0)
		return r;
	if (s->options->dump) {
		make_way(s, p);
		dump_sample_place(s->options->dump, sample, s->options->out);
	}
	script_write_sample(p, &h, sample, ss->period);
	if (s->files) {
		script_dump_write(s->files, ss->event->index, &p->out, true);
		script_writer_forget(p);
	}
	return 0;
}

static int script_on_samples(void *arg, const struct sample_batch *b)
{
	struct script *s = arg;
	struct script_writer *p = take_writer(s, b->worker, b->slice);
	int r = 0;

	for (size_t i = 0; i < b->n && r >= 0; i++)
		r = script_print_sample(s, p, &b->items[i]);
	leave_pen(s, p, b->slice);
	return r;
}

static void script_print_record(struct script *s, struct script_writer *p,
				const struct delivered *d)
{
	bool shown = s->options->show & script_shows(d->raw.header.type);
	const struct script_event *e = script_event_of(s, d->event);

	if (s->options->dump) {
		make_way(s, p);
		dump_record(s->options->dump, d, s->options->out);
	}
	if (d->raw.header.type == PERF_RECORD_SAMPLE)
		return;
	script_writer_forget(p);
	if (!s->options->show || !s->setup.n_events)
		return;
	if (!e)
		e = &s->setup.events[0];
	script_record(p, e, d, shown);
	if (s->files && shown)
		script_dump_write(s->files, e->event->index, &p->out, false);
}

static int script_on_records(void *arg, const struct record_batch *b)
{
	struct script *s = arg;
	struct script_writer *p = take_writer(s, b->worker, b->slice);

	for (size_t i = 0; i < b->n; i++)
		script_print_record(s, p, &b->items[i]);
	leave_pen(s, p, b->slice);
	return 0;
}

static int script_on_slice_end(void *arg, unsigned slice)
{
	struct script *s = arg;

	return script_write_out(s, &s->slices[slice]);
}

/* Prints the counts, which are in records of perf's own. */
static void script_print_counts(struct script *s, const struct delivered *d)
{
	struct record r;

	s->has_counts |= d->raw.header.type == PERF_RECORD_STAT_CONFIG;
	if (session_decode_record(s->session, d, &r) >= 0)
		script_counts_record(s->counts, &r, s->options->out);
}

/* Prints a feature of a stream, which arrives as a record. */
static void print_feature(struct script *s, const struct delivered *d)
{
	struct record r;

	if (s->options->header && session_is_stream(s->session) &&
	    session_decode_record(s->session, d, &r) >= 0)
		header_print_feature(session_features(s->session), (unsigned)r.feature.id,
				     s->options->full_header, s->options->out);
}

static void print_metadata(struct script *s, const struct delivered *d)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct record r;

	if (session_decode_record(s->session, d, &r) < 0)
		return;
	record_text_bpf_metadata(&t, &r);
	fprintf(s->options->out, "%s\n", t.chars);
}

static void print_trace_error(struct script *s, const struct delivered *d)
{
	struct record r;

	if (session_decode_record(s->session, d, &r) >= 0)
		dump_trace_error(&r.auxtrace_error, s->options->out);
}

static int script_on_user(void *arg, const struct delivered *d)
{
	struct script *s = arg;
	uint32_t type = d->raw.header.type;

	if (type == PERF_RECORD_HEADER_FEATURE)
		print_feature(s, d);
	if (s->options->dump)
		dump_record(s->options->dump, d, s->options->out);
	if (type == PERF_RECORD_FINISHED_ROUND && (s->options->show & SCRIPT_SHOW_ROUND))
		fputs("PERF_RECORD_FINISHED_ROUND\n", s->options->out);
	if (type == PERF_RECORD_BPF_METADATA && (s->options->show & SCRIPT_SHOW_BPF))
		print_metadata(s, d);
	if (type == PERF_RECORD_AUXTRACE_ERROR && !s->options->dump)
		print_trace_error(s, d);
	script_print_counts(s, d);
	return ferror(s->options->out) ? -EIO : 0;
}

/*
 * True if perf's own records are needed, for showing them or because a stream contains its
 * description in them. Watching them ends batches early, so it is avoided otherwise.
 */
static bool wants_user_records(const struct script *s)
{
	const struct script_options *o = s->options;

	return o->show & (SCRIPT_SHOW_ROUND | SCRIPT_SHOW_BPF) || o->header || o->dump ||
	       features_have(session_features(s->session), FEATURE_AUXTRACE) ||
	       session_is_stream(s->session) || script_is_of_counts(s->session);
}

int script_print(struct script *s, struct diag *diag)
{
	const struct script_options *o = s->options;
	/* Any record that is not a sample may change the meaning of an address. */
	uint64_t others = RECORD_TYPES_ALL & ~RECORD_TYPE_BIT(PERF_RECORD_SAMPLE);
	const struct consumer consumer = {
		.order = CONSUMER_SLICES,
		.on_this_thread = o->hook != NULL,
		.filter = o->hook ? NULL : s->filter,
		.types = o->dump ? RECORD_TYPES_ALL : others,
		.begin = script_begin,
		.samples = o->check_only ? NULL : script_on_samples,
		.records = script_on_records,
		.slice_end = script_on_slice_end,
		.user = wants_user_records(s) ? script_on_user : NULL,
		.arg = s,
	};
	int r;

	s->diag = diag;
	r = session_feed(s->session, s->workers, &consumer, diag);
	if (r < 0)
		return r;
	return s->files ? script_dump_finish(s->files, o->out, diag) : 0;
}

struct script_counts {
	const struct session *session;
	struct round_counts *counts;
	bool has_title;
};

struct script_counts *script_counts_new(const struct session *s)
{
	struct script_counts *c = xcalloc(1, sizeof(*c));

	c->session = s;
	c->counts = round_counts_new(s);
	return c;
}

void script_counts_free(struct script_counts *c)
{
	if (!c)
		return;
	round_counts_free(c->counts);
	free(c);
}

static void script_counts_print_event(struct script_counts *c, size_t event, uint64_t time,
				      FILE *out)
{
	for (size_t i = 0; i < round_counts_cells(c->counts); i++) {
		struct round_count n = round_counts_get(c->counts, event, i);

		fprintf(out, "%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %s\n",
			n.cpu, n.thread, n.value, n.enabled, n.running, time,
			session_event(c->session, event)->name);
	}
}

void script_counts_record(struct script_counts *c, const struct record *r, FILE *out)
{
	if (!round_counts_record(c->counts, r))
		return;
	if (!c->has_title)
		fprintf(out, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA",
			"RUN", "TIME", "EVENT");
	c->has_title = true;
	for (size_t i = 0; i < round_counts_events(c->counts); i++)
		script_counts_print_event(c, i, r->stat_round.time, out);
}
