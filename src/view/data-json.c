/* SPDX-License-Identifier: MIT */
#include "view/data-json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/workers.h"
#include "session/group-read.h"
#include "session/trace-machine.h"
#include "view/data-json-pen.h"

/* Of a batch that is shared out: not worth it for less, and so many pieces at a time. */
#define PARALLEL_MIN 1024
#define PIECE_ITEMS  512
#define WORKERS_MAX  8

struct data_json {
	struct data_json_options options;
	struct json_style style;
	struct trace_machine *machine;
	struct group_reads *groups; /* NULL: no event reads a group's counts */
	struct workers *workers;    /* NULL: one pen does */
	struct json_pen *pens;
	unsigned n_pens;
	struct text *pieces;
	size_t n_pieces;
	struct json_pen records; /* what comes behind the samples */
	struct diag *diag;
	bool begun;
	bool has_sample, has_record; /* some was written */
};

static int find_wall_clock(const struct session *s, int64_t *ret, struct diag *diag)
{
	const struct features *f = datafile_features(session_datafile(s));

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
					.swap = datafile_swapped(session_datafile(o->session)),
					.all = o->all };
	/* A stream tells of its clock on the way: see begin(). */
	if (o->wall_clock && !datafile_is_pipe(session_datafile(o->session)))
		r = find_wall_clock(o->session, &j->style.wall_offset_ns, diag);
	if (r < 0)
		return r;
	j->machine = trace_machine_new(o->session);
	j->style.tracepoints = trace_machine_get(j->machine);
	json_pen_init(&j->records, &j->style);
	if (session_is_worth_sharing(o->session))
		j->workers = workers_new(0, WORKERS_MAX);
	j->n_pens = j->workers ? workers_count(j->workers) : 1;
	j->pens = xcalloc(j->n_pens, sizeof(*j->pens));
	for (unsigned i = 0; i < j->n_pens; i++)
		json_pen_init(&j->pens[i], &j->style);
	*ret = TAKE(j);
	return 0;
}

void data_json_free(struct data_json *j)
{
	if (!j)
		return;
	workers_free(j->workers);
	for (unsigned i = 0; i < j->n_pens; i++)
		json_pen_done(&j->pens[i]);
	free(j->pens);
	for (size_t i = 0; i < j->n_pieces; i++)
		text_done(&j->pieces[i]);
	free(j->pieces);
	json_pen_done(&j->records);
	group_reads_free(j->groups);
	trace_machine_free(j->machine);
	free(j);
}

static int write_out(struct data_json *j, struct text *t)
{
	size_t n = fwrite(t->chars, 1, t->length, j->options.out);
	bool all = n == t->length;

	text_clear(t);
	return all ? 0 : -EIO;
}

static void member(struct text *t, const char *key, const char *value)
{
	if (!value)
		return;
	text_addf(t, ",\n\t\t\"%s\": ", key);
	json_quote(t, value);
}

static void add_captured_on(struct text *t, uint64_t seconds)
{
	time_t at = (time_t)seconds;
	char when[64];
	struct tm tm;

	if (gmtime_r(&at, &tm) && strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm))
		member(t, "captured-on", when);
}

static void add_command_line(struct text *t, const struct string_list *words)
{
	text_add(t, ",\n\t\t\"cmdline\": [");
	for (size_t i = 0; i < words->n; i++) {
		text_add(t, i ? ",\n\t\t\t" : "\n\t\t\t");
		json_quote(t, words->items[i]);
	}
	text_add(t, "\n\t\t]");
}

static void add_headers(struct text *t, const struct datafile *df)
{
	const struct datafile_facts *facts = datafile_facts(df);
	const struct features *f = datafile_features(df);

	text_addf(t, "\t\"headers\": {\n\t\t\"header-version\": %" PRIu64, facts->header_version);
	add_captured_on(t, facts->mtime_s);
	text_addf(t,
		  ",\n\t\t\"data-offset\": %" PRIu64 ",\n\t\t\"data-size\": %" PRIu64
		  ",\n\t\t\"feat-offset\": %" PRIu64,
		  facts->data_offset, facts->data_size, facts->feature_offset);
	member(t, "hostname", f->hostname);
	member(t, "os-release", f->os_release);
	member(t, "arch", f->arch);
	member(t, "cpu-desc", f->cpu_desc);
	member(t, "cpuid", f->cpu_id);
	if (features_have(f, FEATURE_NRCPUS))
		text_addf(t, ",\n\t\t\"nrcpus-online\": %u,\n\t\t\"nrcpus-avail\": %u",
			  f->cpus_online, f->cpus_available);
	member(t, "perf-version", f->version);
	if (features_have(f, FEATURE_CMDLINE))
		add_command_line(t, &f->cmdline);
	text_add(t, "\n\t},\n");
}

/* Once events and features are known, which a stream tells before its first sample. */
static int begin(struct data_json *j)
{
	const struct session *s = j->options.session;
	struct text *t = &j->pens[0].out;
	int r = 0;

	if (j->begun)
		return 0;
	j->begun = true;
	if (j->options.wall_clock)
		r = find_wall_clock(s, &j->style.wall_offset_ns, j->diag);
	if (r < 0)
		return r;
	for (size_t i = 0; i < session_event_count(s); i++)
		if (!j->groups && group_reads_wanted(session_event(s, i)))
			j->groups = group_reads_new();
	text_add(t, "{\n\t\"linux-perf-json-version\": 1,\n");
	add_headers(t, session_datafile(s));
	text_add(t, "\t\"samples\": [");
	return 0;
}

/* A sample that reads its group's counts (:S) stands for one of each event that counted. */
static void write_shares(struct data_json *j, struct json_pen *p, const struct sample *s)
{
	const struct group_share *shares;
	size_t n = group_reads_share(j->groups, j->options.session, s, &shares);

	for (size_t i = 0; i < n; i++) {
		json_pen_sample(p, shares[i].event, s, shares[i].period, !j->has_sample);
		j->has_sample = true;
	}
}

/* The first sample of all has no comma before it; it is never one of several threads'. */
static void write_sample(struct data_json *j, struct json_pen *p, const struct delivered *d)
{
	const struct attr *attr = d->event ? &d->event->attr : NULL;
	struct sample s;

	if (!attr || sample_decode(d->raw.bytes, d->raw.header.size, j->style.swap, attr, &s) < 0)
		return;
	if (!(attr->sample_type & PERF_SAMPLE_TID))
		s.pid = s.tid = UINT32_MAX;
	if (j->groups && group_reads_wanted(d->event)) {
		write_shares(j, p, &s);
		return;
	}
	json_pen_sample(p, d->event, &s,
			attr->sample_type & PERF_SAMPLE_PERIOD ? s.period : attr->sample_period,
			!j->has_sample);
	if (!j->has_sample)
		j->has_sample = true;
}

struct sharing {
	struct data_json *json;
	const struct delivered *items;
	size_t n;
};

static void write_piece(void *arg, size_t piece, unsigned worker)
{
	struct sharing *sh = arg;
	struct json_pen *p = &sh->json->pens[worker];
	size_t from = piece * PIECE_ITEMS, to = from + PIECE_ITEMS;
	struct text mine = p->out;

	p->out = sh->json->pieces[piece];
	for (size_t i = from; i < to && i < sh->n; i++)
		if (sh->items[i].raw.header.type == PERF_RECORD_SAMPLE)
			write_sample(sh->json, p, &sh->items[i]);
	sh->json->pieces[piece] = p->out;
	p->out = mine;
}

static int write_parallel(struct data_json *j, const struct delivered *items, size_t n)
{
	struct sharing sh = { .json = j, .items = items, .n = n };
	size_t pieces = (n + PIECE_ITEMS - 1) / PIECE_ITEMS;
	int r = 0;

	if (pieces > j->n_pieces) {
		j->pieces = xrealloc(j->pieces, pieces * sizeof(*j->pieces));
		while (j->n_pieces < pieces)
			j->pieces[j->n_pieces++] = (struct text)TEXT_EMPTY;
	}
	workers_run(j->workers, pieces, write_piece, &sh);
	for (size_t i = 0; i < pieces && r >= 0; i++)
		r = write_out(j, &j->pieces[i]);
	return r;
}

int data_json_batch(struct data_json *j, const struct delivered *items, size_t n)
{
	struct json_pen *p = &j->pens[0];
	int r = begin(j);

	if (r < 0)
		return r;
	for (size_t i = 0; i < n && j->options.all; i++) {
		size_t before = j->records.out.length;

		if (items[i].raw.header.type == PERF_RECORD_SAMPLE)
			continue;
		json_pen_record(&j->records, &items[i], !j->has_record);
		j->has_record |= j->records.out.length > before;
	}
	while (n && !j->has_sample) {
		if (items->raw.header.type == PERF_RECORD_SAMPLE)
			write_sample(j, p, items);
		items++;
		n--;
	}
	r = write_out(j, &p->out);
	if (r >= 0 && j->workers && !j->groups && n >= PARALLEL_MIN)
		return write_parallel(j, items, n);
	for (size_t i = 0; i < n; i++)
		if (items[i].raw.header.type == PERF_RECORD_SAMPLE)
			write_sample(j, p, &items[i]);
	return r < 0 ? r : write_out(j, &p->out);
}

int data_json_end(struct data_json *j)
{
	struct text *t = &j->pens[0].out;
	int r = begin(j);

	if (r < 0)
		return r;
	text_add(t, "\n\t]");
	if (j->options.all)
		text_add(t, ",\n\t\"records\": [");
	r = write_out(j, t);
	if (r >= 0 && j->options.all)
		r = write_out(j, &j->records.out);
	text_add(t, j->options.all ? "\n\t]\n}\n" : "\n}\n");
	return r < 0 ? r : write_out(j, t);
}

uint64_t data_json_samples(const struct data_json *j)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < j->n_pens; i++)
		sum += j->pens[i].samples;
	return sum;
}
