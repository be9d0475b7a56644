/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
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

static void without_new_programs_there_is_nothing_to_add(void **state)
{
	_cleanup_(features_done) struct features early = { 0 }, late = { 0 };

	(void)state;
	/* A file whose beginning names no programs gets none at its end. */
	host_facts_bpf_late(&early, NULL, &late);
	assert_int_equal(late.bpf_progs.n, 0);
	assert_false(features_have(&late, FEATURE_BPF_PROG_INFO));
}

/* The test does not know the loaded programs, but those of the beginning are never lost. */
static void what_was_told_at_the_beginning_stays(void **state)
{
	_cleanup_(features_done) struct features early = { 0 }, late = { 0 };
	struct bpf_prog gone = { .info_size = 8 };

	(void)state;
	features_mark(&early, FEATURE_BPF_PROG_INFO);
	gone.info = calloc(1, 8);
	memset(gone.info, 0xff, 8);
	gone.data = calloc(1, 1);
	*ARRAY_ADD(&early.bpf_progs) = gone;
	host_facts_bpf_late(&early, NULL, &late);
	if (!features_have(&late, FEATURE_BPF_PROG_INFO))
		return;
	assert_true(late.bpf_progs.n > 1);
	assert_memory_equal(late.bpf_progs.items[0].info, gone.info, 8);
	assert_ptr_not_equal(late.bpf_progs.items[0].info, gone.info);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asking_again_adds_nothing_twice),
		cmocka_unit_test(without_new_programs_there_is_nothing_to_add),
		cmocka_unit_test(what_was_told_at_the_beginning_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
