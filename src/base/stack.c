/* SPDX-License-Identifier: MIT */
#include "base/stack.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

struct stack_job {
	int (*fn)(void *arg);
	void *arg;
	int result;
};

/* makecontext() can only pass 32-bit numbers. */
static void stack_enter(unsigned high, unsigned low)
{
	struct stack_job *j = (void *)(((uintptr_t)high << 32) | low);

	j->result = j->fn(j->arg);
}

static bool stack_is_limited(size_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
	       limit.rlim_cur < bytes;
}

/* Maps a stack. The lowest page is inaccessible, so an overflow hits it and not other memory. */
static void *stack_map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	mprotect(p, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
	return p;
}

int stack_call(size_t bytes, int (*fn)(void *arg), void *arg)
{
	struct stack_job job = { .fn = fn, .arg = arg };
	void *memory = stack_is_limited(bytes) ? stack_map(bytes) : NULL;
	ucontext_t back, there;
	uintptr_t at = (uintptr_t)&job;

	if (!memory || getcontext(&there) < 0)
		return fn(arg);
	there.uc_stack.ss_sp = memory;
	there.uc_stack.ss_size = bytes;
	there.uc_link = &back;
	makecontext(&there, (void (*)(void))stack_enter, 2, (unsigned)(at >> 32), (unsigned)at);
	swapcontext(&back, &there);
	munmap(memory, bytes);
	return job.result;
}
