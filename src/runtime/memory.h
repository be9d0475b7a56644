/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The memory of another process, read while it runs. It is hostile: it may change between two
 * reads, and may contain anything. Every function returns -EFAULT if a part cannot be read, -ESRCH
 * if the process has ended, -EPERM if it belongs to somebody else.
 */
#include <stddef.h>
#include <stdint.h>

/* Reads @n bytes at @addr of process @pid. */
int memory_read(int pid, uint64_t addr, void *ret, size_t n);

int memory_u32(int pid, uint64_t addr, uint32_t *ret);
int memory_u64(int pid, uint64_t addr, uint64_t *ret);

/*
 * Reads the text at @addr up to its end. -ENAMETOOLONG: it has more than @size - 1 bytes.
 */
int memory_text(int pid, uint64_t addr, char *ret, size_t size);
