/* SPDX-License-Identifier: MIT */
#include "view/data-json.h"

#include <errno.h>
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

static void add_headers(struct json *j, const struct datafile *df)
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

/* Once events and features are known, which a stream tells before its first sample. */
static int begin(struct data_json *j)
{
	const struct session *s = j->options.session;
	struct json *json = &j->pens[0].json;
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
	json_object(json);
	json_member_unsigned(json, "linux-perf-json-version", 1);
	add_headers(json, session_datafile(s));
	json_key(json, "samples");
	json_array(json);
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
	struct json_pen *p = &j->pens[0];
	int r = begin(j);

	if (r < 0)
		return r;
	json_end(&p->json, ']');
	if (j->options.all) {
		json_key(&p->json, "records");
		json_array(&p->json);
		r = write_out(j, &p->out);
		if (r >= 0)
			r = write_out(j, &j->records.out);
		json_end(&p->json, ']');
	}
	json_end(&p->json, '}');
	json_end_line(&p->json);
	return r < 0 ? r : write_out(j, &p->out);
}

uint64_t data_json_samples(const struct data_json *j)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < j->n_pens; i++)
		sum += j->pens[i].samples;
	return sum;
}
