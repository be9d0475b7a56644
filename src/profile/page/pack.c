/* SPDX-License-Identifier: MIT */
#include "profile/page/pack.h"

#include <zlib.h>

void page_pack(const void *data, size_t n, struct bytes *out)
{
	size_t start = out->n;
	uLongf size = compressBound(n);

	/* This cannot fail, because the buffer has the largest size that may be needed. */
	bytes_zero(out, size);
	compress2(out->data + start, &size, data, n, Z_DEFAULT_COMPRESSION);
	out->n = start + size;
}
