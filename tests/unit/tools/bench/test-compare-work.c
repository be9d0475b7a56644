/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/compare.h"
#include "base/diag.h"
#include "base/notes.h"
#include "tools/bench/compare-work.h"
#include "tools/bench/internals-work.h"
#include "tools/bench/programs/report.h"

static void fill(struct bench_report *r, const char *options, double first)
{
	bench_report_describe(r);
	for (int i = 0; i < 3; i++) {
		_cleanup_(bench_result_done) struct bench_result result = { 0 };

		bench_figures_of_ops(&result, first + i * 0.01, 1);
		bench_entry_add(bench_report_entry(r, "a/b", options), &result);
	}
}

static void figures_of_both_are_compared_once(void **state)
{
	struct bench_report a = { 0 }, b = { 0 };
	struct notes notes = { 0 };
	struct compare *c;

	(void)state;
	fill(&a, "-l 1", 1);
	fill(&b, "-l 1", 2);
	c = bench_compare(&a, &b, &notes);
	assert_int_equal(c->n_rows, 1);
	assert_string_equal(c->rows[0]->name, "a/b -l 1 usecs/op");
	assert_int_equal(c->rows[0]->differences[1].verdict, COMPARE_MORE);
	assert_int_equal(notes.n, 0);
	compare_free(c);
	bench_report_done(&a);
	bench_report_done(&b);
}

static void other_options_are_not_compared(void **state)
{
	struct bench_report a = { 0 }, b = { 0 };
	struct notes notes = { 0 };
	struct compare *c;

	(void)state;
	fill(&a, "-l 1", 1);
	fill(&b, "-l 2", 2);
	c = bench_compare(&a, &b, &notes);
	assert_int_equal(c->n_rows, 0);
	assert_int_equal(notes.n, 1);
	assert_non_null(strstr(notes.items[0].what.message, "other options"));
	compare_free(c);
	notes_done(&notes);
	bench_report_done(&a);
	bench_report_done(&b);
}

static void parts_of_perf_are_measured(void **state)
{
	const struct bench_iterations_params once = { 1 };
	const struct bench_synthesize_params synthesize = { .single_iterations = 1,
							    .multi_iterations = 1,
							    .min_threads = 1,
							    .max_threads = 2,
							    .single = true,
							    .multi = true };
	_cleanup_(bench_result_done) struct bench_result scan = { 0 }, tasks = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(bench_internals_pmu_scan(&once, 1, &scan, &d), 0);
	assert_int_equal(scan.n, 2);
	assert_int_equal(bench_internals_synthesize(&synthesize, 1, &tasks, &d), 0);
	assert_int_equal(tasks.n, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_both_are_compared_once),
		cmocka_unit_test(other_options_are_not_compared),
		cmocka_unit_test(parts_of_perf_are_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
