/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "arch/arch.h"
#include "arch/kvm-exits.h"

static void the_vendor_decides_on_x86(void **state)
{
	(void)state;
	assert_int_equal(arch_x86_64.kvm_isa("GenuineIntel,6,85,7"), KVM_ISA_VMX);
	assert_int_equal(arch_i386.kvm_isa("AuthenticAMD,23,49,0"), KVM_ISA_SVM);
	assert_int_equal(arch_x86_64.kvm_isa("HygonGenuine,24,0,1"), KVM_ISA_SVM);
	assert_int_equal(arch_x86_64.kvm_isa("CentaurHauls,7,1,2"), KVM_ISA_NONE);
	assert_int_equal(arch_x86_64.kvm_isa(NULL), KVM_ISA_NONE);
	assert_int_equal(arch_aarch64.kvm_isa(NULL), KVM_ISA_ARM64);
	assert_null(arch_riscv.kvm_isa);
}

static void the_event_tells_it_too(void **state)
{
	(void)state;
	assert_int_equal(kvm_isa_of_field(1), KVM_ISA_VMX);
	assert_int_equal(kvm_isa_of_field(2), KVM_ISA_SVM);
	assert_int_equal(kvm_isa_of_field(0), KVM_ISA_NONE);
	assert_int_equal(kvm_isa_of_field(UINT64_MAX), KVM_ISA_NONE);
}

static void codes_have_the_names_of_their_kind(void **state)
{
	(void)state;
	assert_string_equal(kvm_exit_name(KVM_ISA_VMX, 12, false), "HLT");
	assert_string_equal(kvm_exit_name(KVM_ISA_VMX, 77, false), "TDCALL");
	assert_null(kvm_exit_name(KVM_ISA_VMX, 69, false));
	assert_string_equal(kvm_exit_name(KVM_ISA_SVM, 0x78, false), "hlt");
	assert_string_equal(kvm_exit_name(KVM_ISA_SVM, 0x53, false), "XF excp");
	assert_string_equal(kvm_exit_name(KVM_ISA_SVM, 0x80000012, false),
			    "vmgexit_ext_guest_request");
	assert_null(kvm_exit_name(KVM_ISA_SVM, UINT32_MAX, false));
	assert_string_equal(kvm_exit_name(KVM_ISA_SVM, UINT64_MAX, false), "invalid_guest_state");
	assert_string_equal(kvm_exit_name(KVM_ISA_ARM64, 1, false), "WFx");
	assert_string_equal(kvm_exit_name(KVM_ISA_ARM64, 1, true), "SERROR");
	assert_null(kvm_exit_name(KVM_ISA_ARM64, 0x0e, false));
	assert_null(kvm_exit_name(KVM_ISA_NONE, 0, false));
	assert_null(kvm_exit_name(KVM_ISA_NONE, 0, true));
}

static void a_guest_that_halts_is_idle(void **state)
{
	(void)state;
	assert_true(kvm_exit_is_idle(KVM_ISA_VMX, 12, false));
	assert_true(kvm_exit_is_idle(KVM_ISA_SVM, 0x78, false));
	assert_true(kvm_exit_is_idle(KVM_ISA_ARM64, 1, false));
	assert_false(kvm_exit_is_idle(KVM_ISA_ARM64, 1, true));
	assert_false(kvm_exit_is_idle(KVM_ISA_NONE, 0, false));
}

static void kinds_have_names(void **state)
{
	(void)state;
	assert_string_equal(kvm_isa_name(KVM_ISA_NONE), "");
	assert_string_equal(kvm_isa_name(KVM_ISA_ARM64), "arm64");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_vendor_decides_on_x86),
		cmocka_unit_test(the_event_tells_it_too),
		cmocka_unit_test(codes_have_the_names_of_their_kind),
		cmocka_unit_test(a_guest_that_halts_is_idle),
		cmocka_unit_test(kinds_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
