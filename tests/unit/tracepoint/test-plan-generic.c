/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tracepoint/plan-text.h"

static void fields_are_printed_by_their_types(void **state)
{
	(void)state;
	assert_text("bad(",
		    "[FAILED TO PARSE] i=-5 u=4294967280 l=-7 ul=0xdeadbeefcafe h=-3 b=200 yes=1 "
		    "s=hi p=0xffff800012345678 name=hello words=ARRAY[01, 00, 00, 00, 02, 00, 00, "
		    "00, ff, ff, ff, ff] mac=RT shorts=ARRAY[01, 00, 02, 00, 03, 00, ff, ff] "
		    "ip6=ARRAY[20, 01, 0d, b8, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 01] "
		    "near=rel rel=ARRAY[0a, 00, 14, 00, ff, ff] full=abcd ip4=ARRAY[c0, 00, 02, "
		    "01] dev=265289735 sa=0 none= rest=hello");
}

static void a_record_that_ends_early_says_so(void **state)
{
	(void)state;
	const struct tracepoint_machine m = { 0 };

	for (size_t size = 0; size < 160; size++) {
		_cleanup_(freep) char *text = text_of_bytes("bad(", &m, plan_record, size);

		assert_int_equal(strncmp(text, "[FAILED TO PARSE] i=", 20), 0);
		assert_non_null(strstr(text, " [TRUNCATED]"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_printed_by_their_types),
		cmocka_unit_test(a_record_that_ends_early_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
