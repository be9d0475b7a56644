/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A jitdump made in memory, record by record, in the byte order of this machine.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

static inline void dump_begin(struct bytes *b, uint32_t pid, uint64_t flags)
{
	bytes_u32(b, 0x4a695444);
	bytes_u32(b, 1);
	bytes_u32(b, 40);
	bytes_u32(b, 183); /* EM_AARCH64 */
	bytes_u32(b, 0xdeadbeef);
	bytes_u32(b, pid);
	bytes_u64(b, 12345);
	bytes_u64(b, flags);
}

/* Appends the header of a record with @size bytes behind it. */
static inline void dump_head(struct bytes *b, uint32_t id, size_t size, uint64_t time)
{
	bytes_u32(b, id);
	bytes_u32(b, (uint32_t)(16 + size));
	bytes_u64(b, time);
}

static inline void dump_load(struct bytes *b, uint64_t time, uint64_t addr, uint64_t size,
			     const char *name)
{
	dump_head(b, 0, 40 + strlen(name) + 1 + size, time);
	bytes_u32(b, 7);
	bytes_u32(b, 7);
	bytes_u64(b, addr);
	bytes_u64(b, addr);
	bytes_u64(b, size);
	bytes_u64(b, 1);
	bytes_add(b, name, strlen(name) + 1);
	for (uint64_t i = 0; i < size; i++)
		bytes_add(b, "\xcc", 1);
}

static inline void dump_move(struct bytes *b, uint64_t time, uint64_t from, uint64_t to,
			     uint64_t size)
{
	dump_head(b, 1, 48, time);
	bytes_u32(b, 7);
	bytes_u32(b, 7);
	bytes_u64(b, to);
	bytes_u64(b, from);
	bytes_u64(b, to);
	bytes_u64(b, size);
	bytes_u64(b, 1);
}
