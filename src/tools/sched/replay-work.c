/* SPDX-License-Identifier: MIT */
#include "tools/sched/replay-work.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/thread.h"
#include "tools/sched/replay-model.h"

#define NS_PER_S     UINT64_C(1000000000)
#define TEST_NS      UINT64_C(1000000)
#define TESTS        10
#define STACK_BYTES  (64 * 1024)
#define SHORT_NAP_NS UINT64_C(10000)

struct actor {
	struct sched_replayer *replayer;
	const struct sched_replay_task *task;
	pthread_t thread;
	bool is_started;
	sem_t go;    /* posted when a round begins */
	sem_t woken; /* posted by the task that wakes it */
};

struct sched_replayer {
	const struct sched_replay *replay;
	uint64_t run_overhead;
	struct actor *actors; /* indexed by the number of the task */
	size_t n_started;
	atomic_size_t n_busy;
	sem_t finished;
	uint64_t begin; /* the round's begin */
	bool quits;
};

/* Uses @ns of CPU time, including @overhead for this function itself. */
static void sched_replay_burn(uint64_t ns, uint64_t overhead)
{
	uint64_t begin;

	if (ns <= overhead)
		return;
	begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin < ns - overhead)
		;
}

/* Sleeps until @time of the monotonic clock. */
static void sched_replay_sleep_until(uint64_t time)
{
	const struct timespec t = { .tv_sec = (time_t)(time / NS_PER_S),
				    .tv_nsec = (long)(time % NS_PER_S) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static uint64_t time_of_run(uint64_t ns, uint64_t overhead)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	sched_replay_burn(ns, overhead);
	return clock_ns(CLOCK_MONOTONIC) - begin;
}

static uint64_t time_of_sleep(uint64_t ns)
{
	uint64_t begin = clock_ns(CLOCK_MONOTONIC);

	sched_replay_sleep_until(begin + ns);
	return clock_ns(CLOCK_MONOTONIC) - begin;
}

struct sched_calibration sched_calibrate(void)
{
	struct sched_calibration c = { .run_overhead = UINT64_MAX, .sleep_overhead = UINT64_MAX };

	for (int i = 0; i < TESTS; i++) {
		uint64_t run = time_of_run(1, 0), nap = time_of_sleep(SHORT_NAP_NS);

		if (run < c.run_overhead)
			c.run_overhead = run;
		if (nap - SHORT_NAP_NS < c.sleep_overhead)
			c.sleep_overhead = nap - SHORT_NAP_NS;
	}
	c.run_test = time_of_run(TEST_NS, c.run_overhead);
	c.sleep_test = time_of_sleep(TEST_NS);
	return c;
}

static void sched_replay_wait_for(sem_t *s)
{
	while (sem_wait(s) < 0 && errno == EINTR)
		;
}

static void do_step(struct actor *a, const struct sched_step *s)
{
	struct sched_replayer *p = a->replayer;

	switch ((enum sched_step_kind)s->kind) {
	case SCHED_STEP_RUN:
		if (a->task->tid)
			sched_replay_burn(s->ns, p->run_overhead);
		else
			sched_replay_sleep_until(p->begin + s->ns);
		break;
	case SCHED_STEP_SLEEP:
		if (s->is_paired)
			sched_replay_wait_for(&a->woken);
		break;
	case SCHED_STEP_WAKE:
		if (s->is_paired)
			sem_post(&p->actors[s->target].woken);
		break;
	}
}

static void *sched_replay_act(void *arg)
{
	struct actor *a = arg;
	struct sched_replayer *p = a->replayer;

	for (;;) {
		sched_replay_wait_for(&a->go);
		if (p->quits)
			return NULL;
		for (size_t i = 0; i < a->task->n; i++)
			do_step(a, &a->task->items[i]);
		if (atomic_fetch_sub(&p->n_busy, 1) == 1)
			sem_post(&p->finished);
	}
}

/*
 * True if the task needs a thread. The first step of each task is a sleep, and a task that only
 * sleeps needs none.
 */
static bool does_something(const struct sched_replay_task *t)
{
	return t->n > 1;
}

static int sched_replay_check(const struct sched_replay *r, struct diag *diag)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += does_something(&r->items[i]);
	if (n <= SCHED_REPLAY_THREADS_MAX)
		return 0;
	diag_set(diag, -E2BIG,
		 "the recording has %zu tasks that run, and at most %d are done again at once", n,
		 SCHED_REPLAY_THREADS_MAX);
	diag_hint(diag, "Record for a shorter time.");
	return -E2BIG;
}

static int sched_replay_start(struct sched_replayer *p, struct actor *a, struct diag *diag)
{
	pthread_attr_t attr;
	int r;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	r = thread_start_with(&a->thread, &attr, sched_replay_act, a);
	pthread_attr_destroy(&attr);
	if (r < 0) {
		diag_set(diag, r, "cannot start thread %zu of the tasks: %s", p->n_started + 1,
			 strerror(-r));
		diag_hint(diag, "The limit may be that of processes (ulimit -u), or the cgroup's "
				"pids.max.");
		return r;
	}
	a->is_started = true;
	p->n_started++;
	return 0;
}

int sched_replayer_new(const struct sched_replay *r, const struct sched_calibration *c,
		       struct sched_replayer **ret, struct diag *diag)
{
	_cleanup_(sched_replayer_freep) struct sched_replayer *p = NULL;
	int status = sched_replay_check(r, diag);

	if (status < 0)
		return status;
	p = xcalloc(1, sizeof(*p));
	p->replay = r;
	p->run_overhead = c->run_overhead;
	p->actors = xcalloc(r->n + 1, sizeof(*p->actors));
	sem_init(&p->finished, 0, 0);
	for (size_t i = 0; i < r->n; i++) {
		struct actor *a = &p->actors[i];

		*a = (struct actor){ .replayer = p, .task = &r->items[i] };
		sem_init(&a->go, 0, 0);
		sem_init(&a->woken, 0, 0);
	}
	for (size_t i = 0; i < r->n && status >= 0; i++)
		if (does_something(&r->items[i]))
			status = sched_replay_start(p, &p->actors[i], diag);
	if (status < 0)
		return status;
	*ret = TAKE(p);
	return 0;
}

static void begin_all(struct sched_replayer *p)
{
	for (size_t i = 0; i < p->replay->n; i++)
		if (p->actors[i].is_started)
			sem_post(&p->actors[i].go);
}

void sched_replayer_free(struct sched_replayer *p)
{
	if (!p)
		return;
	p->quits = true;
	begin_all(p);
	for (size_t i = 0; i < p->replay->n; i++) {
		struct actor *a = &p->actors[i];

		if (a->is_started)
			pthread_join(a->thread, NULL);
		sem_destroy(&a->go);
		sem_destroy(&a->woken);
	}
	sem_destroy(&p->finished);
	free(p->actors);
	free(p);
}

/* Discards wake-ups of tasks that only sleep, so that they do not count in the next round. */
static void sched_replay_drain(struct sched_replayer *p)
{
	for (size_t i = 0; i < p->replay->n; i++)
		while (sem_trywait(&p->actors[i].woken) == 0)
			;
}

struct sched_round sched_replayer_run(struct sched_replayer *p)
{
	uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	struct sched_round round;

	p->begin = clock_ns(CLOCK_MONOTONIC);
	atomic_store(&p->n_busy, p->n_started);
	begin_all(p);
	if (p->n_started)
		sched_replay_wait_for(&p->finished);
	round.wall_ns = clock_ns(CLOCK_MONOTONIC) - p->begin;
	round.cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	sched_replay_drain(p);
	return round;
}
