/* SPDX-License-Identifier: MIT */
#include "datafile/plausible.h"

#include "base/cursor.h"

/*
 * This many valid records in a row are no coincidence: header_is_strict() accepts 2^21 of 2^64
 * words, most of which do not occur as data.
 */
#define ENOUGH 4

/* Bits of misc that kernel records may have; see PERF_RECORD_MISC_*. */
#define KERNEL_MISC 0xf007

static bool is_kernel_type(uint32_t type)
{
	return type >= PERF_RECORD_MMAP && type < PERF_RECORD_KERNEL_MAX;
}

static bool is_user_type(uint32_t type)
{
	return type >= PERF_RECORD_USER_FIRST && type < PERF_RECORD_USER_MAX;
}

/*
 * Types from here on are defined by other programs, such as Android's simpleperf. Their meaning is
 * not known here, but their headers are like those of all records.
 */
#define OWN_TYPES_FIRST 32768
#define OWN_TYPES_END   (OWN_TYPES_FIRST + 256)

static bool is_own_type(uint32_t type)
{
	return type >= OWN_TYPES_FIRST && type < OWN_TYPES_END;
}

bool header_is_usual(const struct record_header *h)
{
	if (h->size < RECORD_HEADER_SIZE)
		return false;
	return is_user_type(h->type) || (is_kernel_type(h->type) && h->size % 8 == 0);
}

/* True for those of perf's own records whose sizes need not be a multiple of 8. */
static bool may_be_odd(uint32_t type)
{
	return type == PERF_RECORD_HEADER_FEATURE || type == PERF_RECORD_COMPRESSED ||
	       type == PERF_RECORD_HEADER_TRACING_DATA || type == PERF_RECORD_HEADER_BUILD_ID;
}

/* Does the same as header_is_usual(), for doubtful cases. */
static bool header_is_strict(const struct record_header *h)
{
	if (is_own_type(h->type))
		return !h->misc && h->size >= RECORD_HEADER_SIZE && h->size % 8 == 0;
	if (!header_is_usual(h))
		return false;
	if (is_kernel_type(h->type))
		return !(h->misc & ~KERNEL_MISC) &&
		       (h->size > RECORD_HEADER_SIZE || h->type == PERF_RECORD_SWITCH);
	if (h->misc && h->type != PERF_RECORD_HEADER_BUILD_ID)
		return false;
	if (h->type == PERF_RECORD_FINISHED_ROUND || h->type == PERF_RECORD_FINISHED_INIT)
		return h->size == RECORD_HEADER_SIZE;
	return h->size > RECORD_HEADER_SIZE && (h->size % 8 == 0 || may_be_odd(h->type));
}

uint64_t record_payload_size(const uint8_t *bytes, const struct record_header *h, bool swap)
{
	struct cursor c = cursor_over(bytes, h->size, swap);

	cursor_bytes(&c, RECORD_HEADER_SIZE);
	if (h->type == PERF_RECORD_AUXTRACE)
		return cursor_u64(&c);
	if (h->type == PERF_RECORD_HEADER_TRACING_DATA)
		return cursor_u32(&c);
	return 0;
}

bool records_follow(const struct search *s, size_t at)
{
	unsigned seen;

	for (seen = 0; seen < ENOUGH && s->n - at >= RECORD_HEADER_SIZE; seen++) {
		struct record_header h;
		uint64_t payload;

		if (record_header_decode(s->bytes + at, s->n - at, s->swap, &h) < 0 ||
		    !header_is_strict(&h))
			return false;
		if (h.size > s->n - at)
			return seen && !s->to_end;
		payload = record_payload_size(s->bytes + at, &h, s->swap);
		at += h.size;
		if (payload > s->n - at)
			return seen && !s->to_end;
		at += payload;
	}
	return seen == ENOUGH || (s->to_end ? at == s->n : seen > 0);
}

size_t records_find(const struct search *s, size_t at, size_t step)
{
	for (; at < s->n; at += step)
		if (records_follow(s, at))
			return at;
	return s->n;
}
