/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include <stdio.h>

#include "tools/bench/programs/numa.h"

static const struct bench_numa_test *find(const char *name)
{
	for (const struct bench_numa_test *t = bench_numa_suite; t->name; t++)
		if (!strcmp(t->name, name))
			return t;
	fail_msg("there is no '%s'", name);
	return NULL;
}

static void assert_test(const char *name, const struct bench_numa_params *expected,
			const char *expected_line)
{
	struct bench_numa_params p;
	char *line;

	bench_numa_test_params(find(name), &p, &line);
	assert_string_equal(line, expected_line);
	assert_int_equal(p.processes, expected->processes);
	assert_int_equal(p.threads, expected->threads);
	assert_int_equal(p.mb_process, expected->mb_process);
	assert_int_equal(p.mb_thread, expected->mb_thread);
	assert_int_equal(p.seconds, expected->seconds);
	assert_int_equal(p.thp, expected->thp);
	assert_int_equal(p.init_cpu0, expected->init_cpu0);
	assert_int_equal(p.random_walk, expected->random_walk);
	assert_int_equal(p.show_convergence, expected->show_convergence);
	assert_int_equal(p.measure_convergence, expected->measure_convergence);
	assert_true(p.init_zero && p.zero_memset && p.quiet);
	assert_int_equal(!p.cpus, !expected->cpus);
	assert_int_equal(!p.nodes, !expected->nodes);
	if (p.cpus)
		assert_string_equal(p.cpus, expected->cpus);
	if (p.nodes)
		assert_string_equal(p.nodes, expected->nodes);
	/* All other parameters have their defaults. */
	assert_int_equal(p.mb_global, 1);
	assert_int_equal(p.loops, -1);
	assert_true(p.writes && p.backwards);
	assert_false(p.all || p.reads);
	free(line);
	free((char *)p.cpus);
	free((char *)p.nodes);
}

static void each_kind_has_its_options(void **state)
{
	(void)state;
	assert_test("RAM-bw-local-2x",
		    &(struct bench_numa_params){ .processes = 2,
						 .threads = 1,
						 .mb_process = 1024,
						 .cpus = "0,2",
						 .nodes = "0x2",
						 .seconds = 20,
						 .thp = 1 },
		    "mem -p 2 -t 1 -P 1024 -C 0,2 -M 0x2 -s 20 -zZq --thp  1 --no-data_rand_walk");
	assert_test(" 8x4-convergence-NOTHP",
		    &(struct bench_numa_params){ .processes = 8,
						 .threads = 4,
						 .mb_process = 512,
						 .seconds = 100,
						 .thp = -1,
						 .init_cpu0 = true,
						 .random_walk = true,
						 .show_convergence = true,
						 .measure_convergence = true },
		    "mem -p 8 -t 4 -P 512 -s 100 -zZ0qcm --thp  1 --thp -1");
	assert_test("numa01-bw-thread",
		    &(struct bench_numa_params){ .processes = 2,
						 .threads = 16,
						 .mb_thread = 192,
						 .seconds = 20,
						 .thp = 1,
						 .init_cpu0 = true,
						 .random_walk = true },
		    "mem -p 2 -t 16 -T 192 -s 20 -zZ0q --thp  1");
	/* The line has two blanks before a number. */
	assert_test(" 8x1-bw-process",
		    &(struct bench_numa_params){ .processes = 8,
						 .threads = 1,
						 .mb_process = 512,
						 .seconds = 20,
						 .thp = 1,
						 .init_cpu0 = true,
						 .random_walk = true },
		    "mem -p 8 -t 1 -P  512 -s 20 -zZ0q --thp  1");
}

static void names_say_what_is_run(void **state)
{
	(void)state;
	for (const struct bench_numa_test *t = bench_numa_suite; t->name; t++) {
		unsigned processes, threads;
		struct bench_numa_params p;
		char *line;

		bench_numa_test_params(t, &p, &line);
		assert_int_equal(t->no_thp, strstr(t->name, "NOTHP") != NULL);
		assert_int_equal(t->kind == BENCH_NUMA_CONVERGENCE,
				 strstr(t->name, "convergence") != NULL);
		assert_int_equal(t->kind == BENCH_NUMA_RAM, !strncmp(t->name, "RAM", 3));
		if (sscanf(t->name, " %ux%u-", &processes, &threads) == 2) {
			assert_int_equal(p.processes, processes);
			assert_int_equal(p.threads, threads);
		}
		free(line);
		free((char *)p.cpus);
		free((char *)p.nodes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_has_its_options),
		cmocka_unit_test(names_say_what_is_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
