/* SPDX-License-Identifier: MIT */
#include "elf/unzip.h"

#include <dlfcn.h>
#include <stdlib.h>

#include <zlib.h>

#include "base/library.h"
#include "base/memory.h"

#define LIBDEFLATE_SONAME "libdeflate.so.0"

struct unzip {
	void *library; /* NULL: zlib is used */

	/* The part of libdeflate's interface that is used; 0 is success. */
	void *(*alloc)(void);
	void (*free)(void *decompressor);
	int (*decompress)(void *decompressor, const void *in, size_t n, void *out, size_t room,
			  size_t *ret_size);
};

static const struct library_function functions[] = {
	{ "libdeflate_alloc_decompressor", offsetof(struct unzip, alloc) },
	{ "libdeflate_free_decompressor", offsetof(struct unzip, free) },
	{ "libdeflate_zlib_decompress", offsetof(struct unzip, decompress) },
};

static void unzip_load(struct unzip *u)
{
	/* It is never unloaded, because the next file needs it, too. */
	u->library = dlopen(LIBDEFLATE_SONAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (u->library && library_find(u->library, functions, ARRAY_SIZE(functions), u))
		dlclose(TAKE(u->library));
}

struct unzip *unzip_new(void)
{
	_cleanup_(unzip_freep) struct unzip *u = xcalloc(1, sizeof(*u));

	unzip_load(u);
	return TAKE(u);
}

void unzip_free(struct unzip *u)
{
	if (u && u->library)
		dlclose(u->library);
	free(u);
}

static bool by_libdeflate(const struct unzip *u, const void *bytes, size_t n, void *to, size_t size)
{
	void *decompressor = u->alloc();
	size_t unpacked;
	bool done;

	if (!decompressor)
		return false;
	done = u->decompress(decompressor, bytes, n, to, size, &unpacked) == 0 && unpacked == size;
	u->free(decompressor);
	return done;
}

bool unzip(const struct unzip *u, const void *bytes, size_t n, void *to, size_t size)
{
	if (u->library)
		return by_libdeflate(u, bytes, n, to, size);
	uLongf unpacked = size;

	return uncompress(to, &unpacked, bytes, n) == Z_OK && unpacked == size;
}
