/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/kvm/stat-view.h"

static void a_name_is_cut_to_its_column(void **state)
{
	const struct kvm_stat m = { .o = { .kind = KVM_STAT_MMIO } };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	kvm_stat_add_name(&t, &m, UINT64_MAX, KVM_MMIO_WRITE, 19);
	assert_string_equal(t.chars, "0xffffffffffffffff:");
}

static void a_long_event_is_a_line(void **state)
{
	const struct kvm_stat m = { .events = { .isa = KVM_ISA_SVM } };
	const struct kvm_stat_span s = {
		.time = 12345, .ns = 1500000, .pid = 4242, .vcpu = 3, .code = 0x400
	};
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	kvm_stat_add_span(&t, &m, &s);
	assert_string_equal(t.chars,
			    "0.000012: process 4242, CPU 3 of the guest: npf for 1500 us\n");
}

static void an_unknown_code_is_said_above_its_row(void **state)
{
	const struct kvm_stat m = {
		.o = { .vcpu = 2 }, .events = { .isa = KVM_ISA_VMX }, .n_samples = 2, .sum_ns = 3000
	};
	struct kvm_stat_row row = { .code = 99,
				    .sum_ns = 3000,
				    .min_ns = 1000,
				    .max_ns = 2000,
				    .times = { 2, 1500, 500000 } };
	struct kvm_stat_row *const rows[] = { &row };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	kvm_stat_add_table(&t, &m, rows, 1);
	assert_string_equal(
		t.chars,
		"\n\nAnalyze events for all VMs, VCPU 2:\n\n"
		"             VM-EXIT    Samples  Samples%     Time%    Min Time    Max Time"
		"         Avg time \n\n"
		"unknown kvm exit code:99 on VMX\n"
		"             UNKNOWN          2   100.00%   100.00%      1.00us      2.00us"
		"      1.50us ( +-  33.33% )\n"
		"\nTotal Samples:2, Total events handled time:3.00us.\n\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_cut_to_its_column),
		cmocka_unit_test(a_long_event_is_a_line),
		cmocka_unit_test(an_unknown_code_is_said_above_its_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
