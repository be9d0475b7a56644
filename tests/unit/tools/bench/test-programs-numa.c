/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/bench/programs/numa.h"
#include "tools/bench/programs/result.h"

static void every_test_of_the_suite_has_tasks_and_memory(void **state)
{
	size_t n = 0;

	(void)state;
	for (const struct bench_numa_test *t = bench_numa_suite; t->name; t++, n++) {
		struct bench_numa_params p;
		char *line;

		bench_numa_test_params(t, &p, &line);
		assert_true(p.processes > 0 && p.threads > 0 && p.mb_process + p.mb_thread > 0);
		assert_int_equal(p.thp, strstr(line, "--thp -1") ? -1 : 1);
		free(line);
		free((char *)p.cpus);
		free((char *)p.nodes);
	}
	assert_int_equal(n, 45);
}

static void tasks_work_on_memory(void **state)
{
	struct bench_numa_params p = BENCH_NUMA_DEFAULT;
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	p.words = "-p 2";
	p.processes = p.threads = 2;
	p.mb_process = p.mb_thread = p.mb_locked = 1;
	p.loops = 2;
	p.serialize = p.show_details = p.show_convergence = true;
	p.cpus = "0";
	assert_int_equal(bench_numa_mem(&p, 1, &r, &d), 0);
	assert_true(r.items[0].value > 0);
	/* Four tasks, two rounds of four blocks of a megabyte. */
	assert_true(r.numa.items[0].gb_total * 1e9 == 4 * 2 * 4 * (double)(1 << 20));
	assert_non_null(r.numa.items[0].convergence_text);
	assert_true(r.numa.items[0].pids[1] > 0);
}

static void what_the_machine_lacks_is_said(void **state)
{
	struct bench_numa_params p = BENCH_NUMA_DEFAULT;
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	p.words = "-M 999";
	p.nodes = "999";
	assert_int_equal(bench_numa_mem(&p, 1, &r, &d), -ENOSYS);
	assert_non_null(strstr(d.message, "nodes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_test_of_the_suite_has_tasks_and_memory),
		cmocka_unit_test(tasks_work_on_memory),
		cmocka_unit_test(what_the_machine_lacks_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
