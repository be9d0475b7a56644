/* SPDX-License-Identifier: MIT */
#include "datafile/inflater.h"

#include <config.h>

#if HAVE_ZSTD

#include <errno.h>
#include <zstd.h>

#include "base/memory.h"
#include "datafile/chunks.h"

struct inflater {
	ZSTD_DStream *stream;
	ZSTD_inBuffer payload;
	struct chunks out;
};

struct inflater *inflater_new(void)
{
	_cleanup_(inflater_freep) struct inflater *z = xcalloc(1, sizeof(*z));

	z->stream = ZSTD_createDStream();
	return z->stream ? TAKE(z) : NULL;
}

void inflater_free(struct inflater *z)
{
	if (!z)
		return;
	ZSTD_freeDStream(z->stream);
	chunks_done(&z->out);
	free(z);
}

void inflater_feed(struct inflater *z, const uint8_t *data, size_t size)
{
	z->payload = (ZSTD_inBuffer){ .src = data, .size = size };
}

/* Decompresses a part. 1: there was output; 0: the payload is used up. */
static int inflate_some(struct inflater *z)
{
	ZSTD_outBuffer out = { 0 };
	size_t r;

	out.dst = chunks_room(&z->out, &out.size);
	r = ZSTD_decompressStream(z->stream, &out, &z->payload);
	if (ZSTD_isError(r))
		return -EBADMSG;
	chunks_filled(&z->out, out.pos);
	return out.pos || z->payload.pos < z->payload.size;
}

int64_t inflater_peek(struct inflater *z, size_t n, const uint8_t **ret)
{
	int r = 1;

	while (chunks_available(&z->out) < n && r > 0)
		r = inflate_some(z);
	if (r < 0)
		return r;
	*ret = chunks_bytes(&z->out);
	return (int64_t)chunks_available(&z->out);
}

const uint8_t *inflater_take(struct inflater *z, size_t n, uint64_t position)
{
	return chunks_take(&z->out, n, position);
}

void inflater_release(struct inflater *z, uint64_t position)
{
	chunks_release(&z->out, position);
}

#else

struct inflater *inflater_new(void)
{
	return NULL;
}

void inflater_free(struct inflater *z)
{
	(void)z;
}

void inflater_feed(struct inflater *z, const uint8_t *data, size_t size)
{
	(void)z;
	(void)data;
	(void)size;
}

int64_t inflater_peek(struct inflater *z, size_t n, const uint8_t **ret)
{
	(void)z;
	(void)n;
	(void)ret;
	return 0;
}

const uint8_t *inflater_take(struct inflater *z, size_t n, uint64_t position)
{
	(void)z;
	(void)n;
	(void)position;
	return NULL;
}

void inflater_release(struct inflater *z, uint64_t position)
{
	(void)z;
	(void)position;
}

#endif
