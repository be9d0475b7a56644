/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "pairs/histogram.h"
#include "tools/hist/histogram-view.h"
#include "view/printed.h"

static struct histogram example(uint64_t max)
{
	struct histogram h;
	struct diag diag = { 0 };

	assert_int_equal(histogram_init(&h, &(struct histogram_scale){ .max = max }, &diag), 0);
	return h;
}

static void bars_are_scaled_to_the_largest_count(void **state)
{
	struct histogram h = example(16);
	struct printed p;

	(void)state;
	h.counts[2] = 2;
	h.counts[3] = 30;
	h.counts[4] = 446;
	printed_open(&p);
	histogram_print(p.out, &h);
	assert_printed(
		&p,
		"            Range          : Count    Distribution\n"
		"              -> -1        : 0        |                                      |\n"
		"            0 -> 0         : 0        |                                      |\n"
		"            1 -> 3         : 2        |#                                     |\n"
		"            4 -> 15        : 30       |###                                   |\n"
		"           16 ->           : 446      |######################################|\n");
	histogram_done(&h);
}

static void an_empty_histogram_has_no_bars(void **state)
{
	struct histogram h = example(1);
	struct printed p;

	(void)state;
	h.is_time = true;
	printed_open(&p);
	histogram_print(p.out, &h);
	assert_printed(
		&p,
		"            Range          : Count    Distribution\n"
		"            0 -> 0         : 0        |                                      |\n"
		"            1 ->           : 0        |                                      |\n");
	histogram_done(&h);
}

static void columns_grow_with_long_numbers(void **state)
{
	int64_t bounds[] = { INT64_MIN + 1, INT64_MAX };
	uint64_t counts[] = { 1, UINT64_MAX, 0 };
	struct histogram h = { .bounds = bounds, .n_bounds = 2, .counts = counts };
	struct printed p;

	(void)state;
	printed_open(&p);
	histogram_print(p.out, &h);
	assert_printed(&p, "                   Range                     : Count                "
			   "Distribution\n"
			   "                     -> -9223372036854775808 : 1                    "
			   "|#                                     |\n"
			   "-9223372036854775807 -> 9223372036854775806  : 18446744073709551615 "
			   "|######################################|\n"
			   " 9223372036854775807 ->                      : 0                    "
			   "|                                      |\n");
}

static void the_scale_is_described(void **state)
{
	struct text t = TEXT_EMPTY;

	(void)state;
	histogram_describe(&(struct histogram_scale){ 0 }, &t);
	assert_string_equal(t.chars, "power-of-4, max 1048576");
	text_clear(&t);
	histogram_describe(&(struct histogram_scale){ .kind = HISTOGRAM_STEPS, .step = 5 }, &t);
	assert_string_equal(t.chars, "steps of 5, max 100");
	text_clear(&t);
	histogram_describe(&(struct histogram_scale){ .kind = HISTOGRAM_GIVEN }, &t);
	assert_string_equal(t.chars, "specified buckets");
	text_done(&t);
}

static void json_has_a_line_for_each_table(void **state)
{
	struct histogram h = example(1);
	struct printed p;

	(void)state;
	h.counts[0] = 7;
	printed_open(&p);
	histogram_print_json(p.out, &h,
			     &(struct histogram_subject){ .event = "a:\"b\"", .field = "c" });
	histogram_print_json(p.out, &h,
			     &(struct histogram_subject){
				     .pairs = "block", .unit = "us", .time_ns = 1500000000 });
	assert_printed(&p,
		       "{\"event\": \"a:\\\"b\\\"\", \"field\": \"c\", \"total\": 7, \"rows\": ["
		       "{\"first\": null, \"last\": -1, \"count\": 7}, "
		       "{\"first\": 0, \"last\": 0, \"count\": 0}, "
		       "{\"first\": 1, \"last\": null, \"count\": 0}]}\n"
		       "{\"pairs\": \"block\", \"unit\": \"us\", \"time\": 1.500000, "
		       "\"total\": 7, \"rows\": ["
		       "{\"first\": null, \"last\": -1, \"count\": 7}, "
		       "{\"first\": 0, \"last\": 0, \"count\": 0}, "
		       "{\"first\": 1, \"last\": null, \"count\": 0}]}\n");
	histogram_done(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_are_scaled_to_the_largest_count),
		cmocka_unit_test(an_empty_histogram_has_no_bars),
		cmocka_unit_test(columns_grow_with_long_numbers),
		cmocka_unit_test(the_scale_is_described),
		cmocka_unit_test(json_has_a_line_for_each_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
