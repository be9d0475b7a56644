/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "arch/syscall/syscall.h"
#include "base/diag.h"
#include "bpf/trace-host.h"

static void abis_are_known_or_the_reason_is_said(void **state)
{
	uint8_t abis[2] = { SYSCALL_ABI_NONE, SYSCALL_ABI_NONE };
	struct diag diag = { 0 };
	int r = trace_host_abis(abis, &diag);

	(void)state;
	if (r < 0) {
		assert_int_equal(r, -EOPNOTSUPP);
		assert_non_null(diag.message);
		diag_done(&diag);
		return;
	}
	assert_int_not_equal(abis[0], SYSCALL_ABI_NONE);
	assert_int_not_equal(abis[0], abis[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(abis_are_known_or_the_reason_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
