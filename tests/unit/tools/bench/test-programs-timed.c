/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include <sched.h>
#include <signal.h>

#include "tools/bench/programs/timed.h"

struct worker {
	uint64_t ops;
	int cpus; /* number of CPUs that it may run on */
};

struct seen {
	size_t begun, ended;
	bool was_over;
	int error; /* of begin */
};

static void work(void *arg, volatile bool *over)
{
	struct worker *w = arg;
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	w->cpus = CPU_COUNT(&set);
	while (!*over) {
		w->ops++;
		usleep(1000);
	}
}

static int on_begin(void *arg, volatile bool *over, struct diag *diag)
{
	struct seen *s = arg;

	s->begun++;
	s->was_over = *over;
	return s->error < 0 ? diag_set(diag, s->error, "no beginning") : 0;
}

static void on_end(void *arg)
{
	struct seen *s = arg;

	s->ended++;
}

static int run(struct worker *workers, size_t n, bool unbound, struct seen *seen, uint64_t seconds,
	       double *ret_seconds, struct diag *diag)
{
	const struct bench_timed_threads threads = { .n = n,
						     .unbound = unbound,
						     .work = work,
						     .workers = workers,
						     .size = sizeof(*workers),
						     .begin = seen ? on_begin : NULL,
						     .end = seen ? on_end : NULL,
						     .arg = seen };

	return bench_timed_run(&threads, seconds, ret_seconds, diag);
}

static void each_thread_works_on_what_is_its_own(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct worker workers[4] = { { 0 } };
	struct seen seen = { 0 };
	struct sigaction before, after;
	double seconds = 0;

	(void)state;
	sigaction(SIGINT, NULL, &before);
	assert_int_equal(run(workers, 3, false, &seen, 1, &seconds, &d), 0);
	assert_true(seconds >= 1);
	for (size_t i = 0; i < 3; i++) {
		assert_true(workers[i].ops > 0);
		assert_int_equal(workers[i].cpus, 1);
	}
	assert_int_equal(workers[3].ops, 0);
	assert_int_equal(seen.begun, 1);
	assert_int_equal(seen.ended, 1);
	assert_false(seen.was_over);
	/* Ctrl-C ends perf again, as before. */
	sigaction(SIGINT, NULL, &after);
	assert_ptr_equal(after.sa_handler, before.sa_handler);
}

static void unbound_threads_run_anywhere(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct worker workers[2] = { { 0 } };
	double seconds = 0;

	(void)state;
	assert_int_equal(run(workers, 2, true, NULL, 1, &seconds, &d), 0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(workers[i].cpus, bench_n_cpus());
}

static void a_beginning_that_fails_ends_it(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct worker workers[2] = { { 0 } };
	struct seen seen = { .error = -EMFILE };
	double seconds = 0;

	(void)state;
	/* Without the error it would take a million seconds. */
	assert_int_equal(run(workers, 2, true, &seen, 1000000, &seconds, &d), -EMFILE);
	assert_string_equal(d.message, "no beginning");
	assert_int_equal(seen.ended, 1);
}

static void times_are_limited(void **state)
{
	struct worker workers[2] = { { 0 } };
	struct seen seen = { 0 };
	double seconds = 7;

	(void)state;
	for (int i = 0; i < 2; i++) {
		_cleanup_(diag_done) struct diag d = { 0 };

		assert_int_equal(run(workers, 2, true, &seen, i ? 1000001 : 0, &seconds, &d),
				 -EINVAL);
		assert_non_null(strstr(d.message, "from 1 to 1000000"));
	}
	assert_int_equal(seen.begun + seen.ended, 0);
	assert_true(seconds == 7);
}

/* Sends Ctrl-C again and again until it has ended, because the first may come too early. */
static void *interrupt(void *arg)
{
	volatile bool *ended = arg;

	while (!*ended) {
		if (bench_interrupted)
			kill(getpid(), SIGUSR1);
		usleep(10000);
	}
	return NULL;
}

static void ignore(int signal)
{
	(void)signal;
	bench_interrupted = 1;
}

static int interrupt_on_begin(void *arg, volatile bool *over, struct diag *diag)
{
	(void)arg, (void)over, (void)diag;
	return raise(SIGINT) ? -EIO : 0;
}

static void ctrl_c_ends_it_with_what_was_measured(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct worker workers[1] = { { 0 } };
	const struct bench_timed_threads threads = { .n = 1,
						     .work = work,
						     .workers = workers,
						     .size = sizeof(workers[0]),
						     .begin = interrupt_on_begin };
	struct sigaction action = { .sa_handler = ignore };
	volatile bool ended = false;
	double seconds = 0;
	pthread_t thread;

	(void)state;
	sigaction(SIGUSR1, &action, NULL);
	assert_int_equal(pthread_create(&thread, NULL, interrupt, (void *)&ended), 0);
	assert_int_equal(bench_timed_run(&threads, 1000000, &seconds, &d), 0);
	ended = true;
	pthread_join(thread, NULL);
	assert_true(seconds > 0 && seconds < 1000);
	assert_int_equal(bench_interrupted, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_works_on_what_is_its_own),
		cmocka_unit_test(unbound_threads_run_anywhere),
		cmocka_unit_test(a_beginning_that_fails_ends_it),
		cmocka_unit_test(times_are_limited),
		cmocka_unit_test(ctrl_c_ends_it_with_what_was_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
