/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "heat-sample.h"

static struct heat_map map;
static struct heat_picture picture;

static int setup(void **state)
{
	(void)state;
	heat_sample(&map, &picture);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	heat_map_done(&map);
	return 0;
}

static void a_cell_tells_times_values_count_and_share_of_its_column(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	heat_add_cell(&t, &picture, 0, 0);
	assert_string_equal(t.chars, "0 s to 1 s, 0 to 1 ms: 7 pairs, 87.5% of the column");
	text_clear(&t);
	heat_add_cell(&t, &picture, 2, 1); /* the column's other value is above the rows */
	assert_string_equal(t.chars, "2 s to 3 s, 1 ms to 2 ms: 1 pair, 50.0% of the column");
	text_done(&t);
}

static void the_summary_tells_what_is_not_shown(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	heat_add_summary(&t, &picture);
	assert_string_equal(t.chars,
			    "10 pairs, 500 \xc2\xb5s to 3 ms, in columns of 1 s; 1 above 2 "
			    "ms not shown");
	text_done(&t);
}

static void time_begins_at_the_first_column(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	heat_add_time_name(&t, &picture);
	assert_string_equal(t.chars, "time since 5.000250 s");
	text_done(&t);
}

static void ticks_lie_where_their_values_do(void **state)
{
	struct heat_tick ticks[SCALE_TICKS_MAX];

	(void)state;
	assert_int_equal(heat_x_ticks(&picture, 3, ticks), 4);
	assert_string_equal(ticks[1].label, "1 s");
	assert_true(ticks[1].place > 0.333 && ticks[1].place < 0.334);
	assert_int_equal(heat_y_ticks(&picture, 2, ticks), 3);
	assert_string_equal(ticks[1].label, "1 ms");
	assert_true(ticks[1].place == 0.5);
	assert_true(ticks[2].place == 1);
}

static void ticks_of_a_logarithmic_axis_follow_its_rows(void **state)
{
	uint64_t bounds[] = { 0, 1, 10, 100, 1000 };
	struct heat_map m = { .rows = { bounds, 4 }, .is_log = true };
	struct heat_picture p = { .map = &m };
	struct heat_tick ticks[SCALE_TICKS_MAX];

	(void)state;
	assert_int_equal(heat_y_ticks(&p, 4, ticks), 4);
	assert_string_equal(ticks[0].label, "1");
	assert_true(ticks[0].place == 0.25);
	assert_string_equal(ticks[3].label, "1K");
	assert_true(ticks[3].place == 1);
}

static void shades_go_from_one_to_the_highest_count(void **state)
{
	struct heat_map m = { .highest = 10000 };

	(void)state;
	assert_true(heat_shade(&m, 1) == 0);
	assert_true(heat_shade(&m, 100) > 0.49 && heat_shade(&m, 100) < 0.51);
	assert_true(heat_shade(&m, 10000) == 1);
	assert_true(heat_shade_count(&m, 0.5) > 99 && heat_shade_count(&m, 0.5) < 101);
	m.highest = 1;
	assert_true(heat_shade(&m, 1) == 1);
	assert_true(heat_strength(0) > 0.1);
	assert_true(heat_strength(1) == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cell_tells_times_values_count_and_share_of_its_column),
		cmocka_unit_test(the_summary_tells_what_is_not_shown),
		cmocka_unit_test(time_begins_at_the_first_column),
		cmocka_unit_test(ticks_lie_where_their_values_do),
		cmocka_unit_test(ticks_of_a_logarithmic_axis_follow_its_rows),
		cmocka_unit_test(shades_go_from_one_to_the_highest_count),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
