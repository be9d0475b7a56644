/* SPDX-License-Identifier: MIT */
#pragma once
/* Streams made by hand: the facts of a file's header come as records. */
#include "recording.h"

__attribute__((unused)) static void begin_stream(struct bytes *b)
{
	bytes_add(b, "PERFILE2", 8);
	bytes_u64(b, 16);
}

__attribute__((unused)) static void add_record(struct bytes *b, const struct record *r)
{
	assert_int_equal(record_encode(r, NULL, b), 0);
}

__attribute__((unused)) static void add_attr(struct bytes *b, const struct attr *attr,
					     const uint64_t *ids, size_t n)
{
	add_record(b, &(struct record){ .header.type = PERF_RECORD_HEADER_ATTR,
					.attr = { .attr = *attr,
						  .ids = { (const uint8_t *)ids, n, false } } });
}

__attribute__((unused)) static void add_feature(struct bytes *b, const struct features *f,
						unsigned id)
{
	_cleanup_(bytes_done) struct bytes payload = { 0 };

	features_encode(f, id, &payload);
	bytes_u32(b, PERF_RECORD_HEADER_FEATURE);
	bytes_u16(b, 0);
	bytes_u16(b, (uint16_t)(16 + payload.n));
	bytes_u64(b, id);
	bytes_add(b, payload.data, payload.n);
}

/* Opens the stream in @b from its beginning. The caller closes *@ret_fd. */
__attribute__((unused)) static struct session *opened_stream(const struct bytes *b, int *ret_fd)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s;
	char path[32];

	*ret_fd = memfd_create("stream", MFD_CLOEXEC);
	assert_int_equal(write(*ret_fd, b->data, b->n), b->n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *ret_fd);
	assert_int_equal(session_open(&(struct session_options){ .path = path }, &s, &diag), 0);
	return s;
}

/* Opens the stream and reads it to its end, so that everything is known. */
__attribute__((unused)) static struct session *read_stream(const struct bytes *b, int *ret_fd)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s = opened_stream(b, ret_fd);

	assert_int_equal(session_feed(s, NULL, &(struct consumer){ 0 }, &diag), 0);
	return s;
}
