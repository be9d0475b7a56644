/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "capture/sampling-regs.h"

static uint64_t parsed(const struct arch *arch, const char *names)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t mask = 0;

	assert_int_equal(sampling_regs_parse(arch, sampling_regs_all(arch), "user-regs", names,
					     &mask, &diag),
			 0);
	return mask;
}

static void names_become_a_mask_in_either_case(void **state)
{
	(void)state;
	assert_int_equal(parsed(&arch_x86_64, "ax,IP"), 1 << 0 | 1 << 8);
	assert_int_equal(parsed(&arch_aarch64, "sp,pc"), 0x180000000);
}

static void no_names_mean_all_of_them(void **state)
{
	(void)state;
	assert_int_equal(parsed(&arch_aarch64, ""), 0x1ffffffff);
	assert_int_equal(parsed(&arch_x86_64, ""), 0xff0fff);
}

static void a_register_of_another_machine_is_marked(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t mask = 7;

	assert_int_equal(sampling_regs_parse(&arch_aarch64, sampling_regs_all(&arch_aarch64),
					     "user-regs", "x0,ax", &mask, &diag),
			 -EINVAL);
	assert_int_equal(diag.offset, 3);
	assert_int_equal(diag.length, 2);
	assert_int_equal(mask, 7);
}

static void segment_registers_cannot_be_asked_for(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t mask;

	assert_int_equal(sampling_regs_parse(&arch_x86_64, sampling_regs_all(&arch_x86_64),
					     "intr-regs", "ds", &mask, &diag),
			 -EINVAL);
}

static void only_machines_with_a_link_register_need_it(void **state)
{
	(void)state;
	assert_int_equal(sampling_regs_leaf(&arch_x86_64), 0);
	assert_int_equal(sampling_regs_leaf(&arch_aarch64), 1 << 30);
	assert_int_equal(sampling_regs_unwind(&arch_x86_64), 0x180);
	assert_int_equal(sampling_regs_all(NULL), 0);
}

static void vectors_have_a_length_where_the_cpu_has_them(void **state)
{
	(void)state;
	assert_int_equal(sampling_regs_user(&arch_aarch64, 0), 0x1ffffffff);
	assert_int_equal(sampling_regs_user(&arch_aarch64, 1 << 22), 0x4001ffffffff);
	assert_int_equal(sampling_regs_user(&arch_x86_64, 1 << 22), 0xff0fff);
}

static void a_register_is_known_where_the_cpu_has_it(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t with = sampling_regs_user(&arch_aarch64, 1 << 22);
	uint64_t without = sampling_regs_user(&arch_aarch64, 0), mask = 0;

	assert_int_equal(sampling_regs_parse(&arch_aarch64, with, "user-regs", "vg", &mask, &diag),
			 0);
	assert_int_equal(mask, 1ULL << 46);
	assert_int_equal(
		sampling_regs_parse(&arch_aarch64, without, "user-regs", "vg", &mask, &diag),
		-EINVAL);
}

static void the_list_has_all_that_can_be_asked_for(void **state)
{
	(void)state;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	sampling_regs_list(&arch_x86_64, sampling_regs_all(&arch_x86_64), &t);
	assert_string_equal(t.chars, "AX BX CX DX SI DI BP SP IP FLAGS CS SS R8 R9 R10 R11 R12 R13 "
				     "R14 R15 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_become_a_mask_in_either_case),
		cmocka_unit_test(no_names_mean_all_of_them),
		cmocka_unit_test(a_register_of_another_machine_is_marked),
		cmocka_unit_test(segment_registers_cannot_be_asked_for),
		cmocka_unit_test(only_machines_with_a_link_register_need_it),
		cmocka_unit_test(vectors_have_a_length_where_the_cpu_has_them),
		cmocka_unit_test(a_register_is_known_where_the_cpu_has_it),
		cmocka_unit_test(the_list_has_all_that_can_be_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
