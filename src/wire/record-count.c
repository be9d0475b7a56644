/* SPDX-License-Identifier: MIT */
/*
 * Counts, and losses: READ, LOST, LOST_SAMPLES, THROTTLE.
 *
 * The layout of a count by read_format is
 *	a group:  u64 nr; [enabled]; [running]; { value; [id]; [lost]; }[nr]
 *	an event: u64 value; [enabled]; [running]; [id]; [lost]
 */
#include "wire/record-codec.h"

static size_t record_count_words_each(uint64_t read_format)
{
	return 1 + !!(read_format & PERF_FORMAT_ID) + !!(read_format & PERF_FORMAT_LOST);
}

static void times_take(struct cursor *c, struct record_read *r)
{
	if (r->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		r->enabled = cursor_u64(c);
	if (r->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		r->running = cursor_u64(c);
}

/*
 * Takes the count of a single event. Its words are not contiguous: values starts at its value and
 * includes all of them.
 */
static void read_take_one(struct cursor *c, struct record_read *r)
{
	const uint8_t *start = c->at;

	cursor_u64(c);
	times_take(c, r);
	words_take(c, record_count_words_each(r->read_format) - 1);
	r->n = 1;
	r->values = (struct words){
		.bytes = start,
		.n = (size_t)(c->at - start) / sizeof(uint64_t),
		.swap = c->swap,
	};
}

static void read_take_group(struct cursor *c, struct record_read *r)
{
	size_t each = record_count_words_each(r->read_format);
	uint64_t nr = cursor_u64(c);

	times_take(c, r);
	r->values = words_take(c, nr > UINT16_MAX ? UINT64_MAX : nr * each);
	r->n = r->values.n / each;
}

void read_take(struct cursor *c, uint64_t read_format, struct record_read *ret)
{
	ret->read_format = read_format;
	if (read_format & PERF_FORMAT_GROUP)
		read_take_group(c, ret);
	else
		read_take_one(c, ret);
}

void read_put(const struct record_read *r, struct bytes *out)
{
	if (r->read_format & PERF_FORMAT_GROUP) {
		bytes_u64(out, r->n);
		if (r->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			bytes_u64(out, r->enabled);
		if (r->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			bytes_u64(out, r->running);
	}
	words_put(&r->values, out);
}

struct read_value record_read_value(const struct record_read *r, size_t i)
{
	bool group = r->read_format & PERF_FORMAT_GROUP;
	size_t at = group ? i * record_count_words_each(r->read_format) : 0;
	struct read_value v = { .value = words_get(&r->values, at++) };

	if (!group)
		at += !!(r->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		      !!(r->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	if (r->read_format & PERF_FORMAT_ID)
		v.id = words_get(&r->values, at++);
	if (r->read_format & PERF_FORMAT_LOST)
		v.lost = words_get(&r->values, at);
	return v;
}

void record_take_read(struct cursor *c, const struct attr *attr, struct record *r)
{
	r->read.pid = cursor_u32(c);
	r->read.tid = cursor_u32(c);
	read_take(c, attr ? attr->read_format : 0, &r->read);
}

void record_put_read(const struct record *r, struct bytes *out)
{
	bytes_u32(out, r->read.pid);
	bytes_u32(out, r->read.tid);
	read_put(&r->read, out);
}

void record_take_lost(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->lost.id = cursor_u64(c);
	r->lost.lost = cursor_u64(c);
}

void record_put_lost(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->lost.id);
	bytes_u64(out, r->lost.lost);
}

void record_take_lost_samples(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->lost.lost = cursor_u64(c);
}

void record_put_lost_samples(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->lost.lost);
}

void record_take_throttle(struct cursor *c, const struct attr *attr, struct record *r)
{
	(void)attr;
	r->throttle.time = cursor_u64(c);
	r->throttle.id = cursor_u64(c);
	r->throttle.stream_id = cursor_u64(c);
}

void record_put_throttle(const struct record *r, struct bytes *out)
{
	bytes_u64(out, r->throttle.time);
	bytes_u64(out, r->throttle.id);
	bytes_u64(out, r->throttle.stream_id);
}
