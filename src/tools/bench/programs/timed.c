/* SPDX-License-Identifier: MIT */
#include "tools/bench/programs/timed.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "base/diag.h"
#include "base/memory.h"

#define SECONDS_MAX 1000000

struct bench_timed_state {
	const struct bench_timed_threads *plan;
	struct bench_gate gate;
	volatile bool over;
};

struct bench_timed_thread {
	struct bench_timed_state *state;
	void *worker;
	pthread_t id;
};

static void *bench_timed_run_thread(void *arg)
{
	struct bench_timed_thread *t = arg;

	if (bench_gate_pass(&t->state->gate))
		t->state->plan->work(t->worker, &t->state->over);
	return NULL;
}

static int bench_timed_start(struct bench_timed_state *state, struct bench_timed_thread *threads,
			     size_t *ret_n, struct diag *diag)
{
	const struct bench_timed_threads *plan = state->plan;
	int *cpus, r = 0;
	size_t n_cpus = bench_cpus(&cpus), i = 0;

	for (; i < plan->n && r >= 0; i += r >= 0) {
		threads[i] = (struct bench_timed_thread){
			.state = state, .worker = (char *)plan->workers + i * plan->size
		};
		r = bench_thread_start(&threads[i].id,
				       plan->unbound || !n_cpus ? -1 : cpus[i % n_cpus],
				       bench_timed_run_thread, &threads[i], diag);
	}
	free(cpus);
	*ret_n = i;
	return r;
}

/* Sleeps until the time is over; Ctrl-C ends this, and no other signal. */
static void pass_time(uint64_t seconds)
{
	struct timespec left = { .tv_sec = (time_t)seconds };

	while (nanosleep(&left, &left) < 0 && errno == EINTR && !bench_interrupted)
		;
}

static int bench_timed_measure(struct bench_timed_state *state, uint64_t seconds,
			       double *ret_seconds, struct diag *diag)
{
	const struct bench_timed_threads *plan = state->plan;
	struct sigaction before;
	double begin;
	int r = bench_interrupts_begin(&before);

	if (r < 0)
		return r;
	begin = bench_now();
	bench_gate_open(&state->gate);
	if (plan->begin)
		r = plan->begin(plan->arg, &state->over, diag);
	if (r >= 0)
		pass_time(seconds);
	state->over = true;
	*ret_seconds = bench_now() - begin;
	bench_interrupts_end(&before);
	return r;
}

int bench_timed_run(const struct bench_timed_threads *t, uint64_t seconds, double *ret_seconds,
		    struct diag *diag)
{
	struct bench_timed_thread *threads;
	struct bench_timed_state state = { .plan = t };
	size_t n;
	int r;

	if (!seconds || seconds > SECONDS_MAX)
		return diag_set(diag, -EINVAL, "--runtime is a number of seconds from 1 to %d",
				SECONDS_MAX);
	threads = xcalloc(t->n, sizeof(*threads));
	bench_gate_init(&state.gate, t->n);
	r = bench_timed_start(&state, threads, &n, diag);
	if (r < 0) {
		bench_gate_call_off(&state.gate);
	} else {
		r = bench_timed_measure(&state, seconds, ret_seconds, diag);
		if (t->end)
			t->end(t->arg);
	}
	for (size_t i = 0; i < n; i++)
		pthread_join(threads[i].id, NULL);
	bench_gate_done(&state.gate);
	free(threads);
	return r;
}
