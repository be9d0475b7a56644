/* SPDX-License-Identifier: MIT */
#include "capture/count-recorder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/host-facts.h"
#include "capture/opened-events.h"
#include "capture/recorded-event.h"
#include "capture/synth-internal.h"
#include "capture/tracing.h"
#include "datafile/features.h"
#include "datafile/writer.h"
#include "wire/record.h"
#include "wire/topology.h"

/*
 * Ids of events that perf measures itself. They do not clash, because the kernel numbers its own
 * from 1.
 */
#define TOOL_ID(i) (UINT64_C(1) << 63 | (i))

/* Tags of STAT_CONFIG. */
enum {
	CONFIG_AGGREGATION = 0,
	CONFIG_INTERVAL = 1,
	CONFIG_SCALE = 2,
	CONFIG_LEVEL = 3,
};

/* Linux's perf stores its own measurements under CPU 0. */
static const struct cpu_list first_cpu = { .items = (unsigned[]){ 0 }, .n = 1 };

struct count_recorder {
	struct writer *writer;
	bool is_stream;
	struct features features;
	bool has_cpus;        /* CPUs were counted, not tasks */
	struct bytes records; /* records of the current round */
};

int count_recorder_new(const char *path, struct count_recorder **ret, struct diag *diag)
{
	_cleanup_(count_recorder_freep) struct count_recorder *r = xcalloc(1, sizeof(*r));
	bool is_stdout = !strcmp(path, "-");
	const struct writer_options o = {
		.form = is_stdout ? WRITER_PIPE : WRITER_FILE,
		.keep_old = true,
	};
	int error = writer_open(path, is_stdout ? STDOUT_FILENO : -1, &o, &r->writer, diag);

	if (error < 0)
		return error;
	r->is_stream = is_stdout;
	*ret = TAKE(r);
	return 0;
}

void count_recorder_free(struct count_recorder *r)
{
	if (!r)
		return;
	writer_free(r->writer);
	features_done(&r->features);
	bytes_done(&r->records);
	free(r);
}

struct features *count_recorder_features(struct count_recorder *r)
{
	return &r->features;
}

struct in_file {
	struct file_event *items;
	size_t n;
};

static void in_file_done(struct in_file *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->items[i].ids);
	free(f->items);
}

/*
 * Returns the attr that Linux's perf opens for its own measurements: that of an event that counts
 * nothing.
 */
static struct attr count_recorder_attr_of(const struct opened_event *e)
{
	struct attr attr = e->event->attr;

	if (e->state == OPENED_TOOL) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_DUMMY;
	}
	attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	return attr;
}

static struct recorded_event count_recorder_recorded_of(const struct opened_event *e,
							const struct file_event *in_file)
{
	struct recorded_event r = recorded_event_of(e, in_file);

	if (e->state == OPENED_TOOL) {
		r.unit = event_tool_is_time(e->event->tool) ? "ns" : e->event->unit;
		r.scale = e->event->scale;
		r.own_cpus = &first_cpu;
	} else if (attr_is_clock(&r.attr)) {
		r.unit = "msec";
		r.scale = 1e-6;
	}
	return r;
}

static void config_put(struct bytes *out, const struct count_recorder_setup *s)
{
	bool newer = s->aggregation & COUNT_AGGREGATION_NEWER;
	const uint64_t words[] = {
		CONFIG_AGGREGATION, s->aggregation & ~COUNT_AGGREGATION_NEWER,
		CONFIG_INTERVAL,    s->interval_ms,
		CONFIG_SCALE,       s->scale,
		CONFIG_LEVEL,       s->cache_level ? s->cache_level : TOPOLOGY_CACHES,
	};
	struct record r = { .header.type = PERF_RECORD_STAT_CONFIG };

	r.stat_config.entries = (struct words){ .bytes = (const uint8_t *)words,
						.n = ARRAY_SIZE(words) - (newer ? 0 : 2) };
	(void)record_encode(&r, NULL, out);
}

static void prologue_put(struct bytes *out, const struct recorded_event *events, size_t n,
			 const struct count_recorder_setup *s, bool is_stream)
{
	const struct synth_plan plan = {
		.events = events,
		.n_events = n,
		.tasks = s->tasks,
		.cpus = s->cpus,
		.event_names = is_stream,
		.task_names = s->with_names,
		.counts = true,
	};

	synth_event_updates(&plan, out);
	synth_thread_map(&plan, out);
	synth_cpu_map(&plan, out);
	config_put(out, s);
}

static int write_failed(int error, struct diag *diag)
{
	return diag_set(diag, error, "cannot write the counts: %s", strerror(-error));
}

/* Adds formats, without which Linux's perf does not open the file. */
static int count_recorder_add_formats(struct count_recorder *r,
				      const struct count_recorder_setup *s,
				      const struct recorded_event *events, size_t n,
				      struct diag *diag)
{
	int error;

	if (!s->tracefs)
		return 0;
	error = tracing_collect(s->tracefs, events, n, &r->features.tracing_data, diag);
	if (error >= 0)
		features_mark(&r->features, FEATURE_TRACING_DATA);
	return error;
}

int count_recorder_begin(struct count_recorder *r, const struct count_recorder_setup *s,
			 struct diag *diag)
{
	size_t n = s->events->n;
	_cleanup_(freep) struct recorded_event *events = xcalloc(n + 1, sizeof(*events));
	_cleanup_(in_file_done) struct in_file in_file = { xcalloc(n + 1, sizeof(*in_file.items)),
							   n };
	_cleanup_(bytes_done) struct bytes out = { 0 };
	int error = opened_events_find_ids(s->events, diag);

	if (error < 0)
		return error;
	for (size_t i = 0; i < n; i++) {
		in_file.items[i].attr = count_recorder_attr_of(&s->events->items[i]);
		recorded_event_ids(&s->events->items[i], &in_file.items[i]);
		if (s->events->items[i].state == OPENED_TOOL)
			in_file.items[i].ids[in_file.items[i].n_ids++] = TOOL_ID(i);
		events[i] = count_recorder_recorded_of(&s->events->items[i], &in_file.items[i]);
	}
	r->has_cpus = s->cpus;
	error = count_recorder_add_formats(r, s, events, n, diag);
	if (error < 0)
		return error;
	host_facts_events(events, n, &r->features);
	features_mark(&r->features, FEATURE_STAT);
	error = writer_begin(r->writer, in_file.items, n, &r->features, diag);
	if (error < 0)
		return error;
	prologue_put(&out, events, n, s, r->is_stream);
	error = writer_write(r->writer, 0, out.data, out.n);
	return error < 0 ? write_failed(error, diag) : 0;
}

static void stat_put(struct count_recorder *r, const struct record_stat *stat)
{
	struct record rec = { .header.type = PERF_RECORD_STAT, .stat = *stat };

	(void)record_encode(&rec, NULL, &r->records);
}

void count_recorder_add(struct count_recorder *r, const struct opened_event *e)
{
	for (size_t p = 0; p < opened_event_places(e); p++) {
		const struct record_stat stat = {
			.id = e->ids[p],
			.cpu = (uint32_t)opened_event_cpu(e, p),
			.thread = (uint32_t)opened_event_task(e, p),
			.value = e->counts[p].value,
			.enabled = e->counts[p].enabled,
			.running = e->counts[p].running,
		};

		if (stat.id)
			stat_put(r, &stat);
	}
}

void count_recorder_add_tool(struct count_recorder *r, size_t i, uint64_t ns)
{
	const struct record_stat stat = {
		.id = TOOL_ID(i),
		.cpu = r->has_cpus ? first_cpu.items[0] : UINT32_MAX,
		.value = ns,
		.enabled = ns,
		.running = ns,
	};

	stat_put(r, &stat);
}

int count_recorder_end_round(struct count_recorder *r, bool is_last, uint64_t time_ns,
			     struct diag *diag)
{
	struct record rec = { .header.type = PERF_RECORD_STAT_ROUND };
	int error;

	rec.stat_round.type = is_last;
	rec.stat_round.time = time_ns;
	(void)record_encode(&rec, NULL, &r->records);
	error = writer_write(r->writer, 0, r->records.data, r->records.n);
	if (error >= 0)
		error = writer_flush(r->writer);
	r->records.n = 0;
	return error < 0 ? write_failed(error, diag) : 0;
}

int count_recorder_finish(struct count_recorder *r, struct diag *diag)
{
	return writer_finish(r->writer, &r->features, diag);
}
