/* SPDX-License-Identifier: MIT */
/*
 * Records that contain in a pipe the data that a file has in its sections (attrs, features, tracing
 * data, build-ids), and compressed data.
 */
#include <string.h>

#include "wire/attr-codec.h"
#include "wire/file-id-tail.h"
#include "wire/record-codec.h"

#define EVENT_NAME_SIZE 64

void record_take_attr(struct cursor *c, const struct attr *attr, struct record *r)
{
	bool unknown;

	(void)attr;
	if (attr_decode(c->at, cursor_left(c), c->swap, &r->attr.attr, &unknown) < 0) {
		c->bad = true;
		return;
	}
	cursor_bytes(c, r->attr.attr.size ? r->attr.attr.size : ATTR_SIZE_MIN);
	r->attr.ids = words_take(c, cursor_left(c) / sizeof(uint64_t));
}

/*
 * Puts the attr in the size that its size field has, unless our struct is smaller or its fields
 * need more.
 */
void record_put_attr(const struct record *r, struct bytes *out)
{
	struct attr attr = r->attr.attr;
	uint32_t needed = attr_size_needed(&attr);

	if (attr.size < needed || attr.size > sizeof(attr))
		attr.size = needed;
	bytes_add(out, &attr, attr.size);
	words_put(&r->attr.ids, out);
}

void record_take_event_type(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->event_type.event_id = cursor_u64(c);
	r->event_type.name = cursor_string(c);
}

void record_put_event_type(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->event_type.event_id);
	bytes_string(out, r->event_type.name, EVENT_NAME_SIZE);
}

/* Takes 12 or 16 bytes, depending on the version of the writer. */
void record_take_tracing_data(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->tracing_data.size = cursor_u32(c);
}

void record_put_tracing_data(const struct record *r, struct bytes *out)
{
	bytes_u32(out, r->tracing_data.size);
	bytes_u32(out, 0);
}

/*
 * s32 pid; u8 build_id[20]; u8 size; u8 0[3]; filename. Without MISC_BUILD_ID_SIZE the size has no
 * meaning and the id has 20 bytes.
 */
void record_take_build_id(struct cursor *c, const struct attr *attr, struct record *r)
{
	bool sized = r->header.misc & PERF_RECORD_MISC_BUILD_ID_SIZE;
	const uint8_t *p;
	uint8_t size;

	(void)attr;
	r->build_id.pid = (int32_t)cursor_u32(c);
	p = cursor_bytes(c, RECORD_BUILD_ID_SIZE);
	size = cursor_u8(c);
	cursor_bytes(c, 3);
	r->build_id.file = file_id_tail_get(c);
	r->build_id.filename = cursor_string(c);
	if (!p || (sized && size > RECORD_BUILD_ID_SIZE)) {
		c->bad = true;
		return;
	}
	memcpy(r->build_id.build_id.bytes, p, RECORD_BUILD_ID_SIZE);
	r->build_id.build_id.size = sized ? size : RECORD_BUILD_ID_SIZE;
}

void record_put_build_id(const struct record *r, struct bytes *out)
{
	bytes_u32(out, (uint32_t)r->build_id.pid);
	bytes_add(out, r->build_id.build_id.bytes, RECORD_BUILD_ID_SIZE);
	bytes_u8(out, r->build_id.build_id.size);
	bytes_zero(out, 3);
	bytes_string(out, r->build_id.filename, 8);
	file_id_tail_put(&r->build_id.file, out);
}

void record_take_feature(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->feature.id = cursor_u64(c);
	r->feature.size = cursor_left(c);
	r->feature.payload = cursor_bytes(c, r->feature.size);
}

void record_put_feature(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->feature.id);
	bytes_add(out, r->feature.payload, r->feature.size);
}

void record_take_compressed(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->compressed.size = cursor_left(c);
	r->compressed.data = cursor_bytes(c, r->compressed.size);
}

void record_put_compressed(const struct record *r, struct bytes *out)
{
	bytes_add(out, r->compressed.data, r->compressed.size);
}

/* u64 size; bytes[size]; padding to 8 */
void record_take_compressed2(struct cursor *c, const struct attr *attr, struct record *r)
{
	uint64_t size = cursor_u64(c);

	(void)attr;
	r->compressed.data = cursor_bytes(c, size);
	r->compressed.size = r->compressed.data ? size : 0;
}

void record_put_compressed2(const struct record *r, struct bytes *out)
{
	size_t start = out->n;

	bytes_u64(out, r->compressed.size);
	bytes_add(out, r->compressed.data, r->compressed.size);
	bytes_pad(out, start, 8);
}
