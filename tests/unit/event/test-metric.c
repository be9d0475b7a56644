/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "event/names.h"

static bool one_each(void *arg, const char *event, double *ret)
{
	(void)arg, (void)event;
	*ret = 1;
	return true;
}

/* Checks that a formula of data/metrics parses, uses only generic events, and has a value. */
static void check_event(const char *event, void *arg)
{
	uint64_t config;

	(void)arg;
	if (!named_event_find(event) && cache_event_parse(event, &config) < 0 &&
	    event_tool_find(event) == EVENT_TOOL_NONE)
		fail_msg("no such event: %s", event);
}

static void every_metric_can_be_computed(void **state)
{
	const struct metric_inputs in = { .event = one_each };
	size_t n;
	const struct metric *all = metrics(&n);

	(void)state;
	assert_true(n >= 14);
	for (size_t i = 0; i < n; i++) {
		_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
		_cleanup_(diag_done) struct diag diag = { 0 };
		double value;

		if (metric_compile(&all[i], &e, &diag) < 0)
			fail_msg("%s: %s", all[i].name, diag.message);
		metric_expr_for_each_event(e, check_event, NULL);
		assert_true(metric_expr_value(e, &in, &value));
	}
}

static void metrics_are_found_in_either_case(void **state)
{
	(void)state;
	assert_string_equal(metric_find(NULL, "ipc")->name, "IPC");
	assert_null(metric_find(NULL, "ip"));
}

static void a_word_selects_by_name_group_or_pattern(void **state)
{
	const struct metric m = { .name = "l1d_miss_rate", .groups = "Cache;Memory" };

	(void)state;
	assert_true(metric_selected(&m, "all"));
	assert_true(metric_selected(&m, "L1D_miss_rate"));
	assert_true(metric_selected(&m, "memory"));
	assert_true(metric_selected(&m, "*_rate"));
	assert_true(metric_selected(&m, "Cac*"));
	assert_false(metric_selected(&m, "l1d"));
	assert_false(metric_selected(&m, "Cache;Memory;"));
	assert_true(metric_in_group(&m, "cache"));
	assert_false(metric_in_group(&m, "l1d_miss_rate"));
}

static void a_metric_may_use_another(void **state)
{
	const struct metric m = { .name = "double",
				  .groups = "",
				  .expression = "2 * IPC + cycles" };
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	assert_int_equal(metric_compile(&m, &e, &diag), 0);
	metric_expr_events(e, &t);
	assert_string_equal(t.chars, "instructions,cpu-cycles,cycles");
}

static void a_bad_formula_is_refused(void **state)
{
	const struct metric m = { .name = "bad", .groups = "", .expression = "1 +" };
	struct metric_expr *e = (struct metric_expr *)1;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(metric_compile(&m, &e, &diag), -EINVAL);
	assert_ptr_equal(e, (struct metric_expr *)1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_metric_can_be_computed),
		cmocka_unit_test(metrics_are_found_in_either_case),
		cmocka_unit_test(a_word_selects_by_name_group_or_pattern),
		cmocka_unit_test(a_metric_may_use_another),
		cmocka_unit_test(a_bad_formula_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
