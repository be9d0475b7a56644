/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "store/data.h"
#include "store/sums.h"

static void rows_of_one_kind_are_added_up(void **state)
{
	_cleanup_(fleet_sums_done) struct fleet_sums s = { 0 };

	(void)state;
	for (int64_t i = 0; i < 100000; i++)
		fleet_sums_add(&s, &(struct fleet_sum){ .minute = i % 2,
							.source = i % 3,
							.event = i % 5,
							.stack = i % 70,
							.samples = 1,
							.period = i });
	assert_int_equal(s.n, 2 * 3 * 5 * 7);
	for (size_t i = 0; i < s.n; i++)
		assert_true(s.items[i].samples == 100000 / 210 ||
			    s.items[i].samples == 100000 / 210 + 1);
	assert_int_equal(s.items[1].minute, 1);
	assert_int_equal(s.items[1].stack, 1);
}

static void they_have_the_order_of_the_databases(void **state)
{
	_cleanup_(fleet_sums_done) struct fleet_sums s = { 0 };
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	int64_t a = fleet_add_source(d, &(struct fleet_source){ "a", "", "", "y" });
	int64_t also = fleet_add_source(d, &(struct fleet_source){ "a", "", "", "x" });
	int64_t b = fleet_add_source(d, &(struct fleet_source){ "b", "", "", "x" });
	/* minute, host, event, period from the largest, stack, command */
	const struct fleet_sum wanted[] = {
		{ 0, a, 1, 9, 1, 70 },    { 0, a, 1, -3, 1, 50 }, { 0, also, 1, 4, 1, 50 },
		{ 0, a, 1, 4, 1, 50 },    { 0, a, 2, 1, 1, 90 },  { 0, b, 1, 1, 1, 99 },
		{ 60, also, 1, 1, 1, 5 },
	};
	static const size_t order[] = { 3, 6, 0, 5, 2, 1, 4 };

	(void)state;
	for (size_t i = 0; i < 7; i++)
		fleet_sums_add(&s, &wanted[order[i]]);
	fleet_sums_take(&s, d);
	assert_int_equal(d->tables[FLEET_SAMPLE].n, 7);
	for (size_t i = 0; i < 7; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_SAMPLE, i);

		assert_int_equal(row[SAMPLE_MINUTE].number, wanted[i].minute);
		assert_int_equal(row[SAMPLE_SOURCE].number, wanted[i].source);
		assert_int_equal(row[SAMPLE_EVENT].number, wanted[i].event);
		assert_int_equal(row[SAMPLE_STACK].number, wanted[i].stack);
		assert_int_equal(row[SAMPLE_PERIOD].number, wanted[i].period);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_one_kind_are_added_up),
		cmocka_unit_test(they_have_the_order_of_the_databases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
