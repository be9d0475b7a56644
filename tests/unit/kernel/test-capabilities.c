/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include "base/cleanup.h"
#include "base/memory.h"
#include "kernel/capabilities.h"

static void an_ordinary_program_has_nothing_to_give_up(void **state)
{
	(void)state;
	assert_false(capabilities_are_lent());
	assert_int_equal(capabilities_drop(), 0);
}

static void the_advice_is_for_this_program_and_a_group(void **state)
{
	_cleanup_(freep) char *advice = capabilities_advice("cap_bpf");
	const char *group = strstr(advice, "chown root:perf_users "),
		   *mode = strstr(advice, "chmod 750 ");
	const char *capabilities = strstr(advice, "setcap cap_bpf=ep ");

	(void)state;
	/*
	 * A change of the owner removes capabilities, and no other user may run the program before
	 * it has them.
	 */
	assert_true(group && mode && capabilities && group < mode && mode < capabilities);
	assert_non_null(strstr(capabilities, program_invocation_short_name));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ordinary_program_has_nothing_to_give_up),
		cmocka_unit_test(the_advice_is_for_this_program_and_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
