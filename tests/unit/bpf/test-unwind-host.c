/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "bpf/unwind-internal.h"

static void registers_are_where_the_kernel_keeps_them(void **state)
{
	struct unwind_host h = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(unwind_host_find(&arch_aarch64, &h, &diag), 0);
	assert_int_equal(h.pc, 256);
	assert_int_equal(h.lr, 240);
	assert_int_equal(h.signal_sp, 312 + 31 * 8);
	assert_true(h.address_mask >= UINT64_MAX >> (64 - 39));
	assert_int_equal(unwind_host_find(&arch_x86_64, &h, &diag), 0);
	assert_int_equal(h.pc, 128);
	assert_int_equal(h.lr, 0);
	assert_int_equal(h.signal_pc, 168);
	assert_true(h.address_mask == UINT64_MAX);
}

static void an_unknown_machine_is_refused(void **state)
{
	struct unwind_host h = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(unwind_host_find(NULL, &h, &diag), -EOPNOTSUPP);
	assert_non_null(diag.message);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_where_the_kernel_keeps_them),
		cmocka_unit_test(an_unknown_machine_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
