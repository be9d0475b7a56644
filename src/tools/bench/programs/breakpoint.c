/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/breakpoint.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/thread.h"
#include "tools/bench/programs/result.h"

#define BREAKPOINTS_MAX 1024
#define THREADS_MAX     65536

/* The watched memory, which is never written. */
struct bench_breakpoint_watched {
	_Alignas(8) volatile char bytes[8];
};

static int bench_breakpoint_explain(struct diag *diag, int error, size_t at)
{
	diag_set(diag, error, "breakpoint %zu cannot be set: %s", at + 1, strerror(-error));
	if (error == -ENOSPC)
		diag_hint(diag,
			  "The machine has no more of them. Other programs, as debuggers, may "
			  "hold some.");
	else if (error == -EACCES || error == -EPERM)
		diag_hint(diag, "It needs kernel.perf_event_paranoid of at most 2, or "
				"CAP_PERFMON.");
	else
		diag_hint(diag, "This machine, or its hypervisor, has no hardware breakpoints.");
	return error;
}

/* Sets a breakpoint that is inherited by threads that this one starts. */
static int set_one(const struct bench_breakpoint_watched *watched, size_t at, struct diag *diag)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_BREAKPOINT,
					.size = sizeof(attr),
					.inherit = 1,
					.exclude_kernel = 1,
					.exclude_hv = 1,
					.bp_type = HW_BREAKPOINT_RW,
					.bp_len = HW_BREAKPOINT_LEN_1 };
	long fd;

	attr.bp_addr = (uint64_t)(uintptr_t)&watched->bytes[0];
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? bench_breakpoint_explain(diag, -errno, at) : (int)fd;
}

struct rounds {
	const struct bench_breakpoint_thread_params *params;
	atomic_long left;
	atomic_int error;
};

static void *do_nothing(void *arg)
{
	return arg;
}

static int start_and_join(size_t n, pthread_t *threads)
{
	size_t started = 0;
	int r = 0;

	for (; started < n && !r; started += !r)
		r = thread_start(&threads[started], do_nothing, NULL);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	return r;
}

static void *bench_breakpoint_run_rounds(void *arg)
{
	struct rounds *rounds = arg;
	size_t n = rounds->params->threads;
	pthread_t *threads = xcalloc(n, sizeof(*threads));
	int r = 0;

	while (r >= 0 && atomic_fetch_sub(&rounds->left, 1) > 0)
		r = start_and_join(n, threads);
	if (r < 0)
		atomic_store(&rounds->error, r);
	free(threads);
	return NULL;
}

static int run_workers(struct rounds *rounds, double *ret_seconds, struct diag *diag)
{
	size_t n = rounds->params->parallelism, started = 0;
	pthread_t *workers = xcalloc(n, sizeof(*workers));
	double begin = bench_now();
	int r = 0;

	for (; started < n && r >= 0; started += r >= 0)
		r = bench_thread_start(&workers[started], -1, bench_breakpoint_run_rounds, rounds,
				       diag);
	for (size_t i = 0; i < started; i++)
		pthread_join(workers[i], NULL);
	*ret_seconds = bench_now() - begin;
	free(workers);
	if (r >= 0 && atomic_load(&rounds->error) < 0)
		r = bench_explain(diag, atomic_load(&rounds->error), "a thread cannot be started");
	return r;
}

static void add_thread_figures(struct bench_result *ret, double seconds, unsigned parallelism)
{
	bench_figures_of_ops(ret, seconds, ret->ops.ops);
	bench_figure_add(ret, "usecs/op/cpu", "usecs", BENCH_LESS,
			 seconds * 1e6 / ret->ops.ops * parallelism);
}

int bench_breakpoint_thread(const void *params, unsigned repeat, struct bench_result *ret,
			    struct diag *diag)
{
	const struct bench_breakpoint_thread_params *p = params;
	struct rounds rounds = { .params = p, .left = repeat };
	struct bench_breakpoint_watched *watched;
	double seconds = 0;
	size_t n = 0;
	int *fds, r = 0;

	if (p->breakpoints > BREAKPOINTS_MAX || !p->parallelism || !p->threads ||
	    p->parallelism > THREADS_MAX || p->threads > THREADS_MAX)
		return diag_set(diag, -EINVAL,
				"-b is at most %d, -p and -t are numbers from 1 to %d",
				BREAKPOINTS_MAX, THREADS_MAX);
	fds = xcalloc(p->breakpoints + 1, sizeof(*fds));
	watched = xcalloc(p->breakpoints + 1, sizeof(*watched));
	for (; n < p->breakpoints && r >= 0; n += r >= 0) {
		r = set_one(&watched[n], n, diag);
		fds[n] = r;
	}
	if (r >= 0)
		r = run_workers(&rounds, &seconds, diag);
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
	free(fds);
	free(watched);
	if (r < 0)
		return r;
	ret->layout = BENCH_LAYOUT_OPS;
	ret->ops = (struct bench_ops){ .kind = BENCH_OPS_BREAKPOINT_THREAD,
				       .loops = repeat,
				       .ops = (double)repeat * (double)p->threads,
				       .breakpoints = (unsigned)p->breakpoints,
				       .parallelism = (unsigned)p->parallelism };
	add_thread_figures(ret, seconds, (unsigned)p->parallelism);
	return 0;
}

/* Threads that have the breakpoint. They sleep or run until the flag is set. */
struct crowd {
	atomic_int over;
	struct bench_gate gate;
	pthread_mutex_t lock;
	pthread_cond_t end;
};

static void *sleep_on(void *arg)
{
	struct crowd *c = arg;

	if (!bench_gate_pass(&c->gate))
		return NULL;
	pthread_mutex_lock(&c->lock);
	while (!atomic_load(&c->over))
		pthread_cond_wait(&c->end, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static void *run_on(void *arg)
{
	struct crowd *c = arg;

	if (bench_gate_pass(&c->gate))
		while (!atomic_load_explicit(&c->over, memory_order_relaxed))
			;
	return NULL;
}

static void crowd_end(struct crowd *c, const pthread_t *threads, size_t n)
{
	pthread_mutex_lock(&c->lock);
	atomic_store(&c->over, 1);
	pthread_cond_broadcast(&c->end);
	pthread_mutex_unlock(&c->lock);
	for (size_t i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->end);
	bench_gate_done(&c->gate);
}

static int bench_breakpoint_toggle(int fd, unsigned repeat, double *ret_seconds, struct diag *diag)
{
	double begin = bench_now();

	for (unsigned i = 0; i < repeat; i++)
		if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) < 0 ||
		    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
			return diag_set(diag, -errno, "the breakpoint cannot be switched: %s",
					strerror(errno));
	*ret_seconds = bench_now() - begin;
	return 0;
}

int bench_breakpoint_enable(const void *params, unsigned repeat, struct bench_result *ret,
			    struct diag *diag)
{
	const struct bench_breakpoint_enable_params *p = params;
	size_t n = p->passive + p->active, started = 0;
	_cleanup_(freep) pthread_t *threads = NULL;
	struct bench_breakpoint_watched watched = { { 0 } };
	struct crowd crowd = { .over = 0 };
	_cleanup_(closep) int fd = -1;
	double seconds = 0;
	int r = 0;

	if (p->passive > THREADS_MAX || p->active > THREADS_MAX)
		return diag_set(diag, -EINVAL, "-p and -a are at most %d", THREADS_MAX);
	fd = set_one(&watched, 0, diag);
	if (fd < 0)
		return fd;
	threads = xcalloc(n + 1, sizeof(*threads));
	pthread_mutex_init(&crowd.lock, NULL);
	pthread_cond_init(&crowd.end, NULL);
	bench_gate_init(&crowd.gate, n);
	for (; started < n && r >= 0; started += r >= 0)
		r = bench_thread_start(&threads[started], -1,
				       started < p->passive ? sleep_on : run_on, &crowd, diag);
	if (r < 0) {
		bench_gate_call_off(&crowd.gate);
	} else {
		bench_gate_open(&crowd.gate);
		r = bench_breakpoint_toggle(fd, repeat, &seconds, diag);
	}
	crowd_end(&crowd, threads, started);
	if (r < 0)
		return r;
	ret->layout = BENCH_LAYOUT_OPS;
	ret->ops = (struct bench_ops){ .kind = BENCH_OPS_BREAKPOINT_ENABLE,
				       .loops = repeat,
				       .passive = (unsigned)p->passive,
				       .active = (unsigned)p->active };
	bench_figures_of_ops(ret, seconds, repeat);
	return 0;
}
