/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the index of debug information, a cache that other programs may be able to write. Whatever
 * it holds behind a correct checksum, it is refused, or its contents lie within it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dwarf/debug-index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define HEADER_SIZE     80
#define IDENTITY_OFFSET 24

/* Reads each of @n rows, so that the sanitizers check the accesses. */
static uint64_t read_rows(const struct debug_index_row *rows, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += rows[i].hash + rows[i].unit;
	return sum;
}

static uint64_t ask(const struct debug_index *x)
{
	const struct debug_index_row *rows;
	const struct debug_index_cross *far;
	uint64_t sum = 0;
	size_t n;

	for (uint32_t hash = 0; hash < 64; hash++) {
		rows = debug_index_find(x, hash, &n);
		sum += read_rows(rows, n);
		far = debug_index_cross(x, 0, hash, &n);
		for (size_t i = 0; i < n; i++)
			sum += far[i].unit;
	}
	rows = debug_index_rows(x, &n);
	return sum + read_rows(rows, n);
}

static void lend(const struct debug_index *x)
{
	static const uint8_t info[256];
	struct die_file f = { .info = { info, sizeof(info) } }, *items[] = { &f };
	struct die_files files = { .items = items, .n = 1 };

	if (!debug_index_lend_units(x, &files))
		return;
	for (size_t i = 0; i < f.n_units; i++)
		if (f.units[i].end > sizeof(info) || f.units[i].entry > f.units[i].end)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) uint8_t *bytes = malloc(size + HEADER_SIZE);
	_cleanup_(closep) int fd = memfd_create("index", MFD_CLOEXEC);
	_cleanup_(debug_index_freep) struct debug_index *x = NULL;
	uint64_t identity;
	char path[32];

	memset(bytes, 0, size + HEADER_SIZE);
	memcpy(bytes, data, size);
	size = size < HEADER_SIZE ? HEADER_SIZE : size;
	debug_index_seal(bytes, size);
	memcpy(&identity, bytes + IDENTITY_OFFSET, sizeof(identity));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, bytes, size) != (ssize_t)size || debug_index_open(path, identity, &x) < 0)
		return 0;
	/* The sum depends on everything that was read, so the compiler cannot remove the reads. */
	if (ask(x) == UINT64_MAX)
		return -1;
	lend(x);
	return 0;
}
