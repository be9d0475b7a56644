/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/diag.h"
#include "profile/annotate.h"

static void each_thread_has_tools(void **state)
{
	const struct annotate_request how = { .asm_raw = CHOICE_YES, .print_line = true };
	struct listing_kit k;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(listing_kit_init(&k, &how, 2, &diag), 0);
	assert_int_equal(k.n, 2);
	assert_true(k.tools[1].raw);
	assert_true(k.tools[1].with_lines);
	assert_non_null(k.tools[1].sources);
	listing_kit_done(&k);
	diag_done(&diag);
}

static void source_can_be_unwanted(void **state)
{
	const struct annotate_request how = { .source = CHOICE_NO };
	struct listing_kit k;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(listing_kit_init(&k, &how, 1, &diag), 0);
	assert_null(k.tools[0].sources);
	listing_kit_done(&k);
	listing_kit_done(&k);
	diag_done(&diag);
}

static void an_unknown_style_is_refused(void **state)
{
	const struct annotate_request how = { .style = "klingon" };
	struct listing_kit k;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(listing_kit_init(&k, &how, 1, &diag), -EINVAL);
	assert_non_null(diag.message);
	listing_kit_done(&k);
	diag_done(&diag);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_thread_has_tools),
		cmocka_unit_test(source_can_be_unwanted),
		cmocka_unit_test(an_unknown_style_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
