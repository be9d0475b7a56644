/* SPDX-License-Identifier: MIT */
#include "foreign/gunzip.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/memory.h"

bool gunzip_is_packed(const char *begin, size_t n)
{
	return n > 2 && (unsigned char)begin[0] == 0x1f && (unsigned char)begin[1] == 0x8b;
}

#define WINDOW_GZIP (15 + 16)
#define PIECE       (size_t)(1 << 20)

/* Profiles shrink to a tenth; this is far more, and far less than zlib could make of a few bytes.
 */
#define LIMIT_FLOOR (UINT64_C(4) << 20)
#define LIMIT_RATIO 50

static int gunzip_unpack(z_stream *z, char **out, size_t *n, uint64_t limit)
{
	size_t room = 0;
	int r = Z_OK;

	while (r == Z_OK) {
		if (*n > limit)
			return -EBADMSG;
		*out = array_reserve(*out, &room, *n + PIECE, 1);
		z->next_out = (Bytef *)*out + *n;
		z->avail_out = (uInt)PIECE;
		r = inflate(z, Z_NO_FLUSH);
		*n = (size_t)((char *)z->next_out - *out);
		/* A file may have several parts. */
		if (r == Z_STREAM_END && z->avail_in)
			r = inflateReset(z);
	}
	return r == Z_STREAM_END ? 0 : -EBADMSG;
}

int gunzip(const char *packed, size_t n, char **ret, size_t *ret_n)
{
	z_stream z = { .next_in = (Bytef *)packed, .avail_in = (uInt)n };
	_cleanup_(freep) char *out = NULL;
	int r;

	*ret_n = 0;
	if (n > UINT32_MAX || inflateInit2(&z, WINDOW_GZIP) != Z_OK)
		return -EBADMSG;
	r = gunzip_unpack(&z, &out, ret_n, LIMIT_FLOOR + LIMIT_RATIO * (uint64_t)n);
	inflateEnd(&z);
	if (r >= 0)
		*ret = TAKE(out);
	return r;
}
