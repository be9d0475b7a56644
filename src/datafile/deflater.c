/* SPDX-License-Identifier: MIT */
#include "datafile/deflater.h"

#include <errno.h>

#include "base/bytes.h"
#include "base/memory.h"
#include <config.h>
#include "wire/record.h"

#if HAVE_ZSTD

#include <zstd.h>

/* Of a record, the header not counted. */
#define PAYLOAD_MAX (UINT16_MAX - RECORD_HEADER_SIZE)

struct deflater {
	ZSTD_CCtx *stream;
	uint8_t payload[PAYLOAD_MAX];
};

bool deflater_is_there(void)
{
	return true;
}

struct deflater *deflater_new(int level)
{
	_cleanup_(deflater_freep) struct deflater *z = xcalloc(1, sizeof(*z));

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

int deflater_add(struct deflater *z, const void *records, size_t size, struct bytes *out)
{
	ZSTD_inBuffer in = { .src = records, .size = size };
	size_t left;

	do {
		ZSTD_outBuffer packed = { .dst = z->payload, .size = sizeof(z->payload) };

		left = ZSTD_compressStream2(z->stream, &packed, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			return -EIO;
		if (!packed.pos)
			continue;
		bytes_u32(out, PERF_RECORD_COMPRESSED);
		bytes_u16(out, 0);
		bytes_u16(out, (uint16_t)(RECORD_HEADER_SIZE + packed.pos));
		bytes_add(out, z->payload, packed.pos);
	} while (left);
	return 0;
}

#else

bool deflater_is_there(void)
{
	return false;
}

struct deflater *deflater_new(int level)
{
	(void)level;
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
