/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions that benchmarks share: clocks, processes and threads that never outlive them, and
 * the end by time or Ctrl-C.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct bench_result;
struct diag;

/*
 * The default number of repetitions, for benchmarks that repeat something inside, and without -r.
 */
#define BENCH_REPEAT 10

/*
 * A benchmark: measures once, with @params of its own type. @repeat is for those that repeat
 * something inside. A negative errno comes with @diag; then none of its processes or threads still
 * runs.
 */
typedef int bench_fn(const void *params, unsigned repeat, struct bench_result *ret,
		     struct diag *diag);

/* Returns the seconds of a clock that only goes forward. */
double bench_now(void);

/*
 * Forks a child that the kernel kills when this thread ends, however it ends. Returns the result of
 * fork(), or a negative errno.
 */
pid_t bench_fork(void);

/*
 * Waits for @pid. Returns 0; -ECHILD: it is not ours; -EIO: it did not end with status 0, and @diag
 * says how it ended.
 */
int bench_wait(pid_t pid, struct diag *diag);

/* Kills and reaps those of @n children that still run; pids of 0 or below are skipped. */
void bench_reap(const pid_t *pids, size_t n);

/*
 * Finds the CPUs on which this process may run, ascending. The caller frees *@ret. Returns how
 * many.
 */
size_t bench_cpus(int **ret);

/* Returns how many CPUs there are. */
unsigned bench_n_cpus(void);

/*
 * Becomes 1 on Ctrl-C between bench_interrupts_begin() and _end(); the results until then still
 * count. Outside of it Ctrl-C ends perf as usual.
 */
extern volatile sig_atomic_t bench_interrupted;
int bench_interrupts_begin(struct sigaction *ret_before);
void bench_interrupts_end(const struct sigaction *before);

/*
 * A gate for threads that begin their work together. Initialised with their number; each calls
 * bench_gate_pass(), and the thread that started them calls bench_gate_open(), which returns when
 * all have come.
 */
struct bench_gate {
	pthread_mutex_t lock;
	pthread_cond_t came, open;
	size_t missing;
	bool is_open, is_called_off;
};

void bench_gate_init(struct bench_gate *g, size_t n);
void bench_gate_done(struct bench_gate *g);
bool bench_gate_pass(struct bench_gate *g); /* false: called off, there is nothing to do */
void bench_gate_open(struct bench_gate *g);
/* releases waiting threads, if others cannot be started */
void bench_gate_call_off(struct bench_gate *g);

/*
 * Starts a thread, on @cpu alone unless that is below 0. Returns a negative errno with @diag, which
 * names the limit if there is one.
 */
int bench_thread_start(pthread_t *ret, int cpu, void *(*fn)(void *), void *arg, struct diag *diag);

/*
 * Explains why processes, threads, files or memory are not available: which limit it is, and how to
 * raise it.
 */
int bench_explain(struct diag *diag, int error, const char *what);

/* Calls mlockall(); returns a negative errno with @diag. */
int bench_lock_memory(struct diag *diag);

/*
 * Returns the bytes that can be used without taking them from other programs: MemAvailable.
 * UINT64_MAX: not known.
 */
uint64_t bench_memory_available(void);
