/* SPDX-License-Identifier: MIT */
/* Values and texts by memory_read(), which the fuzz target replaces: it is alone in memory.c. */
#include <errno.h>
#include <string.h>

#include "runtime/memory.h"

/* Texts are read up to such a boundary at a time: the next page may not exist. */
#define PART 64

int memory_u32(int pid, uint64_t addr, uint32_t *ret)
{
	return memory_read(pid, addr, ret, sizeof(*ret));
}

int memory_u64(int pid, uint64_t addr, uint64_t *ret)
{
	return memory_read(pid, addr, ret, sizeof(*ret));
}

int memory_text(int pid, uint64_t addr, char *ret, size_t size)
{
	for (size_t at = 0; at < size;) {
		size_t part = PART - (addr + at) % PART;
		int r;

		if (part > size - at)
			part = size - at;
		r = memory_read(pid, addr + at, ret + at, part);
		if (r < 0)
			return r;
		if (memchr(ret + at, '\0', part))
			return 0;
		at += part;
	}
	return -ENAMETOOLONG;
}
