/* SPDX-License-Identifier: MIT */
#include "example-table.h"

static void rows_are_in_order_of_time(void **state)
{
	static const uint64_t times[] = { 500, 30, 1ull << 40, 30, 7, 1ull << 62, 31 };
	static const uint64_t sorted[] = { 7, 30, 30, 31, 500, 1ull << 40, 1ull << 62 };
	struct example_profile p;
	struct sample_table *t;
	const uint64_t *time, *period;

	(void)state;
	example_profile_init(&p);
	for (size_t i = 0; i < 7; i++)
		EXAMPLE_STACK(&p, 10, times[i], i, 0x1100);
	t = EXAMPLE_TABLE(&p, NULL, true, "time", "period");
	time = t->columns[0].values;
	period = t->columns[1].values;
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(time[i], sorted[i]);
	/* Samples of equal time keep the order of the file. */
	assert_int_equal(period[1], 1);
	assert_int_equal(period[2], 3);
	sample_table_unref(t);
	example_profile_done(&p);
}

/* More samples than are sorted together: those of two rings, of which one is ahead of the other. */
#define MANY 100000

static void many_rows_are_in_order_of_time(void **state)
{
	struct example_profile p;
	struct sample_table *t;
	const uint64_t *time, *period;

	(void)state;
	example_profile_init(&p);
	for (uint64_t i = 0; i < MANY; i++)
		EXAMPLE_STACK(&p, 10, 1000 + i / 2 * 2 - i % 200 / 100 * 150, i, 0x1100);
	t = EXAMPLE_TABLE(&p, NULL, true, "time", "period");
	time = t->columns[0].values;
	period = t->columns[1].values;
	assert_int_equal(t->n_rows, MANY);
	for (size_t i = 1; i < MANY; i++) {
		assert_true(time[i - 1] < time[i] ||
			    (time[i - 1] == time[i] && period[i - 1] < period[i]));
		assert_int_equal(time[i], 1000 + period[i] / 2 * 2 - period[i] % 200 / 100 * 150);
	}
	sample_table_unref(t);
	example_profile_done(&p);
}

static void names_are_numbered_by_their_first_row(void **state)
{
	struct example_profile p;
	struct sample_table *t;
	const struct sample_column *c;

	(void)state;
	example_profile_init(&p);
	EXAMPLE_STACK(&p, 20, 100, 1, 0x1100);
	EXAMPLE_STACK(&p, 10, 101, 1, 0x1100);
	EXAMPLE_STACK(&p, 20, 102, 1, 0x5100);
	t = EXAMPLE_TABLE(&p, NULL, false, "comm", "dso", "symbol");
	c = sample_table_find(t, "comm");
	assert_int_equal(c->names.n, 2);
	assert_string_equal(example_name(c, 0), "two");
	assert_string_equal(example_name(c, 1), "one");
	assert_int_equal(((int32_t *)c->values)[2], 0);
	assert_int_equal(sample_table_find(t, "dso")->names.n, 2);
	/* No image has symbols here. */
	c = sample_table_find(t, "symbol");
	assert_int_equal(c->n_null, 3);
	assert_int_equal(((int32_t *)c->values)[0], -1);
	sample_table_unref(t);
	example_profile_done(&p);
}

static void names_are_valid_utf8(void **state)
{
	struct example_profile p;
	struct sample_table *t;

	(void)state;
	example_profile_init(&p);
	comm(&p.recording, 30, 30, "a\xff\xc3\xbc\xe2\x86", 1);
	EXAMPLE_STACK(&p, 30, 100, 1, 0x1100);
	t = EXAMPLE_TABLE(&p, NULL, false, "comm");
	assert_string_equal(example_name(&t->columns[0], 0), "a\\xff\xc3\xbc\\xe2\\x86");
	sample_table_unref(t);
	example_profile_done(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_in_order_of_time),
		cmocka_unit_test(many_rows_are_in_order_of_time),
		cmocka_unit_test(names_are_numbered_by_their_first_row),
		cmocka_unit_test(names_are_valid_utf8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
