/* SPDX-License-Identifier: MIT */
#include "tools/data/ctf.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/file-place.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "base/text.h"
#include "datafile/features.h"
#include "profile/profile.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tools/data/ctf-streams.h"
#include "wire/sample.h"

/* The fields of an event. */
struct ctf_layout {
	struct ctf_field *fields;
	size_t n;
};

struct ctf {
	const struct export_source *src;
	const struct session *session;
	struct ctf_trace trace;
	struct ctf_streams streams;
	struct ctf_layout *layouts; /* by event; NULL: not known yet */
	size_t n_events;
	uint64_t last_time; /* time of the latest sample */
	struct text text;
	struct export_counts counts;
	struct diag *diag;
};

static void make_uuid(uint8_t uuid[CTF_UUID_BYTES])
{
	if (getrandom(uuid, CTF_UUID_BYTES, 0) != CTF_UUID_BYTES)
		memset(uuid, 0, CTF_UUID_BYTES);
	/* These bits mark a random UUID, as defined in RFC 4122. */
	uuid[6] = (uint8_t)((uuid[6] & 0x0f) | 0x40);
	uuid[8] = (uint8_t)((uuid[8] & 0x3f) | 0x80);
}

static int ctf_find_wall_clock(const struct features *f, int64_t *ret, struct diag *diag)
{
	if (!features_have(f, FEATURE_CLOCK_DATA)) {
		diag_set(diag, -EINVAL, "the profile does not say what its times are");
		diag_hint(diag, "Record with a clock that is known: record -k mono");
		return -EINVAL;
	}
	*ret = (int64_t)(f->clock_data.wall_clock_ns - f->clock_data.clockid_ns);
	return 0;
}

static void lay_out_events(struct ctf *o)
{
	o->n_events = session_event_count(o->session);
	o->layouts = xcalloc(o->n_events ? o->n_events : 1, sizeof(*o->layouts));
	for (size_t i = 0; i < o->n_events; i++)
		o->layouts[i].fields = ctf_fields_of(session_event(o->session, i),
						     session_is_swapped(o->session),
						     &o->layouts[i].n);
}

static void write_metadata(struct ctf *o)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	ctf_add_trace(&out, &o->trace);
	for (size_t i = 0; i < o->n_events; i++)
		ctf_add_event(&out, (uint32_t)i, session_event(o->session, i));
	for (int i = 0; i < N_CTF_RECORDS && o->src->settings->all; i++)
		ctf_add_record(&out, (uint32_t)o->n_events + (uint32_t)i, (enum ctf_record)i);
	fwrite(out.chars, 1, out.length, o->src->out);
	o->counts.bytes += out.length;
}

static int ctf_on_begin(void *arg, struct consumer *c)
{
	struct ctf *o = arg;
	int r = 0;

	o->session = c->session;
	o->trace.features = session_features(c->session);
	if (o->src->settings->tod)
		r = ctf_find_wall_clock(o->trace.features, &o->trace.clock_offset_ns, o->diag);
	if (r < 0)
		return r;
	lay_out_events(o);
	write_metadata(o);
	return 0;
}

static void ctf_add_string(struct ctf *o, struct bytes *out, const char *s, size_t n)
{
	text_clear(&o->text);
	escape_not_utf8(&o->text, s, n);
	bytes_add(out, o->text.chars ? o->text.chars : "", o->text.length + 1);
}

static void ctf_add_number(struct bytes *out, bool is_wide, uint64_t v)
{
	if (is_wide)
		bytes_u64(out, v);
	else
		bytes_u32(out, (uint32_t)v);
}

/* Adds numbers. If a record ends too early, the rest is 0. */
static void ctf_add_numbers(struct bytes *out, const struct ctf_field *f, const struct sample *s)
{
	struct raw_span span = field_ref_bytes(&f->ref, s->raw, s->raw_size);

	for (uint32_t i = 0; i < f->count; i++) {
		uint64_t v = 0;

		if ((uint64_t)(i + 1) * f->bytes <= span.size)
			v = number_extend(raw_number(span.bytes + (size_t)i * f->bytes, f->bytes,
						     f->ref.swap),
					  f->bytes, f->is_signed);
		ctf_add_number(out, f->is_wide, v);
	}
}

static void ctf_add_field(struct ctf *o, struct bytes *out, const struct ctf_field *f,
			  const struct sample *s)
{
	struct raw_span span;
	const char *text;
	uint64_t v = 0;
	size_t n;

	switch (f->kind) {
	case CTF_NUMBER:
		field_ref_number(&f->ref, s->raw, s->raw_size, &v);
		ctf_add_number(out, f->is_wide, v);
		break;
	case CTF_NUMBERS:
		ctf_add_numbers(out, f, s);
		break;
	case CTF_STRING:
		n = field_ref_text(&f->ref, s->raw, s->raw_size, &text);
		ctf_add_string(o, out, text, n);
		break;
	case CTF_BYTES:
		span = field_ref_bytes(&f->ref, s->raw, s->raw_size);
		bytes_u32(out, span.size);
		bytes_add(out, span.bytes, span.size);
		break;
	}
}

static void ctf_add_chain(struct bytes *out, const struct words *chain)
{
	bytes_u32(out, (uint32_t)chain->n);
	for (size_t i = 0; i < chain->n; i++)
		bytes_u64(out, words_get(chain, i));
}

static void add_sample_field(struct bytes *out, enum ctf_sample_field f, const struct sample *s)
{
	switch (f) {
	case CTF_SAMPLE_IP:
		bytes_u64(out, s->ip);
		break;
	case CTF_SAMPLE_TID:
		bytes_u32(out, s->tid);
		bytes_u32(out, s->pid);
		break;
	case CTF_SAMPLE_ID:
		bytes_u64(out, s->id);
		break;
	case CTF_SAMPLE_STREAM_ID:
		bytes_u64(out, s->stream_id);
		break;
	case CTF_SAMPLE_PERIOD:
		bytes_u64(out, s->period);
		break;
	case CTF_SAMPLE_WEIGHT:
		bytes_u64(out, s->weight);
		break;
	case CTF_SAMPLE_DATA_SRC:
		bytes_u64(out, s->data_src);
		break;
	case CTF_SAMPLE_TRANSACTION:
		bytes_u64(out, s->transaction);
		break;
	default:
		ctf_add_chain(out, &s->chain);
	}
}

static void ctf_add_sample(struct ctf *o, const struct session_sample *ss)
{
	const struct session_event *e = ss->event;
	const struct ctf_layout *l = &o->layouts[e->index];
	uint32_t cpu = e->attr.sample_type & PERF_SAMPLE_CPU ? ss->sample->cpu : 0;
	struct bytes *out;

	/* A sum of waits has no time of its own and comes last. */
	if (ss->time != SAMPLE_TIME_SUM)
		o->last_time = ss->time;
	out = ctf_stream_event(&o->streams, cpu, o->last_time, (uint32_t)e->index);
	for (int i = 0; i < N_CTF_SAMPLE_FIELDS; i++)
		if (ctf_sample_has(e, (enum ctf_sample_field)i))
			add_sample_field(out, (enum ctf_sample_field)i, ss->sample);
	for (size_t i = 0; i < l->n; i++)
		ctf_add_field(o, out, &l->fields[i], ss->sample);
	o->counts.samples++;
}

static int ctf_on_samples(void *arg, const struct sample_batch *b)
{
	struct ctf *o = arg;

	for (size_t i = 0; i < b->n; i++)
		if (b->items[i].event->index < o->n_events)
			ctf_add_sample(o, &b->items[i]);
	return 0;
}

static void ctf_add_task(struct bytes *out, const struct record_task *t)
{
	bytes_u32(out, t->pid);
	bytes_u32(out, t->ppid);
	bytes_u32(out, t->tid);
	bytes_u32(out, t->ptid);
	bytes_u64(out, t->time);
}

static void add_mmap(struct ctf *o, struct bytes *out, const struct record_mmap *m)
{
	bytes_u32(out, m->pid);
	bytes_u32(out, m->tid);
	bytes_u64(out, m->addr);
	ctf_add_string(o, out, m->filename, strlen(m->filename));
}

static void tools_ctf_add_record(struct ctf *o, const struct record *r, uint64_t time)
{
	static const struct {
		uint32_t type;
		enum ctf_record event;
	} events[] = {
		{ PERF_RECORD_COMM, CTF_COMM },   { PERF_RECORD_EXIT, CTF_EXIT },
		{ PERF_RECORD_FORK, CTF_FORK },   { PERF_RECORD_MMAP, CTF_MMAP },
		{ PERF_RECORD_MMAP2, CTF_MMAP2 },
	};
	struct bytes *out;
	size_t i = 0;

	while (events[i].type != r->header.type)
		if (++i == ARRAY_SIZE(events))
			return;
	out = ctf_stream_event(&o->streams, r->id.cpu == UINT32_MAX ? 0 : r->id.cpu, time,
			       (uint32_t)(o->n_events + events[i].event));
	switch (events[i].event) {
	case CTF_COMM:
		bytes_u32(out, r->comm.pid);
		bytes_u32(out, r->comm.tid);
		ctf_add_string(o, out, r->comm.comm, strlen(r->comm.comm));
		break;
	case CTF_EXIT:
	case CTF_FORK:
		ctf_add_task(out, &r->task);
		break;
	default:
		add_mmap(o, out, &r->mmap);
	}
	o->counts.records++;
}

static int ctf_on_records(void *arg, const struct record_batch *b)
{
	struct ctf *o = arg;

	for (size_t i = 0; i < b->n; i++) {
		struct record r;

		if (session_decode_record(o->session, &b->items[i], &r) >= 0)
			tools_ctf_add_record(o, &r, b->items[i].time);
	}
	return 0;
}

static void ctf_done(struct ctf *o)
{
	for (size_t i = 0; i < o->n_events; i++)
		free(o->layouts[i].fields);
	free(o->layouts);
	ctf_streams_done(&o->streams);
	text_done(&o->text);
}

static int ctf_convert(const struct export_source *src, struct export_counts *ret,
		       struct diag *diag)
{
	_cleanup_(ctf_done) struct ctf o = { .src = src, .text = TEXT_EMPTY, .diag = diag };
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.filter = src->profile->filter,
		.begin = ctf_on_begin,
		.samples = ctf_on_samples,
		.types = src->settings->all ? RECORD_TYPE_BIT(PERF_RECORD_COMM) |
						      RECORD_TYPE_BIT(PERF_RECORD_EXIT) |
						      RECORD_TYPE_BIT(PERF_RECORD_FORK) |
						      RECORD_TYPE_BIT(PERF_RECORD_MMAP) |
						      RECORD_TYPE_BIT(PERF_RECORD_MMAP2)
					    : 0,
		.records = src->settings->all ? ctf_on_records : NULL,
		.arg = &o,
	};
	int r;

	make_uuid(o.trace.uuid);
	make_uuid(o.trace.clock_uuid);
	o.streams = (struct ctf_streams){ .path = src->path, .uuid = o.trace.uuid };
	r = session_feed(src->profile->session, NULL, &consumer, diag);
	if (r < 0)
		return r;
	r = ctf_streams_end(&o.streams);
	if (r < 0)
		return diag_set(diag, -EPIPE, "cannot write '%s': %s", o.streams.failed,
				strerror(-r));
	o.counts.bytes += o.streams.n_bytes;
	*ret = o.counts;
	return 0;
}

/* Makes the folder, and those above it. */
static int ctf_make_folder(const char *path, struct diag *diag)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	int r = file_place_find(path, FILE_PLACE_FOLLOW | FILE_PLACE_MAKE_FOLDERS, &p, diag);
	struct stat st;

	if (r < 0)
		return r;
	if (mkdirat(p.folder, p.name, 0750) < 0 && errno != EEXIST)
		return diag_set(diag, -errno, "cannot make the folder '%s': %s", path,
				strerror(errno));
	if (fstatat(p.folder, p.name, &st, 0) < 0 || !S_ISDIR(st.st_mode))
		return diag_set(diag, -ENOTDIR, "cannot make the folder '%s': a file is there",
				path);
	return 0;
}

/* Removes old streams, because those of another trace would be taken for parts of this one. */
static int remove_streams(const char *path, struct diag *diag)
{
	_cleanup_(closedirp) DIR *dir = opendir(path);
	struct dirent *d;

	while (dir && (d = readdir(dir))) {
		_cleanup_(freep) char *old = NULL;

		if (strncmp(d->d_name, "perf_stream_", 12) != 0)
			continue;
		old = xasprintf("%s/%s", path, d->d_name);
		if (output_file_remove(old) < 0)
			return diag_set(diag, -EPIPE,
					"cannot remove '%s', which is of another trace", old);
	}
	return 0;
}

static int open_metadata(const char *path, FILE **ret, struct diag *diag)
{
	_cleanup_(freep) char *metadata = xasprintf("%s/metadata", path);
	int fd, r = ctf_make_folder(path, diag);

	if (r >= 0)
		r = remove_streams(path, diag);
	if (r < 0)
		return r;
	fd = output_file_open(metadata, OUTPUT_TRUNCATE, 0640, diag);
	if (fd < 0)
		return fd;
	*ret = fdopen(fd, "w");
	return *ret ? 0
		    : diag_set(diag, -errno, "cannot write '%s': %s", metadata, strerror(errno));
}

const struct export_format export_ctf = {
	.word = "ctf",
	.title = "CTF data",
	.needs_path = true,
	.by_function = true,
	.has_records = true,
	.has_wall_clock = true,
	.open = open_metadata,
	.convert = ctf_convert,
};
