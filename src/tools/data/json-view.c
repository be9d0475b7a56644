/* SPDX-License-Identifier: MIT */
#include "tools/data/json-view.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "session/trace-machine.h"
#include "tools/data/json-writer-view.h"

#define WORKERS_MAX 8

/* The output for a slice of the recording. */
struct json_slice {
	struct text samples, records;
};

struct data_json {
	struct data_json_options options;
	struct json_style style;
	struct trace_machine *machine;
	struct workers *workers;
	struct sample_writer *writers; /* one for each worker */
	unsigned n_writers;
	struct json_slice slices[CONSUMER_SLICES_MAX];
	int write_error;      /* errno of writing, on any thread; 0: none */
	struct text records;  /* those of all slices: they follow the samples */
	struct text head;     /* the text before and after them */
	struct json document; /* appends to @head */
	struct diag *diag;
	bool has_sample; /* a sample was written */
};

static int data_json_find_wall_clock(const struct session *s, int64_t *ret, struct diag *diag)
{
	const struct features *f = session_features(s);

	if (!features_have(f, FEATURE_CLOCK_DATA)) {
		diag_set(diag, -EINVAL, "the profile does not say what its times are");
		diag_hint(diag, "Record with a clock that is known: record -k mono");
		return -EINVAL;
	}
	*ret = (int64_t)(f->clock_data.wall_clock_ns - f->clock_data.clockid_ns);
	return 0;
}

int data_json_new(const struct data_json_options *o, struct data_json **ret, struct diag *diag)
{
	_cleanup_(data_json_freep) struct data_json *j = xcalloc(1, sizeof(*j));
	int r = 0;

	j->options = *o;
	j->diag = diag;
	j->style = (struct json_style){ .session = o->session,
					.swap = session_is_swapped(o->session),
					.all = o->all };
	/* A stream gives its clock later: see data_json_on_begin(). */
	if (o->wall_clock && !session_is_stream(o->session))
		r = data_json_find_wall_clock(o->session, &j->style.wall_offset_ns, diag);
	if (r < 0)
		return r;
	j->machine = trace_machine_new(o->session);
	j->style.tracepoints = trace_machine_get(j->machine);
	j->workers = workers_new(0, WORKERS_MAX);
	j->n_writers = workers_count(j->workers);
	j->writers = xcalloc(j->n_writers, sizeof(*j->writers));
	for (unsigned i = 0; i < j->n_writers; i++)
		sample_writer_init(&j->writers[i], &j->style);
	for (size_t i = 0; i < CONSUMER_SLICES_MAX; i++)
		j->slices[i] = (struct json_slice){ TEXT_EMPTY, TEXT_EMPTY };
	j->records = j->head = (struct text)TEXT_EMPTY;
	json_init_text(&j->document, &j->head);
	j->document.spreads_empty = true;
	*ret = TAKE(j);
	return 0;
}

void data_json_free(struct data_json *j)
{
	if (!j)
		return;
	workers_free(j->workers);
	for (unsigned i = 0; i < j->n_writers; i++)
		sample_writer_done(&j->writers[i]);
	free(j->writers);
	for (size_t i = 0; i < CONSUMER_SLICES_MAX; i++) {
		text_done(&j->slices[i].samples);
		text_done(&j->slices[i].records);
	}
	text_done(&j->records);
	text_done(&j->head);
	trace_machine_free(j->machine);
	free(j);
}

/* Writes the text of @t from character @from on. */
static int data_json_write_out(struct data_json *j, struct text *t, size_t from)
{
	size_t n = t->length - from;
	bool all = fwrite(t->chars + from, 1, n, j->options.out) == n;

	if (!all)
		j->write_error = errno;
	text_clear(t);
	return all ? 0 : -EIO;
}

static void add_captured_on(struct json *j, uint64_t seconds)
{
	time_t at = (time_t)seconds;
	char when[64];
	struct tm tm;

	if (gmtime_r(&at, &tm) && strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm))
		json_member(j, "captured-on", when);
}

static void add_command_line(struct json *j, const struct string_list *words)
{
	json_key(j, "cmdline");
	json_array(j);
	for (size_t i = 0; i < words->n; i++)
		json_string(j, words->items[i]);
	json_end(j, ']');
}

static void data_json_add_headers(struct json *j, const struct datafile *df)
{
	const struct datafile_facts *facts = datafile_facts(df);
	const struct features *f = datafile_features(df);

	json_key(j, "headers");
	json_object(j);
	json_member_unsigned(j, "header-version", facts->header_version);
	add_captured_on(j, facts->mtime_s);
	json_member_unsigned(j, "data-offset", facts->data_offset);
	json_member_unsigned(j, "data-size", facts->data_size);
	json_member_unsigned(j, "feat-offset", facts->feature_offset);
	json_member(j, "hostname", f->hostname);
	json_member(j, "os-release", f->os_release);
	json_member(j, "arch", f->arch);
	json_member(j, "cpu-desc", f->cpu_desc);
	json_member(j, "cpuid", f->cpu_id);
	if (features_have(f, FEATURE_NRCPUS)) {
		json_member_unsigned(j, "nrcpus-online", f->cpus_online);
		json_member_unsigned(j, "nrcpus-avail", f->cpus_available);
	}
	json_member(j, "perf-version", f->version);
	if (features_have(f, FEATURE_CMDLINE))
		add_command_line(j, &f->cmdline);
	json_end(j, '}');
}

static int data_json_on_begin(void *arg, struct consumer *c)
{
	struct data_json *j = arg;
	const struct session *s = j->options.session;
	struct json *json = &j->document;
	int r = 0;

	(void)c;
	if (j->options.wall_clock)
		r = data_json_find_wall_clock(s, &j->style.wall_offset_ns, j->diag);
	if (r < 0)
		return r;
	json_object(json);
	json_member_unsigned(json, "linux-perf-json-version", 1);
	data_json_add_headers(json, session_datafile(s));
	json_key(json, "samples");
	json_array(json);
	return data_json_write_out(j, &j->head, 0);
}

static int data_json_on_samples(void *arg, const struct sample_batch *b)
{
	struct data_json *j = arg;
	struct sample_writer *w = &j->writers[b->worker];

	text_swap(&w->out, &j->slices[b->slice].samples);
	for (size_t i = 0; i < b->n; i++)
		sample_writer_sample(w, &b->items[i]);
	text_swap(&w->out, &j->slices[b->slice].samples);
	return 0;
}

static int data_json_on_records(void *arg, const struct record_batch *b)
{
	struct data_json *j = arg;
	struct sample_writer *w = &j->writers[b->worker];

	text_swap(&w->out, &j->slices[b->slice].records);
	for (size_t i = 0; i < b->n; i++)
		sample_writer_record(w, &b->items[i]);
	text_swap(&w->out, &j->slices[b->slice].records);
	return 0;
}

/* Writes a slice. A comma precedes each sample and record, except the first. */
static int data_json_on_slice_end(void *arg, unsigned slice)
{
	struct data_json *j = arg;
	struct json_slice *made = &j->slices[slice];
	bool is_first = !j->has_sample && made->samples.length;

	text_add_bytes(&j->records, made->records.chars, made->records.length);
	text_clear(&made->records);
	j->has_sample |= is_first;
	return data_json_write_out(j, &made->samples, is_first);
}

static int data_json_write_end(struct data_json *j)
{
	struct json *json = &j->document;
	int r = 0;

	json_end(json, ']');
	if (j->options.all) {
		json_key(json, "records");
		json_array(json);
		r = data_json_write_out(j, &j->head, 0);
		if (r >= 0)
			r = data_json_write_out(j, &j->records, j->records.length > 0);
		json_end(json, ']');
	}
	json_end(json, '}');
	json_end_line(json);
	return r < 0 ? r : data_json_write_out(j, &j->head, 0);
}

int data_json_write(struct data_json *j)
{
	const struct consumer consumer = {
		.order = CONSUMER_SLICES,
		.types = j->options.all ? RECORD_TYPES_ALL & ~RECORD_TYPE_BIT(PERF_RECORD_SAMPLE)
					: 0,
		.filter = j->options.filter,
		.begin = data_json_on_begin,
		.samples = data_json_on_samples,
		.records = data_json_on_records,
		.slice_end = data_json_on_slice_end,
		.arg = j,
	};
	int r = session_feed(j->options.session, j->workers, &consumer, j->diag);

	return r < 0 ? r : data_json_write_end(j);
}

int data_json_write_error(const struct data_json *j)
{
	return j->write_error;
}

uint64_t data_json_samples(const struct data_json *j)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < j->n_writers; i++)
		sum += j->writers[i].samples;
	return sum;
}
