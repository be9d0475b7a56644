/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "tools/script/fields-view.h"

struct choice {
	struct script_fields fields;
	struct text notes;
	int r;
};

static struct choice choose(const struct field_request *requests, size_t n)
{
	struct choice c = { .notes = TEXT_EMPTY };
	_cleanup_(diag_done) struct diag diag = { 0 };

	c.r = script_fields_choose(requests, n, &c.fields, &c.notes, &diag);
	if (c.r < 0)
		assert_non_null(diag.message);
	return c;
}

static void tracepoints_show_their_text_and_others_a_place(void **state)
{
	struct choice c = choose(NULL, 0);

	(void)state;
	assert_int_equal(c.r, 0);
	assert_true(c.fields.of[SCRIPT_TYPE_TRACE] & FIELD_BIT(TRACE));
	assert_false(c.fields.of[SCRIPT_TYPE_TRACE] & FIELD_BIT(IP));
	assert_true(c.fields.of[SCRIPT_TYPE_HW] & FIELD_BIT(IP));
	assert_false(c.fields.of[SCRIPT_TYPE_HW] & FIELD_BIT(ADDR));
	assert_true(c.fields.of[SCRIPT_TYPE_RAW] & FIELD_BIT(ADDR));
}

static void a_list_for_all_leaves_out_what_makes_no_sense(void **state)
{
	static const struct field_request q = { FIELD_TYPE_ALL, true,
						FIELD_BIT(COMM) | FIELD_BIT(TRACE), 0 };
	struct choice c = choose(&q, 1);

	(void)state;
	assert_int_equal(c.r, 0);
	assert_int_equal(c.fields.of[SCRIPT_TYPE_SW], FIELD_BIT(COMM));
	assert_int_equal(c.fields.of[SCRIPT_TYPE_TRACE], FIELD_BIT(COMM) | FIELD_BIT(TRACE));
	assert_non_null(c.notes.chars);
	assert_true(c.notes.length > 0);
	text_done(&c.notes);
}

static void a_list_for_one_type_must_make_sense(void **state)
{
	static const struct field_request q = { FIELD_TYPE_SW, true, FIELD_BIT(TRACE), 0 };

	(void)state;
	assert_int_equal(choose(&q, 1).r, -EINVAL);
}

static void later_requests_win(void **state)
{
	static const struct field_request q[] = {
		{ FIELD_TYPE_ALL, true, FIELD_BIT(COMM), 0 },
		{ FIELD_TYPE_SW, true, FIELD_BIT(IP), 0 },
		{ FIELD_TYPE_ALL, false, FIELD_BIT(TIME), FIELD_BIT(IP) },
	};
	struct choice c = choose(q, 3);

	(void)state;
	assert_int_equal(c.fields.of[SCRIPT_TYPE_HW], FIELD_BIT(COMM) | FIELD_BIT(TIME));
	assert_int_equal(c.fields.of[SCRIPT_TYPE_SW], FIELD_BIT(TIME));
	assert_string_equal(c.notes.chars,
			    "Overriding previous field request for software events.\n");
	text_done(&c.notes);
}

static void fields_of_a_named_type_may_be_missing(void **state)
{
	static const struct field_request q[] = {
		{ FIELD_TYPE_SW, true, FIELD_BIT(COMM) | FIELD_BIT(TIME), 0 },
		{ FIELD_TYPE_ALL, false, FIELD_BIT(CPU), 0 },
	};
	struct choice c = choose(q, 2);

	(void)state;
	assert_int_equal(c.r, 0);
	assert_true(c.fields.of[SCRIPT_TYPE_SW] & FIELD_BIT(TIME));
	assert_int_equal(c.fields.asked[SCRIPT_TYPE_SW], FIELD_BIT(CPU));
	text_done(&c.notes);
}

static void not_everything_can_be_hidden(void **state)
{
	static const struct field_request q = { FIELD_TYPE_ALL, true, 0, 0 };

	(void)state;
	assert_int_equal(choose(&q, 1).r, -EINVAL);
}

static void events_of_pmus_are_a_type_of_their_own(void **state)
{
	(void)state;
	assert_int_equal(script_type_of(2), SCRIPT_TYPE_TRACE);
	assert_int_equal(script_type_of(5), SCRIPT_TYPE_BREAKPOINT);
	assert_int_equal(script_type_of(6), SCRIPT_TYPE_OTHER);
	assert_int_equal(script_type_of(UINT32_MAX), SCRIPT_TYPE_OTHER);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tracepoints_show_their_text_and_others_a_place),
		cmocka_unit_test(a_list_for_all_leaves_out_what_makes_no_sense),
		cmocka_unit_test(a_list_for_one_type_must_make_sense),
		cmocka_unit_test(later_requests_win),
		cmocka_unit_test(fields_of_a_named_type_may_be_missing),
		cmocka_unit_test(not_everything_can_be_hidden),
		cmocka_unit_test(events_of_pmus_are_a_type_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
