/* SPDX-License-Identifier: MIT */
#include "datafile/deflater.h"

#include <errno.h>

#include "base/bytes.h"
#include "base/memory.h"
#include <config.h>
#include "wire/record.h"

#if HAVE_ZSTD

#include <zstd.h>

/* The largest payload of a record, without the header. */
#define PAYLOAD_MAX (UINT16_MAX - RECORD_HEADER_SIZE)

/*
 * The largest payload of a COMPRESSED2 record: it begins with its size, and ends at a multiple of
 * 8.
 */
#define ALIGNED_MAX (UINT16_MAX / 8 * 8 - RECORD_HEADER_SIZE - sizeof(uint64_t))

struct deflater {
	ZSTD_CCtx *stream;
	bool aligned;
	uint8_t payload[PAYLOAD_MAX];
};

bool deflater_is_there(void)
{
	return true;
}

struct deflater *deflater_new(int level, bool aligned)
{
	_cleanup_(deflater_freep) struct deflater *z = xcalloc(1, sizeof(*z));

	z->aligned = aligned;
	z->stream = ZSTD_createCCtx();
	if (!z->stream ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(z->stream, ZSTD_c_compressionLevel, level)))
		return NULL;
	return TAKE(z);
}

void deflater_free(struct deflater *z)
{
	if (!z)
		return;
	ZSTD_freeCCtx(z->stream);
	free(z);
}

static void deflater_add_record(const struct deflater *z, size_t size, struct bytes *out)
{
	bytes_u32(out, PERF_RECORD_COMPRESSED);
	bytes_u16(out, 0);
	bytes_u16(out, (uint16_t)(RECORD_HEADER_SIZE + size));
	bytes_add(out, z->payload, size);
}

static void add_aligned_record(const struct deflater *z, size_t size, struct bytes *out)
{
	size_t from = out->n;

	bytes_u32(out, PERF_RECORD_COMPRESSED2);
	bytes_u16(out, 0);
	bytes_u16(out, (uint16_t)(RECORD_HEADER_SIZE + sizeof(uint64_t) + (size + 7) / 8 * 8));
	bytes_u64(out, size);
	bytes_add(out, z->payload, size);
	bytes_pad(out, from, 8);
}

int deflater_add(struct deflater *z, const void *records, size_t size, struct bytes *out)
{
	ZSTD_inBuffer in = { .src = records, .size = size };
	size_t left;

	do {
		ZSTD_outBuffer packed = { .dst = z->payload,
					  .size = z->aligned ? ALIGNED_MAX : PAYLOAD_MAX };

		left = ZSTD_compressStream2(z->stream, &packed, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			return -EIO;
		if (!packed.pos)
			continue;
		if (z->aligned)
			add_aligned_record(z, packed.pos, out);
		else
			deflater_add_record(z, packed.pos, out);
	} while (left);
	return 0;
}

#else

bool deflater_is_there(void)
{
	return false;
}

struct deflater *deflater_new(int level, bool aligned)
{
	(void)level;
	(void)aligned;
	return NULL;
}

void deflater_free(struct deflater *z)
{
	(void)z;
}

int deflater_add(struct deflater *z, const void *records, size_t size, struct bytes *out)
{
	(void)z;
	(void)records;
	(void)size;
	(void)out;
	return -EIO;
}

#endif
