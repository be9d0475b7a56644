/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel/bpf-program.h"

static void the_running_kernel_tells_or_refuses(void **state)
{
	struct bpf_program_list l = { 0 };

	(void)state;
	if (bpf_programs_read(1U << BPF_ARRAY_JITED_KSYMS, &l) < 0)
		assert_int_equal(l.n, 0);
	bpf_program_list_done(&l);
	assert_int_equal(l.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_running_kernel_tells_or_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
