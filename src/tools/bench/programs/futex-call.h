/* SPDX-License-Identifier: MIT */
#pragma once
/* futex(2) as functions, and the functions that its benchmarks share. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_futex_params;
struct bench_gate;
struct diag;

/*
 * Call futex(2), with its results. @flags is FUTEX_PRIVATE_FLAG, or 0 for futexes that processes
 * share.
 */
int futex_wait_call(uint32_t *addr, uint32_t value, int flags);
int futex_wake_call(uint32_t *addr, unsigned n, int flags);
int futex_requeue_call(uint32_t *from, uint32_t *to, unsigned n, int flags);
int futex_lock_pi_call(uint32_t *addr, int flags);
int futex_unlock_pi_call(uint32_t *addr, int flags);
int futex_wait_requeue_pi_call(uint32_t *from, uint32_t *to, int flags);
int futex_requeue_pi_call(uint32_t *from, uint32_t *to, unsigned n, int flags);

/* Returns the flags for the operation of calls. */
int futex_flags(const struct bench_futex_params *p);

/*
 * Determines the number of threads; locks memory and sets the number of hash buckets, if that was
 * requested. Returns a negative errno with @diag.
 */
int futex_prepare(const struct bench_futex_params *p, size_t *ret_threads, struct diag *diag);

/* Undoes futex_prepare(). */
void futex_finish(const struct bench_futex_params *p);

/* Returns the number of buckets, or -1 if @p does not request it. */
int futex_buckets(const struct bench_futex_params *p);

/* Threads that wait for a futex repeatedly. */
struct futex_sleepers {
	struct bench_gate *gate;
	pthread_t *threads;
	size_t n, started;
};

/*
 * Starts @n threads, one for each CPU in turn. On failure all threads that were started have ended.
 */
int futex_sleepers_start(struct futex_sleepers *s, size_t n, void *(*fn)(void *), void *arg,
			 struct diag *diag);

/*
 * futex_sleepers_settle() waits until all are asleep, as far as that can be known;
 * futex_sleepers_join() waits for their end.
 */
void futex_sleepers_settle(struct futex_sleepers *s);
void futex_sleepers_join(struct futex_sleepers *s);
