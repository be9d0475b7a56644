/* SPDX-License-Identifier: MIT */
#include "tools/diff/recording-work.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "foreign/any-session.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "session/reading.h"
#include "store/url.h"
#include "symbol/symbolizer.h"
#include "tools/diff/request-work.h"

#define DEFAULT_MAX_STACK 127
#define DEFAULT_PARENT    "^sys_|^do_page_fault"
#define TIME_QUANTUM_NS   (100 * 1000 * 1000)

int diff_recording_open(struct diff_recording *r, struct diff_common *common, const char *path,
			struct diag *diag)
{
	const struct diff_request *rq = common->rq;
	int e;

	r->common = common;
	r->path = path;
	/* Recordings may be of different kernels, or of one that was at different addresses. */
	r->symbolizer = reading_symbolizer(&(struct reading_symbols){
		.request = &rq->names,
		.buildid_dir = rq->buildid_dir,
		.any_owner = rq->force,
		.with_parameters = rq->verbose,
		.progress = rq->progress,
	});
	e = any_session_open(&(struct session_options){ .path = path,
							.force = rq->force,
							.symbolizer = r->symbolizer,
							.progress = rq->progress },
			     &r->session, diag);
	if (e == -ENOENT && !fleet_is_url(path)) {
		diag_set(diag, e, "there is no recording '%s'", path);
		diag_hint(diag, "'perf record' makes perf.data and keeps the one before as "
				"perf.data.old.");
		if (strchr(path, '=') && fleet_is_url(strchr(path, '=') + 1))
			diag_hint(diag, "--fleet compares the hosts of stores: NAME=URL.");
	}
	return e;
}

/* True if any event was recorded with a bit of @sample_type. */
static bool has_recorded(const struct diff_recording *r, uint64_t sample_type)
{
	for (size_t i = 0; i < session_event_count(r->session); i++)
		if (session_event(r->session, i)->attr.sample_type & sample_type)
			return true;
	return false;
}

/* Checks that the requested data was recorded. */
static int diff_recording_check(const struct diff_recording *r, struct diag *diag)
{
	const struct diff_request *rq = r->common->rq;

	if (rq->cpus.n && !has_recorded(r, PERF_SAMPLE_CPU)) {
		diag_set(diag, -EINVAL, "--cpu: %s has no CPU numbers", r->path);
		diag_hint(diag, "Record with -a, -C or --sample-cpu.");
		return -EINVAL;
	}
	if (rq->method.cycles && !has_recorded(r, PERF_SAMPLE_BRANCH_STACK)) {
		diag_set(diag, -EINVAL, "-c cycles: %s has no branches", r->path);
		diag_hint(diag, "Record with -b, on a machine that counts the cycles between "
				"branches.");
		return -EINVAL;
	}
	if (rq->streams && !has_recorded(r, PERF_SAMPLE_BRANCH_STACK)) {
		diag_set(diag, -EINVAL, "--stream: %s has no branches", r->path);
		diag_hint(diag, "Record with -b.");
		return -EINVAL;
	}
	return 0;
}

static int diff_recording_make_filter(struct diff_recording *r, struct diag *diag)
{
	const struct diff_request *rq = r->common->rq;
	int e = reading_spans(&r->window, r->session, &r->spans, diag);

	if (e < 0)
		return e;
	r->request = (struct sample_filter_request){
		.spans = r->spans,
		.n_spans = r->window.n,
		.cpus = &rq->cpus,
		.pids = rq->pids.items,
		.n_pids = rq->pids.n,
		.tids = rq->tids.items,
		.n_tids = rq->tids.n,
		.comms = rq->comms,
		.symbols = rq->symbols,
		.dsos = rq->dsos,
	};
	return sample_filter_new(&r->request, &r->filter, diag);
}

static int diff_recording_make_plan(struct diff_recording *r, struct diag *diag)
{
	const struct diff_request *rq = r->common->rq;

	r->env = (struct key_env){
		.session = r->session,
		.values = r->common->values,
		.time_quantum_ns = TIME_QUANTUM_NS,
		.verbose = rq->verbose,
	};
	return report_plan_make(
		&(struct report_request){
			.sort = r->common->sort,
			.plain_functions = true,
			.one_comm = sample_filter_only_name(rq->comms),
			.one_dso = sample_filter_only_name(rq->dsos),
			.one_symbol = sample_filter_only_name(rq->symbols),
		},
		&r->env, &r->plan, diag);
}

/* Drops the column that distinguishes hosts, because it is not shown. */
static void drop_host_column(struct report_plan *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->columns.n; i++)
		if (p->columns.items[i].figure || p->columns.items[i].key + 1 != p->keys.n)
			p->columns.items[n++] = p->columns.items[i];
	p->columns.n = n;
}

static int diff_recording_begin(struct diff_recording *r, struct diag *diag)
{
	const struct diff_request *rq = r->common->rq;
	bool wants_parent;
	int e = diff_recording_make_plan(r, diag);

	/* The first recording had the keys, or would have reported this error. */
	if (e < 0 && r->common->frames)
		diag_hint(diag, "That is so in %s.", r->path);
	if (e >= 0)
		e = diff_recording_check(r, diag);
	if (e < 0)
		return e;
	if (!r->common->frames)
		r->common->frames = frames_new(rq->streams || r->plan.key_flags & KEY_BY_ADDRESS);
	r->env.frames = r->common->frames;
	r->env.has_image_key = report_plan_has_key(&r->plan, "dso");
	wants_parent = r->plan.key_flags & KEY_WANTS_PARENT;
	r->has_parent = wants_parent &&
			!regcomp(&r->parent, DEFAULT_PARENT, REG_EXTENDED | REG_NOSUB);
	r->collector = collector_new(&(struct collector_options){
		.env = &r->env,
		.keys = r->plan.keys.items,
		.n_keys = r->plan.keys.n,
		.mode = REPORT_NORMAL,
		.filter = r->filter,
		.by_place = r->plan.mixes_places && r->filter &&
			    sample_filter_has_places(r->filter),
		.with_stacks = wants_parent || rq->streams,
		.history = rq->streams,
		.notes = rq->streams,
		.needs = rq->streams ? ROW_NEEDS_BRANCHES : 0,
		.blocks = rq->method.cycles,
		.max_stack = DEFAULT_MAX_STACK,
		.parent = r->has_parent ? &r->parent : NULL,
		.n_workers = workers_count(r->common->workers),
	});
	return 0;
}

struct diff_recording_reading {
	struct diff_recording *recording;
	struct diag *diag;
};

static int diff_recording_on_begin(void *arg, struct consumer *c)
{
	struct diff_recording_reading *rd = arg;

	(void)c;
	return diff_recording_begin(rd->recording, rd->diag);
}

static int diff_recording_on_samples(void *arg, const struct sample_batch *b)
{
	struct diff_recording_reading *rd = arg;

	collector_take(rd->recording->collector, b);
	return 0;
}

static int diff_recording_deliver(struct diff_recording *r, struct diag *diag)
{
	struct diff_recording_reading rd = { r, diag };
	const struct consumer consumer = {
		/* Notes on branches require one worker. */
		.order = r->common->rq->streams ? CONSUMER_IN_ORDER : CONSUMER_ANY_ORDER,
		.filter = r->filter,
		.begin = diff_recording_on_begin,
		.samples = diff_recording_on_samples,
		.arg = &rd,
	};

	return session_feed(r->session, r->common->workers, &consumer, diag);
}

static void diff_recording_make_rows(struct diff_recording *r)
{
	size_t n = session_event_count(r->session);

	r->options = (struct report_options){
		.env = &r->env,
		.keys = r->plan.keys.items,
		.n_keys = r->plan.keys.n,
		.filter = r->filter,
		/* Places without a name have a separate order, unless images distinguish them. */
		.unsorted = r->env.has_image_key,
		.in_groups = !r->env.has_image_key,
		.sorts_comms = r->plan.sorts_comms,
		.mixes_places = r->plan.mixes_places,
	};
	r->rows = xcalloc(n + 1, sizeof(*r->rows));
	for (size_t i = 0; i < n; i++)
		r->rows[i] = report_rows_new(&r->options, session_event(r->session, i),
					     collector_tally(r->collector, i));
}

int diff_recording_read(struct diff_recording *r, struct diag *diag)
{
	int e = diff_recording_make_filter(r, diag);

	if (e >= 0)
		e = diff_recording_deliver(r, diag);
	if (e >= 0)
		e = reading_check_samples(r->session, diag);
	if (e < 0)
		return e;
	collector_settle(r->collector);
	r->env.wraps = frames_wrap(r->env.frames);
	diff_recording_make_rows(r);
	if (r->common->rq->fleet) {
		diff_hosts_init(&r->hosts, r->rows, session_event_count(r->session));
		drop_host_column(&r->plan);
		if (!r->hosts.n)
			return diag_set(diag, -ENODATA, "%s has no hosts", r->path);
	}
	return 0;
}

void diff_recording_done(struct diff_recording *r)
{
	diff_hosts_done(&r->hosts);
	for (size_t i = 0; r->rows && i < session_event_count(r->session); i++)
		report_rows_free(r->rows[i]);
	free(r->rows);
	collector_free(r->collector);
	report_plan_done(&r->plan);
	if (r->has_parent)
		regfree(&r->parent);
	sample_filter_free(r->filter);
	free(r->spans);
	time_window_done(&r->window);
	session_free(r->session);
	symbolizer_free(r->symbolizer);
}

/*
 * True if the events are the same. Numbers of tracepoints are those of one boot; other numbers mean
 * the same everywhere.
 */
static bool diff_recording_is_same_event(const struct session_event *a,
					 const struct session_event *b)
{
	if (a->attr.type != b->attr.type)
		return false;
	return a->attr.type == PERF_TYPE_TRACEPOINT ? !strcmp(a->name, b->name)
						    : a->attr.config == b->attr.config;
}

/*
 * Finds the event that is the same. Events with the same name come before others that measure the
 * same; those of a fleet have only names.
 */
static const struct session_event *diff_recording_find_event(const struct diff_recording *r,
							     const struct session_event *event)
{
	const struct session_event *same = NULL;

	for (size_t i = 0; i < session_event_count(r->session); i++) {
		const struct session_event *e = session_event(r->session, i);

		if (!diff_recording_is_same_event(e, event) && !r->common->rq->fleet)
			continue;
		if (!strcmp(e->name, event->name))
			return e;
		same = same ? same : e;
	}
	return r->common->rq->fleet ? NULL : same;
}

const struct report_rows *diff_recording_rows(const struct diff_recording *r,
					      const struct session_event *event)
{
	const struct session_event *e = diff_recording_find_event(r, event);

	return e ? r->rows[e->index] : NULL;
}

const struct report_rows *diff_recording_host_rows(const struct diff_recording *r,
						   const struct session_event *event, size_t host)
{
	const struct session_event *e = diff_recording_find_event(r, event);

	return e ? diff_hosts_rows(&r->hosts, e->index, host) : NULL;
}

const struct tally *diff_recording_tally(const struct diff_recording *r,
					 const struct session_event *event)
{
	const struct report_rows *rows = diff_recording_rows(r, event);

	return rows ? rows->tally : NULL;
}

/* Returns the host of a row. Hosts are numbered from 1, in their order. */
static size_t host_of(const struct report_row *row, size_t n_keys)
{
	return (size_t)row->values[n_keys - 1];
}

static void count_hosts(struct diff_hosts *h, const struct report_rows *rows)
{
	for (size_t i = 0; i < rows->n + rows->n_hidden; i++) {
		size_t host = host_of(&rows->rows[i], rows->options->n_keys);

		h->n = host > h->n ? host : h->n;
	}
}

static void name_hosts(struct diff_hosts *h, const struct session *s)
{
	h->names = xcalloc(h->n + 1, sizeof(*h->names));
	for (size_t i = 0; i < h->n; i++) {
		h->names[i] = machine_cgroup(s, i + 1);
		if (!h->names[i])
			h->names[i] = "";
	}
}

/* Adds a row's weight. Rows that filters leave out count in the total weight. */
static void diff_hosts_weigh(struct report_rows *part, const struct report_row *row)
{
	weight_add(&part->all, row->self);
	if (row->is_hidden)
		return;
	weight_add(&part->shown, row->self);
	part->n++;
}

static void part_rows(struct diff_hosts *h, size_t event, struct report_rows *rows)
{
	struct report_rows *parts = &h->parts[event * h->n];
	size_t n_keys = rows->options->n_keys, at = 0;

	for (size_t i = 0; i < h->n; i++)
		parts[i] = (struct report_rows){ .options = &h->options,
						 .event = rows->event,
						 .tally = rows->tally };
	for (size_t i = 0; i < rows->n + rows->n_hidden; i++)
		if (host_of(&rows->rows[i], n_keys))
			diff_hosts_weigh(&parts[host_of(&rows->rows[i], n_keys) - 1],
					 &rows->rows[i]);
	h->rows[event] = xcalloc(rows->n + 1, sizeof(*h->rows[event]));
	for (size_t i = 0; i < h->n; i++) {
		parts[i].rows = h->rows[event] + at;
		at += parts[i].n;
		parts[i].n = 0;
	}
	for (size_t i = 0; i < rows->n; i++) {
		size_t host = host_of(&rows->rows[i], n_keys);

		if (host)
			parts[host - 1].rows[parts[host - 1].n++] = rows->rows[i];
	}
}

void diff_hosts_init(struct diff_hosts *h, struct report_rows *const *rows, size_t n)
{
	*h = (struct diff_hosts){ .n_events = n };
	if (!n)
		return;
	h->options = *rows[0]->options;
	h->options.n_keys--;
	for (size_t i = 0; i < n; i++)
		count_hosts(h, rows[i]);
	name_hosts(h, h->options.env->session);
	h->parts = xcalloc(n * h->n + 1, sizeof(*h->parts));
	h->rows = xcalloc(n, sizeof(*h->rows));
	for (size_t i = 0; i < n; i++) {
		part_rows(h, i, rows[i]);
		/* Each row is needed once. */
		free(rows[i]->rows);
		rows[i]->rows = NULL;
		rows[i]->n = rows[i]->n_hidden = 0;
	}
}

void diff_hosts_done(struct diff_hosts *h)
{
	for (size_t i = 0; i < h->n_events; i++)
		free(h->rows[i]);
	free(h->rows);
	free(h->parts);
	free(h->names);
}

const struct report_rows *diff_hosts_rows(const struct diff_hosts *h, size_t event, size_t host)
{
	return &h->parts[event * h->n + host];
}
