/* SPDX-License-Identifier: MIT */
#include "benches.h"

#include <math.h>
#include <sys/utsname.h>

#include "tools/bench/programs/report.h"

static void values_of_runs_are_one_series(void **state)
{
	struct bench_report r = { 0 };

	(void)state;
	for (int i = 1; i <= 3; i++) {
		_cleanup_(bench_result_done) struct bench_result result = { 0 };

		bench_figures_of_ops(&result, i, 2);
		bench_entry_add(bench_report_entry(&r, "a/b", "-l 2"), &result);
	}
	assert_int_equal(r.n, 1);

	const struct bench_series *s = bench_entry_find(&r.items[0], "usecs/op");
	double half, mean = bench_series_mean(s, &half);

	assert_int_equal(s->n, 3);
	assert_true(mean == 1e6);
	/* t(0.975, 2) = 4.3027, the error of the mean is 0.5e6 / sqrt(3). */
	assert_true(fabs(half - 1242067) < 100);
	assert_false(s->derived);
	assert_true(bench_entry_find(&r.items[0], "time")->derived);
	assert_null(bench_entry_find(&r.items[0], "nothing"));
	bench_report_done(&r);
}

static void one_value_has_no_interval(void **state)
{
	double value = 5, half = 1;
	const struct bench_series s = { .items = &value, .n = 1 };

	(void)state;
	assert_true(bench_series_mean(&s, &half) == 5);
	assert_true(half == 0);
}

static void benchmarks_are_told_apart_by_name_and_options(void **state)
{
	struct bench_report r = { 0 };
	char name[] = "a";

	(void)state;
	assert_string_equal(bench_report_entry(&r, name, "-x")->name, "a");
	name[0] = 'b';
	bench_report_entry(&r, "a", "-y");
	bench_report_entry(&r, "b", "-x");
	assert_int_equal(r.n, 3);
	assert_ptr_equal(bench_report_entry(&r, "a", "-x"), &r.items[0]);
	assert_ptr_equal(bench_report_entry(&r, "a", "-y"), &r.items[1]);
	assert_ptr_equal(bench_report_entry(&r, "b", "-x"), &r.items[2]);
	assert_int_equal(r.n, 3);
	assert_string_equal(r.items[0].name, "a");
	assert_string_equal(r.items[1].options, "-y");
	bench_report_done(&r);
	assert_int_equal(r.n, 0);
	assert_null(r.items);
}

static void series_are_as_their_figures(void **state)
{
	_cleanup_(bench_result_done) struct bench_result result = { 0 };
	struct bench_report r = { 0 };
	struct bench_entry *e = bench_report_entry(&r, "a", "");

	(void)state;
	bench_figure_add(&result, "x", "s", BENCH_LESS, 1);
	bench_figure_add(&result, "y", "B", BENCH_MORE, 2);
	bench_figure_add(&result, "x", "s", BENCH_LESS, 3);
	result.items[1].derived = true;
	bench_entry_add(e, &result);
	assert_int_equal(e->n, 2);
	assert_string_equal(e->items[0].name, "x");
	assert_string_equal(e->items[0].unit, "s");
	assert_int_equal(e->items[0].better, BENCH_LESS);
	assert_false(e->items[0].derived);
	assert_int_equal(e->items[0].n, 2);
	assert_true(e->items[0].items[0] == 1 && e->items[0].items[1] == 3);
	assert_string_equal(e->items[1].name, "y");
	assert_string_equal(e->items[1].unit, "B");
	assert_int_equal(e->items[1].better, BENCH_MORE);
	assert_true(e->items[1].derived);
	assert_int_equal(e->items[1].n, 1);
	assert_ptr_equal(bench_entry_find(e, "y"), &e->items[1]);
	bench_report_done(&r);
}

static void two_values_have_an_interval(void **state)
{
	double values[] = { 1, 3 }, half = 0;
	const struct bench_series s = { .items = values, .n = 2 };

	(void)state;
	assert_true(bench_series_mean(&s, &half) == 2);
	/* t(0.975, 1) = 12.706, the error of the mean is 1. */
	assert_true(fabs(half - 12.706) < 0.01);
}

static void this_machine_is_described(void **state)
{
	struct bench_report r = { 0 };
	struct utsname name;

	(void)state;
	uname(&name);
	bench_report_describe(&r);
	assert_string_equal(r.host, name.nodename);
	assert_string_equal(r.kernel, name.release);
	assert_string_equal(r.machine, name.machine);
	assert_int_equal(r.cpus, sysconf(_SC_NPROCESSORS_ONLN));
	/* 2026-01-02T03:04:05Z */
	assert_int_equal(strlen(r.date), 20);
	assert_int_equal(strspn(r.date, "0123456789"), 4);
	assert_int_equal(r.date[10], 'T');
	assert_int_equal(r.date[19], 'Z');
	bench_report_done(&r);
	assert_null(r.host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_runs_are_one_series),
		cmocka_unit_test(one_value_has_no_interval),
		cmocka_unit_test(benchmarks_are_told_apart_by_name_and_options),
		cmocka_unit_test(series_are_as_their_figures),
		cmocka_unit_test(two_values_have_an_interval),
		cmocka_unit_test(this_machine_is_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
