/* SPDX-License-Identifier: MIT */
#include "tools/data/packed-file.h"

#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"

#include <zlib.h>

/* The windowBits: the largest window, and the header of gzip. */
#define GZIP_WINDOW (MAX_WBITS + 16)
#define CHUNK       65536

struct packed_file {
	FILE *out;
	z_stream z;
	unsigned char room[CHUNK];
};

struct packed_file *packed_file_new(FILE *out)
{
	struct packed_file *f = xcalloc(1, sizeof(*f));

	f->out = out;
	/*
	 * The fastest level is used: profiles repeat themselves, and better levels take longer than
	 * reading the samples.
	 */
	if (deflateInit2(&f->z, Z_BEST_SPEED, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		memory_gone(0);
	return f;
}

void packed_file_free(struct packed_file *f)
{
	if (!f)
		return;
	deflateEnd(&f->z);
	free(f);
}

static void packed_file_pack(struct packed_file *f, int flush)
{
	do {
		f->z.next_out = f->room;
		f->z.avail_out = CHUNK;
		deflate(&f->z, flush);
		fwrite(f->room, 1, CHUNK - f->z.avail_out, f->out);
	} while (!f->z.avail_out);
}

void packed_file_add(struct packed_file *f, const void *data, size_t n)
{
	const unsigned char *at = data;

	while (n) {
		size_t part = n < UINT_MAX ? n : UINT_MAX;

		f->z.next_in = (unsigned char *)at;
		f->z.avail_in = (unsigned)part;
		packed_file_pack(f, Z_NO_FLUSH);
		at += part;
		n -= part;
	}
}

void packed_file_end(struct packed_file *f)
{
	packed_file_pack(f, Z_FINISH);
}
