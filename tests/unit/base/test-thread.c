/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "base/thread.h"

static void *take_mask(void *arg)
{
	pthread_sigmask(SIG_BLOCK, NULL, arg);
	return NULL;
}

static void only_faults_reach_a_thread(void **state)
{
	static const int held[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCHLD, SIGUSR2, SIGALRM };
	static const int let[] = { SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
	pthread_t thread;
	sigset_t mask, before, after;

	(void)state;
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	assert_int_equal(thread_start(&thread, take_mask, &mask), 0);
	pthread_join(thread, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(held); i++)
		assert_int_equal(sigismember(&mask, held[i]), 1);
	for (size_t i = 0; i < ARRAY_SIZE(let); i++)
		assert_int_equal(sigismember(&mask, let[i]), 0);
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	for (int i = 1; i < SIGRTMAX; i++)
		assert_int_equal(sigismember(&before, i), sigismember(&after, i));
}

static void *use_stack(void *arg)
{
	volatile char much[512 * 1024];

	for (size_t i = 0; i < sizeof(much); i += 1024)
		much[i] = 1;
	*(int *)arg = much[0];
	return NULL;
}

static void the_stack_does_not_depend_on_the_limit(void **state)
{
	const struct rlimit small = { 65536, RLIM_INFINITY };
	struct rlimit before;
	pthread_t thread;
	int used = 0;

	(void)state;
	getrlimit(RLIMIT_STACK, &before);
	setrlimit(RLIMIT_STACK, &(struct rlimit){ small.rlim_cur, before.rlim_max });
	assert_int_equal(thread_start(&thread, use_stack, &used), 0);
	pthread_join(thread, NULL);
	setrlimit(RLIMIT_STACK, &before);
	assert_int_equal(used, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_faults_reach_a_thread),
		cmocka_unit_test(the_stack_does_not_depend_on_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
