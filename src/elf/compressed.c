/* SPDX-License-Identifier: MIT */
#include "elf/compressed.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"

#include <zlib.h>
#if HAVE_LZMA
#include <lzma.h>
#endif
#if HAVE_ZSTD
#include <zstd.h>
#endif

/* Larger modules are decompression bombs. */
#define PACKED_SIZE_MAX (256u << 20)
#define XZ_MEMORY_MAX   (512u << 20)

struct buffer {
	char *items;
	size_t n, room;
	size_t limit;
};

/* Grows the buffer for more output; false if there is too much of it. */
static bool compressed_grow(struct buffer *b)
{
	if (b->n > b->limit)
		return false;
	b->items = array_reserve(b->items, &b->room, b->n + (256 << 10), 1);
	return true;
}

static int unpack_gzip(const char *in, size_t size, struct buffer *out)
{
	z_stream z = { .next_in = (Bytef *)in, .avail_in = (uInt)size };
	int r = inflateInit2(&z, 16 + MAX_WBITS); /* 16: with a gzip header */

	while (r == Z_OK && compressed_grow(out)) {
		z.next_out = (Bytef *)out->items + out->n;
		z.avail_out = (uInt)(out->room - out->n);
		r = inflate(&z, Z_NO_FLUSH);
		out->n = out->room - z.avail_out;
		/* A file may have several members. */
		if (r == Z_STREAM_END && z.avail_in)
			r = inflateReset(&z);
	}
	inflateEnd(&z);
	return r == Z_STREAM_END ? 0 : r == Z_OK ? -EFBIG : -EBADMSG;
}

static int unpack_xz(const char *in, size_t size, struct buffer *out)
{
#if HAVE_LZMA
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret r = lzma_stream_decoder(&z, XZ_MEMORY_MAX, 0);

	z.next_in = (const uint8_t *)in;
	z.avail_in = size;
	while (r == LZMA_OK && compressed_grow(out)) {
		z.next_out = (uint8_t *)out->items + out->n;
		z.avail_out = out->room - out->n;
		r = lzma_code(&z, LZMA_FINISH);
		out->n = out->room - z.avail_out;
	}
	lzma_end(&z);
	return r == LZMA_STREAM_END ? 0 : r == LZMA_OK ? -EFBIG : -EBADMSG;
#else
	(void)in, (void)size, (void)out;
	return -ENOTSUP;
#endif
}

static int unpack_zstd(const char *in, size_t size, struct buffer *out)
{
#if HAVE_ZSTD
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer from = { .src = in, .size = size };
	size_t left = 1;

	while (left && !ZSTD_isError(left) && compressed_grow(out)) {
		ZSTD_outBuffer to = { .dst = out->items, .size = out->room, .pos = out->n };
		size_t before = from.pos;

		left = ZSTD_decompressStream(z, &to, &from);
		/* No progress was made: the input ends too early. */
		if (left && from.pos == before && to.pos == out->n)
			break;
		out->n = to.pos;
	}
	ZSTD_freeDStream(z);
	return left == 0 ? 0 : out->n > out->limit ? -EFBIG : -EBADMSG;
#else
	(void)in, (void)size, (void)out;
	return -ENOTSUP;
#endif
}

static const struct {
	uint8_t magic[6];
	size_t length;
	int (*unpack)(const char *in, size_t size, struct buffer *out);
} formats[] = {
	{ { 0x1f, 0x8b, 8 }, 3, unpack_gzip },
	{ { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, unpack_xz },
	{ { 0x28, 0xb5, 0x2f, 0xfd }, 4, unpack_zstd },
};

/* Returns the row of formats[], or ARRAY_SIZE(formats). */
static size_t compressed_format_of(const void *bytes, size_t n)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(formats) &&
	       (n < formats[i].length || memcmp(bytes, formats[i].magic, formats[i].length) != 0))
		i++;
	return i;
}

bool compressed_is(int fd)
{
	char head[6];
	ssize_t n = pread(fd, head, sizeof(head), 0);

	return n > 0 && compressed_format_of(head, (size_t)n) < ARRAY_SIZE(formats);
}

bool compressed_is_gzip(const void *bytes, size_t size)
{
	return size >= 2 && !memcmp(bytes, formats[0].magic, 2);
}

int compressed_unpack(const void *bytes, size_t size, size_t limit, char **ret, size_t *ret_size)
{
	size_t format = compressed_format_of(bytes, size);
	struct buffer out = { .limit = limit };

	if (format == ARRAY_SIZE(formats))
		return -EINVAL;
	if (size > UINT32_MAX)
		return -EFBIG;

	int r = formats[format].unpack(bytes, size, &out);

	if (r >= 0 && out.n > limit)
		r = -EFBIG;
	if (r < 0) {
		free(out.items);
		return r;
	}
	*ret = out.items;
	*ret_size = out.n;
	return 0;
}

int compressed_read(int fd, char **ret, size_t *ret_size)
{
	_cleanup_(freep) char *packed = NULL;
	size_t size;
	int r = lseek(fd, 0, SEEK_SET) < 0 ? -errno
					   : file_read_fd(fd, PACKED_SIZE_MAX, &packed, &size);

	return r < 0 ? r : compressed_unpack(packed, size, COMPRESSED_MODULE_MAX, ret, ret_size);
}
