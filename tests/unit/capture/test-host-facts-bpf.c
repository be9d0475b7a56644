/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "capture/host-facts.h"
#include "datafile/features.h"

static void asking_again_adds_nothing_twice(void **state)
{
	_cleanup_(features_done) struct features f = { 0 };
	size_t programs, types;

	(void)state;
	host_facts_bpf(&f);
	assert_true(features_have(&f, FEATURE_BPF_PROG_INFO));
	assert_true(features_have(&f, FEATURE_BPF_BTF));
	programs = f.bpf_progs.n;
	types = f.bpf_btfs.n;
	host_facts_bpf(&f);
	assert_int_equal(f.bpf_progs.n, programs);
	assert_int_equal(f.bpf_btfs.n, types);
	for (size_t i = 0; i < f.bpf_progs.n; i++)
		assert_int_equal(f.bpf_progs.items[i].arrays, 0x1f9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asking_again_adds_nothing_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
