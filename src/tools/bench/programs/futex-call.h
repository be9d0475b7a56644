/* SPDX-License-Identifier: MIT */
#pragma once
/* futex(2) as functions, and what the benchmarks of it share. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bench_futex_params;
struct bench_gate;
struct diag;

/* @flags is FUTEX_PRIVATE_FLAG, or 0 for futexes that processes share. Results as futex(2)'s. */
int futex_wait_call(uint32_t *addr, uint32_t value, int flags);
int futex_wake_call(uint32_t *addr, unsigned n, int flags);
int futex_requeue_call(uint32_t *from, uint32_t *to, unsigned n, int flags);
int futex_lock_pi_call(uint32_t *addr, int flags);
int futex_unlock_pi_call(uint32_t *addr, int flags);
int futex_wait_requeue_pi_call(uint32_t *from, uint32_t *to, int flags);
int futex_requeue_pi_call(uint32_t *from, uint32_t *to, unsigned n, int flags);

/* What stands in the operation of calls. */
int futex_flags(const struct bench_futex_params *p);

/*
 * How many threads; locks memory and sets the number of hash buckets, if that was asked for. A
 * negative errno with @diag.
 */
int futex_prepare(const struct bench_futex_params *p, size_t *ret_threads, struct diag *diag);

/* Undoes it. */
void futex_finish(const struct bench_futex_params *p);

/* How many buckets there are, or -1 if @p does not ask. */
int futex_buckets(const struct bench_futex_params *p);

/* Threads that wait for a futex, again and again. */
struct futex_sleepers {
	struct bench_gate *gate;
	pthread_t *threads;
	size_t n, started;
};

/* Starts @n threads, one for each CPU in turn. On failure all that were started are gone. */
int futex_sleepers_start(struct futex_sleepers *s, size_t n, void *(*fn)(void *), void *arg,
			 struct diag *diag);

/* Waits until all are asleep, as far as can be told; and for their end. */
void futex_sleepers_settle(struct futex_sleepers *s);
void futex_sleepers_join(struct futex_sleepers *s);
