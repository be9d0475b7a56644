/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "workload/bench/report.h"

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

static int parse(const char *json, struct bench_report *r)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	int status = bench_report_parse(json, strlen(json), "it", r, &d);

	assert_true(status >= 0 || d.message);
	return status;
}

static void a_report_is_read(void **state)
{
	struct bench_report r = { 0 };

	(void)state;
	assert_int_equal(parse("{\"host\":\"h\",\"cpus\":3,\"benchmarks\":[{\"name\":\"a/b\","
			       "\"options\":\"-x\",\"figures\":[{\"name\":\"f\",\"unit\":\"s\","
			       "\"better\":\"more\",\"values\":[1,null,2]}]}],\"new\":[]}",
			       &r),
			 0);
	assert_string_equal(r.host, "h");
	assert_string_equal(r.kernel, "?");
	assert_int_equal(r.cpus, 3);
	assert_int_equal(r.items[0].items[0].n, 2);
	assert_int_equal(r.items[0].items[0].better, BENCH_MORE);
	bench_report_done(&r);
}

static void what_is_no_report_is_refused(void **state)
{
	static const char *const wrong[] = {
		"",
		"[]",
		"{}",
		"{\"benchmarks\":[]}",
		"{\"benchmarks\":[{}]}",
		"{\"benchmarks\":[{\"name\":\"a\"}]}",
		"{\"benchmarks\":[{\"name\":1,\"options\":\"\"}]}",
		"{\"benchmarks\":[{\"name\":\"a\",\"options\":\"\",\"figures\":[{}]}]}",
		"{\"benchmarks\":[{\"name\":\"a\",\"options\":\"\",\"figures\":[{\"name\":\"f\","
		"\"unit\":\"s\",\"better\":\"worse\"}]}]}",
		"{\"benchmarks\":[{\"name\":\"a\",\"options\":\"\",\"figures\":[{\"name\":\"f\","
		"\"unit\":\"s\",\"values\":[\"1\"]}]}]}",
		"{\"host\":1}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct bench_report r = { .cpus = 77 };

		assert_int_equal(parse(wrong[i], &r), -EBADMSG);
		assert_int_equal(r.cpus, 77);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_runs_are_one_series),
		cmocka_unit_test(one_value_has_no_interval),
		cmocka_unit_test(a_report_is_read),
		cmocka_unit_test(what_is_no_report_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
