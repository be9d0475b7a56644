/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/futex-call.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/futex.h"

/* Linux 6.16; older headers lack them. */
#ifndef PR_FUTEX_HASH
#define PR_FUTEX_HASH           78
#define PR_FUTEX_HASH_SET_SLOTS 1
#define PR_FUTEX_HASH_GET_SLOTS 2
#endif

#define THREADS_MAX 65536
/* The time that threads get to fall asleep. */
#define SETTLE_USEC 100000

static int bench_futex_call(uint32_t *addr, int op, uint32_t value, void *timeout_or_n,
			    uint32_t *second, uint32_t third)
{
	return (int)syscall(SYS_futex, addr, op, value, timeout_or_n, second, third);
}

static void *as_pointer(unsigned n)
{
	return (void *)(uintptr_t)n;
}

int futex_wait_call(uint32_t *addr, uint32_t value, int flags)
{
	return bench_futex_call(addr, FUTEX_WAIT | flags, value, NULL, NULL, 0);
}

int futex_wake_call(uint32_t *addr, unsigned n, int flags)
{
	return bench_futex_call(addr, FUTEX_WAKE | flags, n, NULL, NULL, 0);
}

int futex_requeue_call(uint32_t *from, uint32_t *to, unsigned n, int flags)
{
	return bench_futex_call(from, FUTEX_CMP_REQUEUE | flags, 0, as_pointer(n), to, 0);
}

int futex_lock_pi_call(uint32_t *addr, int flags)
{
	return bench_futex_call(addr, FUTEX_LOCK_PI | flags, 0, NULL, NULL, 0);
}

int futex_unlock_pi_call(uint32_t *addr, int flags)
{
	return bench_futex_call(addr, FUTEX_UNLOCK_PI | flags, 0, NULL, NULL, 0);
}

int futex_wait_requeue_pi_call(uint32_t *from, uint32_t *to, int flags)
{
	return bench_futex_call(from, FUTEX_WAIT_REQUEUE_PI | flags, 0, NULL, to, 0);
}

/* Wakes one waiter with the lock, and queues the others for it: the kernel requires the count 1. */
int futex_requeue_pi_call(uint32_t *from, uint32_t *to, unsigned n, int flags)
{
	return bench_futex_call(from, FUTEX_CMP_REQUEUE_PI | flags, 1, as_pointer(n), to, 0);
}

int futex_flags(const struct bench_futex_params *p)
{
	return p->shared ? 0 : FUTEX_PRIVATE_FLAG;
}

static int set_buckets(int64_t n, struct diag *diag)
{
	int error;

	if (prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_SET_SLOTS, (unsigned long)n, 0, 0) == 0)
		return 0;
	error = -errno;
	diag_set(diag, error, "the hash of futexes cannot have %lld buckets: %s", (long long)n,
		 strerror(-error));
	diag_hint(diag,
		  "--buckets needs Linux 6.16 or later with CONFIG_FUTEX_PRIVATE_HASH. The "
		  "number is a power of two, or 0 for the hash of all processes, which cannot "
		  "be left again.");
	return error;
}

int futex_prepare(const struct bench_futex_params *p, size_t *ret_threads, struct diag *diag)
{
	size_t n = p->threads ? p->threads : bench_n_cpus();
	int r = 0;

	if (n > THREADS_MAX)
		return diag_set(diag, -EINVAL, "--threads is at most %d", THREADS_MAX);
	if (p->buckets >= 0)
		r = set_buckets(p->buckets, diag);
	if (r >= 0 && p->lock_memory)
		r = bench_lock_memory(diag);
	if (r >= 0)
		*ret_threads = n;
	return r;
}

void futex_finish(const struct bench_futex_params *p)
{
	if (p->lock_memory)
		munlockall();
}

int futex_buckets(const struct bench_futex_params *p)
{
	return p->buckets < 0 ? -1 : prctl(PR_FUTEX_HASH, PR_FUTEX_HASH_GET_SLOTS, 0, 0, 0);
}

int futex_sleepers_start(struct futex_sleepers *s, size_t n, void *(*fn)(void *), void *arg,
			 struct diag *diag)
{
	int *cpus, r = 0;
	size_t n_cpus = bench_cpus(&cpus);

	s->threads = xcalloc(n, sizeof(*s->threads));
	s->n = n;
	for (s->started = 0; s->started < n && r >= 0; s->started += r >= 0)
		r = bench_thread_start(&s->threads[s->started],
				       n_cpus ? cpus[s->started % n_cpus] : -1, fn, arg, diag);
	free(cpus);
	if (r < 0) {
		bench_gate_call_off(s->gate);
		futex_sleepers_join(s);
	}
	return r;
}

void futex_sleepers_settle(struct futex_sleepers *s)
{
	bench_gate_open(s->gate);
	usleep(SETTLE_USEC);
}

void futex_sleepers_join(struct futex_sleepers *s)
{
	for (size_t i = 0; i < s->started; i++)
		pthread_join(s->threads[i], NULL);
	free(s->threads);
	s->threads = NULL;
	s->started = 0;
}
