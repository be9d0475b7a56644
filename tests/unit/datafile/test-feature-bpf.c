/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void programs_and_types_survive(void **state)
{
	(void)state;
	struct bpf_prog prog = { 3, 2, 0x1f9, (uint8_t *)"abc", (uint8_t *)"de" };
	struct bpf_btf btf = { 7, 4, (uint8_t *)"btf" };
	struct features f = { .bpf_progs = { &prog, 1, 0 }, .bpf_btfs = { &btf, 1, 0 } };
	struct features g = { 0 };

	feature_round_trip(&f, FEATURE_BPF_PROG_INFO, &g);
	feature_round_trip(&f, FEATURE_BPF_BTF, &g);
	assert_int_equal(g.bpf_progs.items[0].arrays, 0x1f9);
	assert_memory_equal(g.bpf_progs.items[0].data, "de", 2);
	assert_int_equal(g.bpf_btfs.items[0].id, 7);
	features_done(&g);
	feature_cut_is_refused(&f, FEATURE_BPF_PROG_INFO);
	feature_cut_is_refused(&f, FEATURE_BPF_BTF);
}

static void a_count_beyond_the_payload_is_refused_without_its_memory(void **state)
{
	(void)state;
	static const uint8_t payload[] = { 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0 };
	struct features f = { 0 };

	assert_int_not_equal(
		features_decode(&f, FEATURE_BPF_BTF, cursor_over(payload, sizeof(payload), false)),
		0);
	assert_null(f.bpf_btfs.items);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_and_types_survive),
		cmocka_unit_test(a_count_beyond_the_payload_is_refused_without_its_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
