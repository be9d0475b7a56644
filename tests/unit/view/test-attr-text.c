/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "printed.h"
#include "view/attr-text.h"
#include "wire/attr.h"

static const struct attr faults = {
	.type = PERF_TYPE_SOFTWARE,
	.size = 128,
	.config = PERF_COUNT_SW_PAGE_FAULTS,
	.sample_type = PERF_SAMPLE_IDENTIFIER,
	.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	.disabled = 1,
	.inherit = 1,
};

static void fields_that_are_zero_are_left_out(void **state)
{
	struct printed p;

	(void)state;
	printed_open(&p);
	attr_print(&faults, p.out);
	assert_printed(&p, "type: 1, size: 128, config: 0x2, sample_type: IDENTIFIER, read_format: "
			   "TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING, disabled: 1, inherit: 1");
}

static void lines_stand_between_rules(void **state)
{
	struct printed p;

	(void)state;
	printed_open(&p);
	attr_print_lines(&faults, p.out);
	assert_printed(&p,
		       "------------------------------------------------------------\n"
		       "perf_event_attr:\n"
		       "  type                             1\n"
		       "  size                             128\n"
		       "  config                           0x2\n"
		       "  sample_type                      IDENTIFIER\n"
		       "  read_format                      TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING\n"
		       "  disabled                         1\n"
		       "  inherit                          1\n"
		       "------------------------------------------------------------\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_that_are_zero_are_left_out),
		cmocka_unit_test(lines_stand_between_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
