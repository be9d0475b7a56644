/* SPDX-License-Identifier: MIT */
#include "tools/query/plan-work.h"

#include "example-rows.h"

#define NUMBER(x)                                                                                  \
	{                                                                                          \
		.kind = BOUND_NUMBER, .low = x, .high = x                                          \
	}

static struct rows *some_rows(void)
{
	return EXAMPLE_ROWS({ 10, 1, "a" }, { 20, 2, "b" }, { 30, 1, "b" }, { 40, 2, "a" },
			    { 50, 1, "a" });
}

/* Returns the rows of a scan as a number with a digit for each row, from 1 on. */
static unsigned long scanned(struct rows *r, const struct scan_plan *p,
			     const struct plan_bound *bounds)
{
	struct scan s;
	unsigned long found = 0;

	for (scan_begin(&s, r, p, bounds); scan_has_row(&s); scan_next(&s))
		found = found * 10 + scan_row(&s) + 1;
	return found;
}

static void a_range_of_time_is_bisected(void **state)
{
	struct rows *r = some_rows();
	const struct scan_plan p = { .conditions = { { 0, PLAN_ABOVE }, { 0, PLAN_BELOW } },
				     .n_conditions = 2 };
	const struct plan_bound bounds[] = { NUMBER(20), NUMBER(40) };
	struct scan s;

	(void)state;
	assert_int_equal(scanned(r, &p, bounds), 234);
	scan_begin(&s, r, &p, bounds);
	assert_int_equal(s.n_checks, 0);
	rows_free(r);
}

static void a_value_is_looked_up_and_its_rows_are_in_order_of_time(void **state)
{
	struct rows *r = some_rows();
	const struct scan_plan p = { .conditions = { { 1, PLAN_EQUAL }, { 0, PLAN_ABOVE } },
				     .n_conditions = 2,
				     .looks_up = true,
				     .order = { { 0, true } },
				     .n_order = 1 };
	const struct plan_bound bounds[] = { NUMBER(1), NUMBER(11) };

	(void)state;
	assert_int_equal(scanned(r, &p, bounds), 53);
	rows_free(r);
}

static void the_value_with_the_fewest_rows_is_looked_up(void **state)
{
	struct rows *r = some_rows();
	const struct scan_plan p = { .conditions = { { 1, PLAN_EQUAL }, { 2, PLAN_EQUAL } },
				     .n_conditions = 2,
				     .looks_up = true };
	const struct plan_bound bounds[] = { NUMBER(1),
					     { .kind = BOUND_TEXT, .text = "b", .length = 1 } };
	struct scan s;

	(void)state;
	assert_int_equal(scanned(r, &p, bounds), 3);
	scan_begin(&s, r, &p, bounds);
	assert_int_equal(s.end - s.first, 1);
	rows_free(r);
}

static void an_order_leaves_conditions_to_checks(void **state)
{
	struct rows *r = some_rows();
	const struct scan_plan p = { .conditions = { { 0, PLAN_ABOVE } },
				     .n_conditions = 1,
				     .order = { { 1, true } },
				     .n_order = 1 };
	const struct plan_bound bounds[] = { NUMBER(20) };

	(void)state;
	assert_int_equal(scanned(r, &p, bounds), 2435);
	rows_free(r);
}

static void nothing_equals_null_and_what_is_not_known_passes(void **state)
{
	struct rows *r = some_rows();
	const struct scan_plan p = { .conditions = { { 1, PLAN_EQUAL } },
				     .n_conditions = 1,
				     .looks_up = true };
	const struct plan_bound none = { .kind = BOUND_NONE }, any = { .kind = BOUND_ANY };
	const struct plan_bound text = { .kind = BOUND_TEXT, .text = "1", .length = 1 };

	(void)state;
	assert_int_equal(scanned(r, &p, &none), 0);
	assert_int_equal(scanned(r, &p, &any), 12345);
	assert_int_equal(scanned(r, &p, &text), 12345);
	rows_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_of_time_is_bisected),
		cmocka_unit_test(a_value_is_looked_up_and_its_rows_are_in_order_of_time),
		cmocka_unit_test(the_value_with_the_fewest_rows_is_looked_up),
		cmocka_unit_test(an_order_leaves_conditions_to_checks),
		cmocka_unit_test(nothing_equals_null_and_what_is_not_known_passes),
	};

	return cmocka_run_group_tests_name("query/plan", tests, NULL, NULL);
}
