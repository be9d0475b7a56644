/* SPDX-License-Identifier: MIT */
/*
 * The frame that all records share: header, payload by type, and, after the payload of the kernel's
 * own records, the trailer of attr.sample_id_all:
 *
 *	u32 pid, tid (TID) · u64 time · u64 id (ID) · u64 stream_id · u32 cpu, 0 (CPU)
 *	· u64 id (IDENTIFIER)
 *
 * Each field is present if sample_type has its bit. The trailer is found from the record's end.
 */
#include "wire/record.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "wire/record-codec.h"

#define TRAILER_FIELDS                                                                             \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |             \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

static const struct record_kind {
	const char *name; /* NULL: an unused number */
	record_take_fn *take;
	record_put_fn *put;
} kinds[PERF_RECORD_USER_MAX] = {
#define RECORD(type, payload)                                                                      \
	[PERF_RECORD_##                                                                            \
		type] = { "PERF_RECORD_" #type, record_take_##payload, record_put_##payload },
#define RECORD_NAMED(type) [PERF_RECORD_##type] = { .name = "PERF_RECORD_" #type },
#include "wire/record-types.def"
#undef RECORD
#undef RECORD_NAMED
};

static const struct record_kind *kind_find(uint32_t type)
{
	return type < ARRAY_SIZE(kinds) && kinds[type].name ? &kinds[type] : NULL;
}

const char *record_type_name(uint32_t type)
{
	const struct record_kind *kind = kind_find(type);

	return kind ? kind->name : NULL;
}

int record_header_decode(const void *bytes, size_t size, bool swap, struct record_header *ret)
{
	struct cursor c = cursor_over(bytes, size, swap);
	struct record_header h = {
		.type = cursor_u32(&c),
		.misc = cursor_u16(&c),
		.size = cursor_u16(&c),
	};

	if (c.bad || h.size < RECORD_HEADER_SIZE)
		return -EBADMSG;
	*ret = h;
	return 0;
}

size_t record_trailer_size(const struct attr *attr)
{
	if (!attr || !attr->sample_id_all)
		return 0;
	return sizeof(uint64_t) * (size_t)__builtin_popcountll(attr->sample_type & TRAILER_FIELDS);
}

static void trailer_take(struct cursor *c, const struct attr *attr, struct sample_id *ret)
{
	uint64_t fields = record_trailer_size(attr) ? attr->sample_type : 0;
	struct sample_id id = { .cpu = UINT32_MAX };

	if (fields & PERF_SAMPLE_TID) {
		id.pid = cursor_u32(c);
		id.tid = cursor_u32(c);
	}
	if (fields & PERF_SAMPLE_TIME)
		id.time = cursor_u64(c);
	if (fields & PERF_SAMPLE_ID)
		id.id = cursor_u64(c);
	if (fields & PERF_SAMPLE_STREAM_ID)
		id.stream_id = cursor_u64(c);
	if (fields & PERF_SAMPLE_CPU) {
		id.cpu = cursor_u32(c);
		cursor_u32(c);
	}
	if (fields & PERF_SAMPLE_IDENTIFIER)
		id.id = cursor_u64(c);
	*ret = id;
}

static void trailer_put(const struct sample_id *id, const struct attr *attr, struct bytes *out)
{
	uint64_t fields = record_trailer_size(attr) ? attr->sample_type : 0;

	if (fields & PERF_SAMPLE_TID) {
		bytes_u32(out, id->pid);
		bytes_u32(out, id->tid);
	}
	if (fields & PERF_SAMPLE_TIME)
		bytes_u64(out, id->time);
	if (fields & PERF_SAMPLE_ID)
		bytes_u64(out, id->id);
	if (fields & PERF_SAMPLE_STREAM_ID)
		bytes_u64(out, id->stream_id);
	if (fields & PERF_SAMPLE_CPU) {
		bytes_u32(out, id->cpu);
		bytes_u32(out, 0);
	}
	if (fields & PERF_SAMPLE_IDENTIFIER)
		bytes_u64(out, id->id);
}

bool record_trailer(const void *bytes, size_t size, bool swap, const struct attr *attr,
		    struct sample_id *ret)
{
	size_t length = record_trailer_size(attr);
	struct cursor c;

	if (size < RECORD_HEADER_SIZE + length)
		return false;
	c = cursor_over((const uint8_t *)bytes + size - length, length, swap);
	trailer_take(&c, attr, ret);
	return true;
}

static bool has_trailer(uint32_t type)
{
	return type < PERF_RECORD_USER_FIRST && type != PERF_RECORD_SAMPLE;
}

int record_decode(const void *bytes, size_t size, bool swap, const struct attr *attr,
		  struct record *ret)
{
	struct record r = { 0 };
	const struct record_kind *kind;
	size_t payload;
	struct cursor c;

	if (record_header_decode(bytes, size, swap, &r.header) < 0 || r.header.size > size)
		return -EBADMSG;

	payload = r.header.size - RECORD_HEADER_SIZE;
	if (has_trailer(r.header.type)) {
		if (!record_trailer(bytes, r.header.size, swap, attr, &r.id))
			return -EBADMSG;
		payload -= record_trailer_size(attr);
	}

	kind = kind_find(r.header.type);
	if (kind && kind->take) {
		c = cursor_over((const uint8_t *)bytes + RECORD_HEADER_SIZE, payload, swap);
		kind->take(&c, attr, &r);
		if (c.bad)
			return -EBADMSG;
	}
	*ret = r;
	return 0;
}

int record_encode(const struct record *r, const struct attr *attr, struct bytes *out)
{
	const struct record_kind *kind = kind_find(r->header.type);
	struct record_header h = { .type = r->header.type, .misc = r->header.misc };
	size_t start = out->n, size;

	if (!kind || !kind->put)
		return -EINVAL;

	bytes_zero(out, RECORD_HEADER_SIZE);
	kind->put(r, out);
	if (has_trailer(h.type))
		trailer_put(&r->id, attr, out);

	size = out->n - start;
	if (size > UINT16_MAX) {
		out->n = start;
		return -EMSGSIZE;
	}
	h.size = (uint16_t)size;
	memcpy(out->data + start, &h, sizeof(h));
	return 0;
}

void record_take_nothing(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)c;
	(void)attr;
	(void)r;
}

void record_put_nothing(const struct record *r, struct bytes *out)
{
	(void)r;
	(void)out;
}
