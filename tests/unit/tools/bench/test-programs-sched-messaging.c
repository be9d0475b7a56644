/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "left-behind.h"
#include "tools/bench/programs/sched.h"

static void everybody_hears_everybody(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		const struct bench_messaging_params p = {
			.groups = 2, .loops = 2, .pipe = i & 1, .threads = i & 2
		};
		const struct left_behind before = left_behind_now();
		struct bench_result r = { 0 };

		run_bench(bench_sched_messaging, &p, 1, &r);
		assert_int_equal(r.layout, BENCH_LAYOUT_MESSAGING);
		assert_int_equal(r.messaging.per_group, 20);
		assert_int_equal(r.messaging.groups, 2);
		assert_int_equal(r.messaging.threads, p.threads);
		assert_int_equal(r.n, 1);
		assert_figure(&r.items[0], "time", "s", BENCH_LESS, false);
		assert_true(r.items[0].value == r.seconds);
		bench_result_done(&r);
		assert_nothing_more_than(&before);
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
}

static void without_a_message_nobody_waits(void **state)
{
	const struct bench_messaging_params p = { .groups = 1, .loops = 0 };
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	run_bench(bench_sched_messaging, &p, 1, &r);
	assert_int_equal(r.messaging.groups, 1);
	assert_false(r.messaging.threads);
}

static void numbers_of_groups_are_limited(void **state)
{
	struct bench_messaging_params p = { .groups = 0, .loops = 1 };

	(void)state;
	assert_bench_refuses(bench_sched_messaging, &p, -EINVAL, "-g");
	p.groups = 10001;
	assert_bench_refuses(bench_sched_messaging, &p, -EINVAL, "10000: a group is 40 tasks");
}

/* Some tasks exist already when there are no more files for the others. */
static void too_few_files_end_it_and_are_explained(void **state)
{
	const struct left_behind before = left_behind_now();
	struct rlimit limit, low;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	low = limit;
	low.rlim_cur = 20;
	for (int threads = 0; threads < 2; threads++) {
		const struct bench_messaging_params p = { .groups = 1,
							  .loops = 1,
							  .threads = threads };
		_cleanup_(bench_result_done) struct bench_result r = { 0 };
		_cleanup_(diag_done) struct diag d = { 0 };

		/* A hard limit cannot be raised again, so it is lowered only in a child. */
		pid_t pid = fork();
		int status;

		if (!pid) {
			low.rlim_max = 20;
			setrlimit(RLIMIT_NOFILE, &low);
			_exit(bench_sched_messaging(&p, 1, &r, &d) == -EMFILE &&
					      strstr(d.message, "connected") &&
					      strstr(d.hint, "may have 20 files open")
				      ? 0
				      : 1);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	assert_nothing_more_than(&before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everybody_hears_everybody),
		cmocka_unit_test(without_a_message_nobody_waits),
		cmocka_unit_test(numbers_of_groups_are_limited),
		cmocka_unit_test(too_few_files_end_it_and_are_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
