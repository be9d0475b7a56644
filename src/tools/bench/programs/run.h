/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What benchmarks share: clocks, processes and threads that never outlive them, and the end by
 * time or Ctrl-C.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct bench_result;
struct diag;

/* How often: of benchmarks that repeat something inside, and without -r. */
#define BENCH_REPEAT 10

/*
 * A benchmark: measures once, with @params of its own type. @repeat is for those that repeat
 * something inside. A negative errno comes with @diag; then nothing it has started still runs.
 */
typedef int bench_fn(const void *params, unsigned repeat, struct bench_result *ret,
		     struct diag *diag);

/* Seconds of a clock that only goes forward. */
double bench_now(void);

/*
 * fork() of a child that the kernel kills when this thread ends, however it ends. Returns as
 * fork() does, or a negative errno.
 */
pid_t bench_fork(void);

/*
 * Waits for @pid. 0; -ECHILD: it is not ours; -EIO: it did not end with status 0, and @diag says
 * how it ended.
 */
int bench_wait(pid_t pid, struct diag *diag);

/* Kills and reaps those of @n children that still run; those that are 0 or below are left out. */
void bench_reap(const pid_t *pids, size_t n);

/* CPUs that this process may run on, ascending. The caller frees *@ret. Returns how many. */
size_t bench_cpus(int **ret);

/* How many there are. */
unsigned bench_n_cpus(void);

/*
 * Becomes 1 on Ctrl-C between bench_interrupts_begin() and _end(), in which what has been measured
 * until then still counts. Outside of it Ctrl-C ends perf as usual.
 */
extern volatile sig_atomic_t bench_interrupted;
int bench_interrupts_begin(struct sigaction *ret_before);
void bench_interrupts_end(const struct sigaction *before);

/*
 * Threads that begin their work together. Initialised with their number; each calls gate_pass(),
 * and whoever started them gate_open(), which returns when all have come.
 */
struct bench_gate {
	pthread_mutex_t lock;
	pthread_cond_t came, open;
	size_t missing;
	bool is_open, is_called_off;
};

void bench_gate_init(struct bench_gate *g, size_t n);
void bench_gate_done(struct bench_gate *g);
bool bench_gate_pass(struct bench_gate *g); /* false: there is nothing to be done after all */
void bench_gate_open(struct bench_gate *g);
void bench_gate_call_off(struct bench_gate *g); /* for those that have come, if others cannot */

/*
 * Starts a thread, on @cpu alone unless that is below 0. A negative errno with @diag, which names
 * the limit if it is one.
 */
int bench_thread_start(pthread_t *ret, int cpu, void *(*fn)(void *), void *arg, struct diag *diag);

/* Why processes, threads, files or memory cannot be had: which limit it is, and what raises it. */
int bench_explain(struct diag *diag, int error, const char *what);

/* mlockall(); a negative errno with @diag. */
int bench_lock_memory(struct diag *diag);

/* Bytes that can be used without taking them from others: MemAvailable. UINT64_MAX: not known. */
uint64_t bench_memory_available(void);
