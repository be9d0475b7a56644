/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "arch/arch.h"
#include "session/sample-arch.h"

static void without_a_name_the_registers_tell(void **state)
{
	struct recording rec = recording_new();
	struct session *s = opened(&rec, false);
	struct sample_arch m = { 0 };

	(void)state;
	assert_ptr_equal(sample_arch_find(&m, s, 0xff0fff), &arch_x86_64);
	assert_ptr_equal(sample_arch_find(&m, s, 0x1ffffffff), &arch_aarch64);
	assert_ptr_equal(sample_arch_find(&m, s, 0x1ffffffff), &arch_aarch64);
	assert_null(sample_arch_find(&m, s, 1ULL << 63));
	session_free(s);
	recording_done(&rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_name_the_registers_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
