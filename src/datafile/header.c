/* SPDX-License-Identifier: MIT */
#include "datafile/header.h"

#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "datafile/features.h"

#define MAGIC_SIZE 8
#define MAGIC_2    UINT64_C(0x32454c4946524550) /* "PERFILE2" on a little-endian machine */

static const char magic_1[] = "PERFFILE";

/*
 * A file counts as a damaged recording if at least this many of the MAGIC_SIZE bytes are correct
 * and the rest of the header is plausible.
 */
#define MAGIC_ENOUGH 5

static unsigned bytes_equal(const void *a, const void *b)
{
	const uint8_t *p = a, *q = b;
	unsigned n = 0;

	for (unsigned i = 0; i < MAGIC_SIZE; i++)
		n += p[i] == q[i];
	return n;
}

static uint64_t u64_at(const uint8_t *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

/* True for the sizes of entries in version 1: those of the attrs of its time. */
static bool is_version_1_entry(uint64_t size)
{
	static const uint64_t attr_sizes[] = { 64, 72, 80, 96, 104 };

	for (size_t i = 0; i < ARRAY_SIZE(attr_sizes); i++)
		if (size == attr_sizes[i] + ATTR_IDS_SIZE)
			return true;
	return false;
}

/*
 * Determines the byte order of version 1 from the size of an entry, because the magic is the same
 * in both orders.
 */
static bool version_1_order(const uint8_t *p, size_t size, struct file_header *h)
{
	if (size < FILE_HEADER_SIZE || memcmp(p, magic_1, MAGIC_SIZE) != 0)
		return false;
	for (int swap = 0; swap < 2; swap++) {
		if (is_version_1_entry(u64_at(p + 16, swap))) {
			h->version = 1;
			h->swap = swap;
			return true;
		}
	}
	return false;
}

static bool version_2_order(const uint8_t *p, struct file_header *h)
{
	for (int swap = 0; swap < 2; swap++) {
		uint64_t magic = swap ? __builtin_bswap64(MAGIC_2) : MAGIC_2;
		unsigned equal = bytes_equal(p, &magic);
		uint64_t size = u64_at(p + MAGIC_SIZE, swap);
		bool known = size == FILE_HEADER_SIZE || size == STREAM_HEADER_SIZE;

		if (equal == MAGIC_SIZE || (equal >= MAGIC_ENOUGH && known)) {
			h->version = 2;
			h->swap = swap;
			h->damaged = equal != MAGIC_SIZE || !known;
			return true;
		}
	}
	return false;
}

/*
 * Decodes the feature bits, which are an array of the writer's long. If that has 32 bits and the
 * other byte order, the halves of each word are exchanged. This shows in a missing host name, which
 * is always written.
 */
static void features_take(struct cursor *c, uint64_t *features)
{
	for (unsigned i = 0; i < 4; i++)
		features[i] = cursor_u64(c);
	if (!c->swap || !features[0] || features[0] >> FEATURE_HOSTNAME & 1)
		return;
	for (unsigned i = 0; i < 4; i++)
		features[i] = features[i] << 32 | features[i] >> 32;
	if (features[0] >> FEATURE_HOSTNAME & 1)
		return;
	memset(features, 0, 4 * sizeof(*features));
	features[0] = UINT64_C(1) << FEATURE_BUILD_ID;
}

static struct file_section section_take(struct cursor *c)
{
	struct file_section s;

	s.offset = cursor_u64(c);
	s.size = cursor_u64(c);
	return s;
}

static bool file_header_is_cut_short(const uint8_t *p, size_t size)
{
	uint64_t magic;

	if (size < MAGIC_SIZE || size >= FILE_HEADER_SIZE)
		return false;
	magic = u64_at(p, false);
	return magic == MAGIC_2 || magic == __builtin_bswap64(MAGIC_2) ||
	       !memcmp(p, magic_1, MAGIC_SIZE);
}

int file_header_decode(const void *bytes, size_t size, struct file_header *ret)
{
	struct cursor c = cursor_over(bytes, size, false);
	struct file_header h = { 0 };

	if (size < STREAM_HEADER_SIZE ||
	    (!version_1_order(bytes, size, &h) && !version_2_order(bytes, &h)))
		return file_header_is_cut_short(bytes, size) ? -ENODATA : -EBADMSG;
	c.swap = h.swap;
	cursor_bytes(&c, MAGIC_SIZE);
	h.is_stream = cursor_u64(&c) == STREAM_HEADER_SIZE;
	if (!h.is_stream) {
		h.attr_size = cursor_u64(&c);
		h.attrs = section_take(&c);
		h.data = section_take(&c);
		h.event_types = section_take(&c);
		features_take(&c, h.features);
	}
	if (c.bad)
		return file_header_is_cut_short(bytes, size) ? -ENODATA : -EBADMSG;
	*ret = h;
	return 0;
}

static void section_put(struct bytes *out, struct file_section s)
{
	bytes_u64(out, s.offset);
	bytes_u64(out, s.size);
}

void file_header_encode(const struct file_header *h, struct bytes *out)
{
	bytes_u64(out, MAGIC_2);
	bytes_u64(out, h->is_stream ? STREAM_HEADER_SIZE : FILE_HEADER_SIZE);
	if (h->is_stream)
		return;
	bytes_u64(out, h->attr_size);
	section_put(out, h->attrs);
	section_put(out, h->data);
	section_put(out, h->event_types);
	bytes_add(out, h->features, sizeof(h->features));
}
