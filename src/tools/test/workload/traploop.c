/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/test/workload/workload.h"

/*
 * The number of pages that are touched before they are given back. It is less than a huge page
 * contains.
 */
#define PAGES 64

/*
 * Traps into the kernel and returns from it, by touching a page for the first time, @n times. Not
 * static, so that it can be found by its name.
 */
__attribute__((noinline)) void trap_bench(volatile char *pages, size_t page_size, size_t n);
void trap_bench(volatile char *pages, size_t page_size, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pages[i * page_size] = 1;
}

static int traploop(const double *numbers)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE), left = (size_t)numbers[0];
	char *pages = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int r = 0;

	if (pages == MAP_FAILED)
		return -errno;
	while (left && r >= 0) {
		size_t n = left < PAGES ? left : PAGES;

		trap_bench(pages, page_size, n);
		left -= n;
		if (madvise(pages, PAGES * page_size, MADV_DONTNEED) < 0)
			r = -errno;
	}
	munmap(pages, PAGES * page_size);
	return r;
}

const struct test_workload test_workload_traploop = {
	.name = "traploop",
	.summary = "traps into the kernel, by page faults",
	.numbers = { WORKLOAD_COUNT("loops", 100000, 1e12) },
	.run = traploop,
};
