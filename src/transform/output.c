/* SPDX-License-Identifier: MIT */
#include "transform/output.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/memory.h"
#include "datafile/writer.h"
#include "elf/build-id.h"
#include "transform/known-build-ids.h"
#include "transform/transform.h"

/* The amount of data that is collected before it is written. */
#define BUFFER_SIZE (1u << 20)

struct output {
	struct transform transform;
	const struct session *session;
	struct writer *writer;
	const struct transform *first;
	struct diag *diag;
	bool begun;
	size_t n_events, n_decoded; /* the numbers at the beginning */
	struct bytes buffer;
	struct new_features features;
};

static struct output *output_of(struct transform *t)
{
	return (struct output *)((char *)t - offsetof(struct output, transform));
}

static int output_flush(struct output *o)
{
	int r = o->buffer.n ? writer_write(o->writer, 0, o->buffer.data, o->buffer.n) : 0;

	o->buffer.n = 0;
	return r < 0 ? writer_explain(o->writer, r, o->diag) : 0;
}

/* Writes the list of images with samples as records, because a stream has no other place for it. */
static void write_build_ids(struct output *o)
{
	const struct features *f = &o->features.all;

	for (size_t i = 0; i < f->build_ids.n; i++) {
		const struct build_id_entry *e = &f->build_ids.items[i];
		struct record r = {
			.header = { .type = PERF_RECORD_HEADER_BUILD_ID, .misc = e->misc },
			.build_id = { e->pid, e->build_id, e->filename, e->file },
		};

		(void)record_encode(&r, NULL, &o->buffer);
	}
}

static void fill_features(struct output *o)
{
	new_features_fill(&o->features, datafile_features(session_datafile(o->session)), o->first);
	new_features_decoded(&o->features, o->session);
}

/* Appends the events whose samples are decoded from hardware traces to @ret. */
static size_t decoded_events(const struct session *s, struct file_event *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < session_event_count(s); i++) {
		const struct session_event *e = session_event(s, i);

		if (e->decoded)
			ret[n++] = (struct file_event){ .attr = e->attr,
							.ids = (uint64_t *)e->ids,
							.n_ids = e->n_ids };
	}
	return n;
}

static size_t decoded_count(const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < session_event_count(s); i++)
		n += session_event(s, i)->decoded;
	return n;
}

static int output_begin(struct output *o)
{
	const struct datafile *df = session_datafile(o->session);
	size_t n = datafile_event_count(df);
	_cleanup_(freep) struct file_event *events =
		xcalloc(n + session_event_count(o->session) + 1, sizeof(*events));
	int r;

	for (size_t i = 0; i < n; i++) {
		events[i] = *datafile_event(df, i);
		transform_attr(o->first, &events[i].attr);
	}
	o->n_events = n;
	o->n_decoded = decoded_events(o->session, &events[n]);
	n += o->n_decoded;
	fill_features(o);
	r = writer_begin(o->writer, events, n, &o->features.all, o->diag);
	o->begun = true;
	if (r >= 0 && writer_is_stream(o->writer) && !datafile_is_pipe(df))
		write_build_ids(o);
	return r;
}

/*
 * True for records at the beginning of a stream whose contents the new file or stream already has
 * at its beginning.
 */
static bool is_beginning(uint32_t type)
{
	return type == PERF_RECORD_HEADER_ATTR || type == PERF_RECORD_HEADER_FEATURE ||
	       type == PERF_RECORD_HEADER_TRACING_DATA;
}

/*
 * True for records about the compression of the old file, or its features while it was being
 * written (the second: see datafile/feature-table.h), which are meaningless in the new one.
 */
static bool is_of_old_file(const struct raw_record *raw)
{
	struct record r;

	switch (raw->header.type) {
	case PERF_RECORD_COMPRESSED:
	case PERF_RECORD_COMPRESSED2:
		return true;
	case PERF_RECORD_HEADER_EVENT_TYPE:
		return record_decode(raw->bytes, raw->header.size, false, NULL, &r) >= 0 &&
		       r.event_type.event_id == UINT64_MAX;
	default:
		return false;
	}
}

/* Learns a build-id: the table at the end of a file contains all build-ids that come as records. */
static void output_learn_build_id(struct output *o, const struct raw_record *raw)
{
	struct record r;

	if (record_decode(raw->bytes, raw->header.size, false, NULL, &r) >= 0)
		new_features_build_id(&o->features, &(struct build_id_entry){
							    .misc = raw->header.misc,
							    .pid = r.build_id.pid,
							    .build_id = r.build_id.build_id,
							    .filename = (char *)r.build_id.filename,
							    .file = r.build_id.file,
						    });
}

static int output_put(struct output *o, const struct raw_record *raw)
{
	uint64_t at = writer_offset(o->writer) + o->buffer.n;

	if (raw->header.type == PERF_RECORD_AUXTRACE)
		new_features_auxtrace(&o->features, at, raw->header.size + raw->payload_size);
	bytes_add(&o->buffer, raw->bytes, raw->header.size);
	if (raw->payload)
		bytes_add(&o->buffer, raw->payload, raw->payload_size);

	/* A reader of the stream may be waiting for the end of the round. */
	if (o->buffer.n >= BUFFER_SIZE ||
	    (raw->header.type == PERF_RECORD_FINISHED_ROUND && writer_is_stream(o->writer)))
		return output_flush(o);
	return 0;
}

/*
 * True if a record of a stream waits in the buffer until the beginning is written, because perf's
 * own records before the first one of the kernel may still add events.
 */
static bool waits_for_events(const struct output *o, uint32_t type)
{
	return session_is_stream(o->session) && type >= PERF_RECORD_USER_FIRST &&
	       type != PERF_RECORD_AUXTRACE && type != PERF_RECORD_FINISHED_ROUND &&
	       o->buffer.n < BUFFER_SIZE / 2;
}

static int output_take(struct transform *t, const struct delivered *d)
{
	struct output *o = output_of(t);
	bool stream = session_is_stream(o->session);
	int r = 0;

	if (is_of_old_file(&d->raw))
		return 0;
	/* Features that come late in a stream are written to the table at the end of a file. */
	if (stream && is_beginning(d->raw.header.type) &&
	    (!o->begun || !writer_is_stream(o->writer)))
		return 0;
	if (!o->begun && !waits_for_events(o, d->raw.header.type))
		r = output_begin(o);
	if (d->raw.header.type == PERF_RECORD_HEADER_BUILD_ID)
		output_learn_build_id(o, &d->raw);
	return r < 0 ? r : output_put(o, &d->raw);
}

/* Fills in the times. The time of the last sample is not known at the beginning of a stream. */
static void fill_times(struct output *o)
{
	const struct session_counts *c = session_counts(o->session);

	if (!session_is_stream(o->session) || !c->last_time)
		return;
	o->features.all.sample_time.first = c->first_time;
	o->features.all.sample_time.last = c->last_time;
	features_mark(&o->features.all, FEATURE_SAMPLE_TIME);
}

static int output_end(struct transform *t)
{
	struct output *o = output_of(t);
	const struct datafile *df = session_datafile(o->session);
	int r = o->begun ? 0 : output_begin(o);

	if (r >= 0)
		r = output_flush(o);
	if (r < 0)
		return r;
	if (!writer_is_stream(o->writer) && datafile_event_count(df) > o->n_events)
		return diag_set(o->diag, -EOPNOTSUPP,
				"the stream tells of events after its first records, which a file "
				"cannot: write a stream, too (-o -)");
	if (decoded_count(o->session) > o->n_decoded)
		return diag_set(o->diag, -EOPNOTSUPP,
				"the stream tells of its hardware traces after its first records: "
				"the samples that were decoded have no events in the new profile");
	fill_features(o);
	fill_times(o);
	return writer_finish(o->writer, &o->features.all, o->diag);
}

static const struct transform_kind kind = { .take = output_take, .end = output_end };

struct output *output_new(const struct session *s, struct writer *w,
			  const struct known_build_ids *known, struct diag *diag)
{
	struct output *o = xcalloc(1, sizeof(*o));

	o->transform.kind = &kind;
	o->session = s;
	o->writer = w;
	o->features.known = known;
	o->diag = diag;
	return o;
}

void output_free(struct output *o)
{
	if (!o)
		return;
	new_features_done(&o->features);
	bytes_done(&o->buffer);
	free(o);
}

struct transform *output_close_chain(struct output *o, struct transform *first)
{
	struct transform **last = &first;

	while (*last)
		last = &(*last)->next;
	*last = &o->transform;
	o->first = first;
	return first;
}

void new_features_done(struct new_features *n)
{
	for (size_t i = 0; i < n->own.build_ids.n; i++)
		free(n->own.build_ids.items[i].filename);
	free(n->own.build_ids.items);
	free(n->own.event_descs.items);
	free(n->own.auxtrace.index.items);
	*n = (struct new_features){ 0 };
}

void new_features_build_id(struct new_features *n, const struct build_id_entry *e)
{
	struct build_id_entry *copy;

	for (size_t i = 0; i < n->own.build_ids.n; i++) {
		const struct build_id_entry *known = &n->own.build_ids.items[i];

		if (build_id_equal(&known->build_id, &e->build_id) &&
		    !strcmp(known->filename, e->filename))
			return;
	}
	copy = ARRAY_ADD(&n->own.build_ids);
	*copy = *e;
	copy->filename = xstrdup(e->filename);
}

void new_features_auxtrace(struct new_features *n, uint64_t offset, uint64_t size)
{
	__typeof__(n->own.auxtrace.index.items) at = ARRAY_ADD(&n->own.auxtrace.index);

	at->file_offset = offset;
	at->size = size;
}

static void fill_build_ids(struct new_features *n, const struct features *old)
{
	for (size_t i = 0; i < old->build_ids.n; i++) {
		struct build_id_entry e = old->build_ids.items[i];
		const struct build_id *known = n->known ? known_build_ids_find(n->known, e.filename)
							: NULL;

		e.build_id = known ? *known : e.build_id;
		new_features_build_id(n, &e);
	}
}

static void fill_event_descs(struct new_features *n, const struct features *old,
			     const struct transform *first)
{
	n->own.event_descs.n = 0;
	for (size_t i = 0; i < old->event_descs.n; i++) {
		struct event_desc *desc = ARRAY_ADD(&n->own.event_descs);

		*desc = old->event_descs.items[i];
		transform_attr(first, &desc->attr);
	}
	n->all.event_descs = n->own.event_descs;
}

static void new_features_set(struct features *f, unsigned id, bool there)
{
	if (there)
		features_mark(f, id);
	else
		features_drop(f, id);
}

static void new_features_add_event(struct new_features *n, const struct session_event *e)
{
	*ARRAY_ADD(&n->own.event_descs) = (struct event_desc){
		.attr = e->attr, .name = e->name, .ids = (uint64_t *)e->ids, .n_ids = e->n_ids
	};
}

void new_features_decoded(struct new_features *n, const struct session *s)
{
	size_t total = session_event_count(s), recorded = 0;

	while (recorded < total && !session_event(s, recorded)->decoded)
		recorded++;
	if (recorded == total)
		return;
	/* One list contains all events. */
	for (size_t i = n->own.event_descs.n; i < recorded; i++)
		new_features_add_event(n, session_event(s, i));
	for (size_t i = recorded; i < total; i++)
		if (session_event(s, i)->decoded)
			new_features_add_event(n, session_event(s, i));
	n->all.event_descs = n->own.event_descs;
	features_mark(&n->all, FEATURE_EVENT_DESC);
}

void new_features_fill(struct new_features *n, const struct features *old,
		       const struct transform *first)
{
	fill_build_ids(n, old);
	n->all = *old;
	fill_event_descs(n, old, first);
	n->all.build_ids = n->own.build_ids;
	n->all.auxtrace = n->own.auxtrace;
	new_features_set(&n->all, FEATURE_BUILD_ID, n->own.build_ids.n);
	new_features_set(&n->all, FEATURE_AUXTRACE, n->own.auxtrace.index.n);
	/* All records are uncompressed and in one file. */
	features_drop(&n->all, FEATURE_COMPRESSED);
	features_drop(&n->all, FEATURE_DIR_FORMAT);
}
