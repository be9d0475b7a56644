/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "profile/type-weights.h"
#include "view/annotate/types.h"

static void an_access_stands_behind_its_instruction(void **state)
{
	static const struct data_type number = { .name = "int", .size = 4 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	(void)state;
	annotate_access_add(&out, &(struct access_type){ .type = &data_type_unknown,
							 .status = ACCESS_NO_VARIABLE });
	annotate_access_add(&out, &(struct access_type){ .type = NULL });
	assert_int_equal(out.length, 0);
	annotate_access_add(&out, &(struct access_type){ .type = &number });
	assert_string_equal(out.chars, "\t\t# data-type: int +0");
}

static void only_reasons_that_occur_are_listed(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct type_stats s = { .followed = 2 };

	(void)state;
	s.by_status[ACCESS_TYPED] = 2;
	s.by_status[ACCESS_IS_STACK] = 1;
	s.by_status[ACCESS_NO_MEMORY] = 1;
	annotate_type_stats_add(&out, &s);
	assert_string_equal(out.chars,
			    "Annotate data type stats:\n"
			    "total 4, ok 3 (75.0%), bad 1 (25.0%)\n"
			    "-----------------------------------------------------------\n"
			    "         1 : no_mem_ops\n"
			    "         2 : insn_track\n\n");
}

static void nothing_is_no_division(void **state)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct type_stats s = { .followed = 0 };

	(void)state;
	annotate_instruction_stats_add(&out, &s);
	assert_string_equal(out.chars,
			    "Annotate Instruction stats\n"
			    "total 0, ok 0 (0.0%), bad 0 (0.0%)\n\n"
			    "  Name/opcode         :  Good   Bad\n"
			    "-----------------------------------------------------------\n\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_access_stands_behind_its_instruction),
		cmocka_unit_test(only_reasons_that_occur_are_listed),
		cmocka_unit_test(nothing_is_no_division),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
