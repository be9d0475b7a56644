/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

static void the_clock_only_goes_forward(void **state)
{
	double before = bench_now();

	(void)state;
	usleep(2000);
	assert_true(bench_now() - before >= 0.002);
}

static int wait_for(int status, int signal_nr, struct diag *d)
{
	pid_t pid = bench_fork();

	if (!pid) {
		if (signal_nr)
			raise(signal_nr);
		_exit(status);
	}
	assert_true(pid > 0);
	return bench_wait(pid, d);
}

static void how_a_process_ended_is_told(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(wait_for(0, 0, &d), 0);
	assert_null(d.message);
	assert_int_equal(wait_for(EPIPE, 0, &d), -EIO);
	assert_non_null(strstr(d.message, "failed: Broken pipe"));
	assert_int_equal(wait_for(0, SIGKILL, &d), -EIO);
	assert_non_null(strstr(d.message, "signal 9"));
	assert_int_equal(bench_wait(getpid(), &d), -ECHILD);
	assert_non_null(strstr(d.message, "cannot wait"));
}

static void children_are_ended_and_reaped(void **state)
{
	pid_t pids[3] = { 0, 0, -1 };

	(void)state;
	pids[0] = bench_fork();
	if (!pids[0])
		for (;;)
			pause();
	bench_reap(pids, 3);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void the_cpus_are_those_it_may_run_on(void **state)
{
	cpu_set_t before, one;
	int *cpus;
	size_t n;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	n = bench_cpus(&cpus);
	assert_int_equal(n, CPU_COUNT(&before));
	assert_int_equal(bench_n_cpus(), n);
	for (size_t i = 0; i < n; i++) {
		assert_true(CPU_ISSET((size_t)cpus[i], &before));
		assert_true(!i || cpus[i] > cpus[i - 1]);
	}
	CPU_ZERO(&one);
	CPU_SET((size_t)cpus[n - 1], &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	free(cpus);
	assert_int_equal(bench_cpus(&cpus), 1);
	assert_true(CPU_ISSET((size_t)cpus[0], &one));
	free(cpus);
	sched_setaffinity(0, sizeof(before), &before);
}

static void ctrl_c_is_noted_between_begin_and_end(void **state)
{
	struct sigaction before, after;

	(void)state;
	bench_interrupted = 1;
	assert_int_equal(bench_interrupts_begin(&before), 0);
	assert_int_equal(bench_interrupted, 0);
	raise(SIGINT);
	assert_int_equal(bench_interrupted, 1);
	bench_interrupts_end(&before);
	sigaction(SIGINT, NULL, &after);
	assert_ptr_equal(after.sa_handler, SIG_DFL);
}

struct visitor {
	struct bench_gate *gate;
	pthread_t thread;
	bool passed;
};

static void *visit(void *arg)
{
	struct visitor *v = arg;

	v->passed = bench_gate_pass(v->gate);
	return NULL;
}

static void a_gate_opens_when_all_have_come(void **state)
{
	(void)state;
	for (int calls_off = 0; calls_off < 2; calls_off++) {
		_cleanup_(diag_done) struct diag d = { 0 };
		struct visitor v[3] = { { 0 } };
		struct bench_gate g;

		bench_gate_init(&g, 3);
		assert_int_equal(g.missing, 3);
		/* If the gate is called off, one thread never comes. */
		for (int i = calls_off; i < 3; i++) {
			v[i].gate = &g;
			assert_int_equal(bench_thread_start(&v[i].thread, -1, visit, &v[i], &d), 0);
		}
		if (calls_off)
			bench_gate_call_off(&g);
		else
			bench_gate_open(&g);
		for (int i = calls_off; i < 3; i++) {
			pthread_join(v[i].thread, NULL);
			assert_int_equal(v[i].passed, !calls_off);
		}
		bench_gate_done(&g);
	}
}

static void *count_cpus(void *arg)
{
	unsigned *n = arg;

	*n = bench_n_cpus();
	return NULL;
}

static void a_thread_is_on_its_cpu_or_on_any(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	unsigned n = 0;
	pthread_t thread;
	int *cpus;

	(void)state;
	bench_cpus(&cpus);
	assert_int_equal(bench_thread_start(&thread, cpus[0], count_cpus, &n, &d), 0);
	pthread_join(thread, NULL);
	assert_int_equal(n, 1);
	assert_int_equal(bench_thread_start(&thread, -1, count_cpus, &n, &d), 0);
	pthread_join(thread, NULL);
	assert_int_equal(n, bench_n_cpus());
	/* This CPU does not exist. */
	assert_int_equal(bench_thread_start(&thread, 65535, count_cpus, &n, &d), -EINVAL);
	assert_non_null(strstr(d.message, "a thread cannot be started"));
	free(cpus);
}

static void assert_explains(int error, const char *word)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *message = xasprintf("it: %s", strerror(-error));

	assert_int_equal(bench_explain(&d, error, "it"), error);
	assert_string_equal(d.message, message);
	if (word)
		assert_non_null(strstr(d.hint, word));
	else
		assert_null(d.hint);
}

static void limits_are_explained(void **state)
{
	(void)state;
	assert_explains(-EAGAIN, "kernel.threads-max");
	assert_explains(-EMFILE, "ulimit -n");
	assert_explains(-ENFILE, "fs.file-max");
	assert_explains(-ENOMEM, "Less memory");
	assert_explains(-EPERM, "seccomp");
	assert_explains(-EACCES, "seccomp");
	assert_explains(-ENOSYS, "seccomp");
	assert_explains(-EINVAL, NULL);
}

static void limits_of_users_are_named(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct rlimit before, low;

	(void)state;
	getrlimit(RLIMIT_NPROC, &before);
	low = before;
	low.rlim_cur = 123456 < before.rlim_max ? 123456 : before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NPROC, &low), 0);
	bench_explain(&d, -EAGAIN, "it");
	assert_non_null(strstr(d.hint, "processes and threads: see 'ulimit -u'"));
	setrlimit(RLIMIT_NPROC, &before);
}

static void memory_is_locked_or_the_limit_is_named(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = bench_lock_memory(&d);

	(void)state;
	if (r < 0) {
		assert_non_null(strstr(d.message, "(-m)"));
		assert_non_null(strstr(d.hint, "ulimit -l"));
	} else {
		assert_int_equal(munlockall(), 0);
		assert_null(d.message);
	}
}

static void there_is_some_memory(void **state)
{
	uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

	(void)state;
	assert_in_range(bench_memory_available(), 1 << 20, all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_clock_only_goes_forward),
		cmocka_unit_test(how_a_process_ended_is_told),
		cmocka_unit_test(children_are_ended_and_reaped),
		cmocka_unit_test(the_cpus_are_those_it_may_run_on),
		cmocka_unit_test(ctrl_c_is_noted_between_begin_and_end),
		cmocka_unit_test(a_gate_opens_when_all_have_come),
		cmocka_unit_test(a_thread_is_on_its_cpu_or_on_any),
		cmocka_unit_test(limits_are_explained),
		cmocka_unit_test(limits_of_users_are_named),
		cmocka_unit_test(memory_is_locked_or_the_limit_is_named),
		cmocka_unit_test(there_is_some_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
