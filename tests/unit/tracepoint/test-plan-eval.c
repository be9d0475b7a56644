/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void division_is_signed_where_its_operands_are(void **state)
{
	(void)state;
	assert_text(
		"`%d %d %ld %d %d`, REC->i / 2, REC->i % 3, REC->l / 2, REC->b % 7, REC->u / 2 > 0",
		"-2 -2 -3 4 1");
}

static void division_by_zero_and_of_the_smallest_number_end(void **state)
{
	(void)state;
	assert_text("`%d %d %lld`, REC->b / 0, REC->b % 0, (-9223372036854775807LL - 1) / -1",
		    "0 200 -9223372036854775808");
	assert_text("`%lld %lld`, REC->l / (REC->i + 4), REC->l % (REC->i + 4)", "7 0");
	assert_text("`%d`, REC->b / (REC->yes - 1)", "0");
}

static void shifts_keep_the_sign_and_stay_within_the_type(void **state)
{
	(void)state;
	assert_text("`%d %ld %u %lx %d`, REC->i >> 1, REC->l >> 1, REC->u >> 28, 1UL << 63, 1 << "
		    "31 >> 31",
		    "-3 -4 15 8000000000000000 -1");
	assert_text("`%d %d`, REC->yes << 33, 1 << REC->b", "2 256");
}

static void strings_are_found_by_offset_and_by_distance(void **state)
{
	(void)state;
	assert_text("`%s|%s|%s|`, __get_str(name), __get_rel_str(near), __get_str(none)",
		    "hello|rel||");
	assert_text("`%s`, REC->name", "hello");
}

static void an_array_without_size_goes_on_to_the_end(void **state)
{
	(void)state;
	assert_text("`%s`, REC->rest", "hello");
}

static void jiffies_need_the_length_of_a_tick(void **state)
{
	(void)state;
	const struct tracepoint_machine unknown = { 0 };
	_cleanup_(freep) char *ticks = text_of_bytes("`%u`, jiffies_to_msecs(REC->b)", &unknown,
						     plan_record, sizeof(plan_record));

	assert_text("`%u`, jiffies_to_msecs(REC->b)", "800");
	assert_string_equal(ticks, "200");
}

static void a_machine_of_the_other_byte_order_is_read_right(void **state)
{
	(void)state;
	const struct tracepoint_machine other = { .swap = true };
	_cleanup_(freep) uint8_t *record = malloc(sizeof(plan_record));
	_cleanup_(freep) char *text = NULL;

	memcpy(record, plan_record, sizeof(plan_record));
	memcpy(record + 8, "\xff\xff\xff\xfb", 4);
	memcpy(record + 32, "\xff\xfd", 2);
	memcpy(record + 16, "\xff\xff\xff\xff\xff\xff\xff\xf9", 8);
	memcpy(record + 52, "\x00\x06\x00\x8e", 4);
	text = text_of_bytes("`%d %d %ld %s`, REC->i, REC->h, REC->l, __get_str(name)", &other,
			     record, sizeof(plan_record));
	assert_string_equal(text, "-5 -3 -7 hello");
}

static void nothing_beyond_the_record_is_read(void **state)
{
	(void)state;
	static const char print_fmt[] =
		"`%d %lx %s %s %d %s %pM %pI4 %s`, REC->i, REC->ul, REC->s, __get_str(name),"
		" REC->shorts[3], __print_array(__get_dynamic_array(words), 3, 4), REC->mac, "
		"REC->u,"
		" __print_hex(REC->ip6, REC->b)";
	const struct tracepoint_machine m = { 0 };

	for (size_t size = 0; size < sizeof(plan_record); size++) {
		_cleanup_(freep) char *text = text_of_bytes(print_fmt, &m, plan_record, size);

		if (size < 160)
			assert_non_null(strstr(text, " [TRUNCATED]"));
		else
			assert_null(strstr(text, " [TRUNCATED]"));
	}
}

static void words_that_point_outside_are_cut(void **state)
{
	(void)state;
	const struct tracepoint_machine m = { 0 };
	_cleanup_(freep) uint8_t *record = malloc(sizeof(plan_record));
	_cleanup_(freep) char *far = NULL;
	_cleanup_(freep) char *longer = NULL;

	memcpy(record, plan_record, sizeof(plan_record));
	memcpy(record + 52, "\xf0\xff\x06\x00", 4);
	far = text_of_bytes("`%s|`, __get_str(name)", &m, record, sizeof(plan_record));
	assert_string_equal(far, "| [TRUNCATED]");
	memcpy(record + 52, "\x8e\x00\xff\xff", 4);
	longer = text_of_bytes("`%s|`, __get_str(name)", &m, record, sizeof(plan_record));
	assert_string_equal(longer, "hello| [TRUNCATED]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(division_is_signed_where_its_operands_are),
		cmocka_unit_test(division_by_zero_and_of_the_smallest_number_end),
		cmocka_unit_test(shifts_keep_the_sign_and_stay_within_the_type),
		cmocka_unit_test(strings_are_found_by_offset_and_by_distance),
		cmocka_unit_test(an_array_without_size_goes_on_to_the_end),
		cmocka_unit_test(jiffies_need_the_length_of_a_tick),
		cmocka_unit_test(a_machine_of_the_other_byte_order_is_read_right),
		cmocka_unit_test(nothing_beyond_the_record_is_read),
		cmocka_unit_test(words_that_point_outside_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
