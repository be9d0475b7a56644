/* SPDX-License-Identifier: MIT */
#include "datafile/writer-sections.h"

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "datafile/feature-table.h"
#include "wire/attr-codec.h"

/* The id of the record that ends the features of a stream: the first one that 6.1 does not know. */
#define STREAM_FEATURES_END 32

static uint32_t writer_sections_attr_size_of(const struct file_event *events, size_t n)
{
	uint32_t size = ATTR_SIZE_WRITTEN;

	for (size_t i = 0; i < n; i++) {
		uint32_t needed = attr_size_needed(&events[i].attr);

		size = needed > size ? needed : size;
	}
	return size;
}

/* Returns the FNV-1a hash of @n bytes. */
static uint64_t writer_sections_hash_of(const uint8_t *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void u64_set(struct bytes *b, size_t at, uint64_t v)
{
	memcpy(b->data + at, &v, sizeof(v));
}

/*
 * Appends the features of @f as bytes one after the other, and their places in @out; sizes of
 * others stay.
 */
static void payload_put(struct bytes *out, const struct features *f, unsigned id,
			struct file_section *ret, uint64_t *ret_hash)
{
	ret->offset = out->n;
	features_encode(f, id, out);
	ret->size = out->n - ret->offset;
	*ret_hash = writer_sections_hash_of(out->data + ret->offset, ret->size);
}

static void early_put(struct bytes *out, const struct features *early, struct early_features *ret)
{
	for (unsigned id = 1; id < FEATURE_MAX; id++)
		if (features_have(early, id))
			payload_put(out, early, id, &ret->of[id].where, &ret->of[id].hash);
	bytes_pad(out, 0, 8);
}

static unsigned early_count(const struct early_features *early)
{
	unsigned n = 0;

	for (unsigned id = 1; id < FEATURE_MAX; id++)
		n += early->of[id].where.offset != 0;
	return n;
}

void checkpoint_put(struct bytes *out, const struct early_features *early)
{
	bytes_u32(out, PERF_RECORD_HEADER_EVENT_TYPE);
	bytes_u16(out, 0);
	bytes_u16(out, (uint16_t)((1 + early_count(early)) * FEATURE_SLOT_SIZE));
	/*
	 * In a record there is first the config of the event that is named. No event has this one.
	 */
	bytes_u64(out, UINT64_MAX);
	for (unsigned id = 1; id < FEATURE_MAX; id++) {
		if (!early->of[id].where.offset)
			continue;
		bytes_u64(out, early->of[id].where.offset);
		bytes_u64(out, early->of[id].where.size);
	}
}

static void bit_set(uint64_t *bits, unsigned id)
{
	bits[id / 64] |= UINT64_C(1) << (id % 64);
}

void file_prologue_put(struct bytes *out, struct file_header *h, const struct file_event *events,
		       size_t n, const struct features *early, struct early_features *ret)
{
	_cleanup_(bytes_done) struct bytes header = { 0 };
	uint32_t attr_size = writer_sections_attr_size_of(events, n);
	uint64_t ids = FILE_HEADER_SIZE;

	bytes_zero(out, FILE_HEADER_SIZE);
	for (size_t i = 0; i < n; i++)
		bytes_add(out, events[i].ids, events[i].n_ids * sizeof(uint64_t));
	h->attr_size = attr_size + ATTR_IDS_SIZE;
	h->attrs.offset = out->n;
	h->attrs.size = n * h->attr_size;
	for (size_t i = 0; i < n; i++) {
		struct attr attr = events[i].attr;

		attr.size = attr_size;
		bytes_add(out, &attr, attr_size);
		bytes_u64(out, ids);
		bytes_u64(out, events[i].n_ids * sizeof(uint64_t));
		ids += events[i].n_ids * sizeof(uint64_t);
	}
	early_put(out, early, ret);
	h->data.offset = out->n;
	bit_set(h->features, FEATURE_CHECKPOINT);
	for (unsigned id = 1; id < FEATURE_MAX; id++)
		if (ret->of[id].where.offset)
			bit_set(h->features, id);
	file_header_encode(h, &header);
	memcpy(out->data, header.data, header.n);
}

/*
 * True if a stream contains the feature. Features with records of their own, and those that perf
 * 6.1 does not send, are left out.
 */
static bool stream_has(unsigned id)
{
	switch (id) {
	case FEATURE_TRACING_DATA:
	case FEATURE_BUILD_ID:
	case FEATURE_BRANCH_STACK:
	case FEATURE_AUXTRACE:
	case FEATURE_STAT:
	case FEATURE_CACHE:
	case FEATURE_DIR_FORMAT:
		return false;
	default:
		return true;
	}
}

static void feature_record_put(struct bytes *out, const struct features *f, unsigned id)
{
	_cleanup_(bytes_done) struct bytes payload = { 0 };
	struct record r = { .header.type = PERF_RECORD_HEADER_FEATURE, .feature.id = id };

	features_encode(f, id, &payload);
	/* An empty record would end the features. */
	if (!payload.n)
		return;
	r.feature.payload = payload.data;
	r.feature.size = payload.n;
	(void)record_encode(&r, NULL, out);
}

static void tracing_data_record_put(struct bytes *out, const struct bytes *blob)
{
	struct record r = { .header.type = PERF_RECORD_HEADER_TRACING_DATA };
	size_t from;

	r.tracing_data.size = (uint32_t)((blob->n + 7) / 8 * 8);
	(void)record_encode(&r, NULL, out);
	from = out->n;
	bytes_add(out, blob->data, blob->n);
	bytes_pad(out, from, 8);
}

static int event_record_put(struct bytes *out, const struct file_event *e, uint32_t attr_size)
{
	struct record r = { .header.type = PERF_RECORD_HEADER_ATTR };

	r.attr.attr = e->attr;
	r.attr.attr.size = attr_size;
	r.attr.ids = (struct words){ .bytes = (const uint8_t *)e->ids, .n = e->n_ids };
	return record_encode(&r, NULL, out);
}

int stream_prologue_put(struct bytes *out, const struct file_event *events, size_t n,
			const struct features *early)
{
	struct file_header h = { .is_stream = true };
	struct record end = { .header.type = PERF_RECORD_HEADER_FEATURE,
			      .feature.id = STREAM_FEATURES_END };
	uint32_t attr_size = writer_sections_attr_size_of(events, n);

	file_header_encode(&h, out);
	for (size_t i = 0; i < n; i++) {
		int r = event_record_put(out, &events[i], attr_size);

		if (r < 0)
			return r;
	}
	for (unsigned id = 0; id < FEATURE_MAX; id++)
		if (features_have(early, id) && stream_has(id))
			feature_record_put(out, early, id);
	(void)record_encode(&end, NULL, out);
	if (features_have(early, FEATURE_TRACING_DATA))
		tracing_data_record_put(out, &early->tracing_data);
	return 0;
}

void feature_table_put(struct bytes *out, uint64_t at, const struct features *f,
		       const struct early_features *early, uint64_t *ret_bits)
{
	uint64_t slots = 0;
	size_t slot = out->n;

	memset(ret_bits, 0, FEATURE_MAX / 64 * sizeof(*ret_bits));
	for (unsigned id = 1; id < FEATURE_MAX; id++) {
		if (!features_have(f, id) && !early->of[id].where.offset)
			continue;
		bit_set(ret_bits, id);
		slots++;
	}
	bytes_zero(out, slots * FEATURE_SLOT_SIZE);
	for (unsigned id = 0; id < FEATURE_MAX; id++) {
		struct file_section where = { 0 };
		uint64_t hash = 0;
		size_t mark = out->n;

		if (!(ret_bits[id / 64] >> (id % 64) & 1))
			continue;
		if (features_have(f, id))
			payload_put(out, f, id, &where, &hash);
		if (!features_have(f, id) ||
		    (where.size == early->of[id].where.size && hash == early->of[id].hash)) {
			out->n = mark;
			where = early->of[id].where;
		} else {
			where.offset += at;
		}
		u64_set(out, slot, where.offset);
		u64_set(out, slot + 8, where.size);
		slot += FEATURE_SLOT_SIZE;
	}
}
