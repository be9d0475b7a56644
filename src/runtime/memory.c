/* SPDX-License-Identifier: MIT */
#include "runtime/memory.h"

#include <errno.h>
#include <sys/uio.h>

int memory_read(int pid, uint64_t addr, void *ret, size_t n)
{
	const struct iovec to = { ret, n }, from = { (void *)(uintptr_t)addr, n };
	ssize_t r = process_vm_readv(pid, &to, 1, &from, 1, 0);

	if (r < 0)
		return -errno;
	return (size_t)r == n ? 0 : -EFAULT;
}
