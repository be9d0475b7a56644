/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/access.h"
#include "arch/arch.h"

static void the_machine_decides(void **state)
{
	static const uint8_t ret[] = { 0xc0, 0x03, 0x5f, 0xd6 }; /* of aarch64 */
	struct code_access a;

	(void)state;
	assert_true(code_access_read(&arch_aarch64, ret, sizeof(ret), 0, &a));
	assert_int_equal(a.flow, ACCESS_END);
	assert_true(
		code_access_read(&arch_x86_64, ret, sizeof(ret), 0, &a)); /* rolb $0x5f,(%rbx) */
	assert_int_equal(a.length, 3);
	assert_false(code_access_read(&arch_aarch64, ret, 3, 0, &a));
	assert_false(code_access_read(NULL, ret, sizeof(ret), 0, &a));
}

static void calls_clobber_the_register_they_return_in(void **state)
{
	(void)state;
	assert_true(code_access_clobbered(&arch_x86_64) & 1);
	assert_true(code_access_clobbered(&arch_aarch64) & 1);
	assert_false(code_access_clobbered(&arch_aarch64) >> 19 & 1);
	assert_false(code_access_knows(NULL));
	assert_true(code_access_knows(&arch_x86_64));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_machine_decides),
		cmocka_unit_test(calls_clobber_the_register_they_return_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
