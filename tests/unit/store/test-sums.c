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
	struct fleet_sum rows[210];

	(void)state;
	for (int64_t i = 0; i < 210 * 500; i++) {
		rows[i % 210] = (struct fleet_sum){ .minute = i % 2,
						    .source = (uint32_t)(i % 3),
						    .event = (uint32_t)(i % 5),
						    .stack = i % 70,
						    .samples = 1,
						    .period = i };
		if (i % 210 == 209)
			fleet_sums_add(&s, rows, 210);
	}
	assert_int_equal(s.n, 2 * 3 * 5 * 7);
	for (size_t i = 0; i < s.n; i++)
		assert_int_equal(s.items[i].samples, 500);
	assert_int_equal(s.items[1].minute, 1);
	assert_int_equal(s.items[1].stack, 1);
	fleet_sums_clear(&s);
	fleet_sums_add(&s, rows, 2);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.items[1].samples, 1);
}

static void sums_stay_at_the_largest_number(void **state)
{
	_cleanup_(fleet_sums_done) struct fleet_sums s = { 0 };
	const struct fleet_sum rows[2] = { { .samples = INT64_MAX, .period = 1 },
					   { .samples = 1, .period = 1 } };

	(void)state;
	fleet_sums_add(&s, rows, 2);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.items[0].samples, INT64_MAX);
	assert_int_equal(s.items[0].period, 2);
}

static void check_thirds(int64_t samples, int64_t a, int64_t b, int64_t c)
{
	const struct fleet_sum sum = {
		.minute = 60, .stack = 7, .samples = samples, .period = 5, .source = 1, .event = 2
	};
	const int64_t wanted[] = { a, b, c };
	struct fleet_sum found[FLEET_THIRDS];
	size_t n = fleet_thirds(&sum, found), k = 0;

	for (int64_t i = 0; i < FLEET_THIRDS; i++) {
		if (i && !wanted[i])
			continue;
		assert_int_equal(found[k].minute, 60 + 20 * i);
		assert_int_equal(found[k].samples, wanted[i]);
		assert_int_equal(found[k].period, i ? 0 : 5);
		assert_int_equal(found[k].stack, 0);
		assert_int_equal(found[k].source, 1);
		assert_int_equal(found[k++].event, 2);
	}
	assert_int_equal(n, k);
}

static void samples_are_spread_over_a_minute(void **state)
{
	struct fleet_sum found[FLEET_THIRDS];

	(void)state;
	check_thirds(0, 0, 0, 0);
	check_thirds(1, 0, 0, 1);
	check_thirds(2, 0, 1, 1);
	check_thirds(3, 1, 1, 1);
	check_thirds(4, 1, 1, 2);
	check_thirds(-1, -1, 0, 0);
	check_thirds(INT64_MAX, INT64_MAX / 3, INT64_MAX / 3, INT64_MAX / 3 + 1);
	assert_int_equal(
		fleet_thirds(&(struct fleet_sum){ .minute = INT64_MAX, .samples = 3 }, found), 1);
}

static void they_have_the_order_of_the_databases(void **state)
{
	_cleanup_(fleet_sums_done) struct fleet_sums s = { 0 };
	_cleanup_(fleet_data_freep) struct fleet_data *d = fleet_data_new();
	const int64_t sources[] = {
		fleet_add_source(d, &(struct fleet_source){ "a", "", "", "y" }),
		fleet_add_source(d, &(struct fleet_source){ "b", "", "", "x" }),
		fleet_add_source(d, &(struct fleet_source){ "a", "", "", "x" }),
	};
	const int64_t events[] = { 2, 1 };
	const uint32_t a = 0, b = 1, also = 2;
	/* minute, host, event, period from the largest, stack, command */
	const struct fleet_sum wanted[] = {
		{ 0, 9, 1, 70, a, 1 },    { 0, -3, 1, 50, a, 1 }, { 0, 4, 1, 50, also, 1 },
		{ 0, 4, 1, 50, a, 1 },    { 0, 1, 1, 90, a, 0 },  { 0, 1, 1, 99, b, 1 },
		{ 60, 1, 1, 5, also, 1 },
	};
	static const size_t order[] = { 3, 6, 0, 5, 2, 1, 4 };

	(void)state;
	for (size_t i = 0; i < 7; i++)
		fleet_sums_add(&s, &wanted[order[i]], 1);
	fleet_sums_take(&s, sources, 3, events, d);
	assert_int_equal(d->tables[FLEET_SAMPLE].n, 7);
	for (size_t i = 0; i < 7; i++) {
		const union fleet_cell *row = fleet_row(d, FLEET_SAMPLE, i);

		assert_int_equal(row[SAMPLE_MINUTE].number, wanted[i].minute);
		assert_int_equal(row[SAMPLE_SOURCE].number, sources[wanted[i].source]);
		assert_int_equal(row[SAMPLE_EVENT].number, events[wanted[i].event]);
		assert_int_equal(row[SAMPLE_STACK].number, wanted[i].stack);
		assert_int_equal(row[SAMPLE_PERIOD].number, wanted[i].period);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_one_kind_are_added_up),
		cmocka_unit_test(sums_stay_at_the_largest_number),
		cmocka_unit_test(samples_are_spread_over_a_minute),
		cmocka_unit_test(they_have_the_order_of_the_databases),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
