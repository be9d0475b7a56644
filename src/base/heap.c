/* SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

/*
 * Reduces page faults, which take a fifth of the time of a report. The heap is grown at once,
 * because advice applies to memory that is mapped, not to memory that comes later.
 */
void heap_expect_much(void)
{
	const int room = 64 << 20, usual_room = 128 << 10, own_mapping_min = 32 << 20;
	/*
	 * A thread waits while another uses the heap, which matters only if there are many threads.
	 */
	const int few_cpus = 4;
	uintptr_t page = 2 << 20, before = (uintptr_t)sbrk(0), after;
	void *volatile large;

	if (get_nprocs() <= few_cpus)
		mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, own_mapping_min);
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
	mallopt(M_TOP_PAD, room);
	/*
	 * More than the heap may have free. Volatile, because the compiler would otherwise leave it
	 * out.
	 */
	large = malloc(own_mapping_min / 2);
	/* Nothing is allocated in advance if memory is limited, because less may be enough. */
	if (!large)
		mallopt(M_TOP_PAD, usual_room);
	free(large);
	after = (uintptr_t)sbrk(0) / page * page;
	before = (before + page - 1) / page * page;
	if (after > before)
		madvise((void *)before, after - before, MADV_HUGEPAGE);
}

void heap_release(void)
{
	malloc_trim(0);
}
