/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/utsname.h>

#include "arch/machine.h"

static void a_machine_is_known_by_what_uname_says(void **state)
{
	(void)state;
	assert_int_equal(machine_from_uname("x86_64"), MACHINE_X86_64);
	assert_int_equal(machine_from_uname("i686"), MACHINE_X86_64);
	assert_int_equal(machine_from_uname("aarch64"), MACHINE_AARCH64);
}

static void other_machines_are_unknown(void **state)
{
	(void)state;
	assert_int_equal(machine_from_uname("s390x"), MACHINE_UNKNOWN);
	assert_int_equal(machine_from_uname(""), MACHINE_UNKNOWN);
	assert_int_equal(machine_from_uname(NULL), MACHINE_UNKNOWN);
}

static void the_host_is_what_its_uname_says(void **state)
{
	(void)state;
	struct utsname u;

	assert_int_equal(uname(&u), 0);
	assert_int_equal(machine_host(), machine_from_uname(u.machine));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_is_known_by_what_uname_says),
		cmocka_unit_test(other_machines_are_unknown),
		cmocka_unit_test(the_host_is_what_its_uname_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
