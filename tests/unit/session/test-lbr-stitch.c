/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/features.h"
#include "session/call-chain.h"
#include "session/lbr-stitch.h"
#include "wire/sample.h"

#define REGISTERS 4

/* A thread that has called itself @depth times: its last calls are in the registers. */
struct deep {
	uint64_t words[3 * REGISTERS];
	struct sample sample;
};

static void deep_at(struct deep *d, uint32_t tid, unsigned depth)
{
	size_t n = depth < REGISTERS ? depth : REGISTERS;

	for (size_t i = 0; i < n; i++) {
		d->words[3 * i] = 0x100 + depth - i;
		d->words[3 * i + 1] = 0x200 + depth - i;
		d->words[3 * i + 2] = 0;
	}
	d->sample = (struct sample){
		.tid = tid,
		.branch_hw_index = (depth - 1) % REGISTERS,
		.branches = { .bytes = (const uint8_t *)d->words, .n = 3 * n },
	};
}

/* Returns the number of frames that the sample of @depth got, and the address of the last one. */
static size_t extended(struct lbr_stitch *l, uint32_t tid, unsigned depth, uint64_t *ret_last)
{
	_cleanup_(call_chain_done) struct call_chain c = { 0 };
	struct deep d;

	deep_at(&d, tid, depth);
	lbr_stitch_extend(l, &d.sample, &c);
	*ret_last = c.n ? c.items[c.n - 1].ip : 0;
	return c.n;
}

static void forgotten_calls_come_from_the_samples_before(void **state)
{
	_cleanup_(lbr_stitch_freep) struct lbr_stitch *l = lbr_stitch_new(REGISTERS);
	uint64_t last;

	(void)state;
	assert_int_equal(extended(l, 1, 4, &last), 0);
	assert_int_equal(extended(l, 1, 5, &last), 1);
	assert_int_equal(extended(l, 1, 7, &last), 3);
	assert_int_equal(last, 0x101);
	assert_int_equal(extended(l, 1, 7, &last), 3);
}

static void one_call_in_common_is_enough_and_none_is_not(void **state)
{
	_cleanup_(lbr_stitch_freep) struct lbr_stitch *l = lbr_stitch_new(REGISTERS);
	uint64_t last;

	(void)state;
	extended(l, 1, 4, &last);
	assert_int_equal(extended(l, 1, 7, &last), 3);
	assert_int_equal(extended(l, 1, 11, &last), 0);
}

static void threads_do_not_mix(void **state)
{
	_cleanup_(lbr_stitch_freep) struct lbr_stitch *l = lbr_stitch_new(REGISTERS);
	uint64_t last;

	(void)state;
	extended(l, 1, 4, &last);
	assert_int_equal(extended(l, 2, 5, &last), 0);
	assert_int_equal(extended(l, 1, 5, &last), 1);
}

static void another_call_in_the_same_register_is_another(void **state)
{
	_cleanup_(lbr_stitch_freep) struct lbr_stitch *l = lbr_stitch_new(REGISTERS);
	_cleanup_(call_chain_done) struct call_chain c = { 0 };
	struct deep d;
	uint64_t last;

	(void)state;
	extended(l, 1, 4, &last);
	deep_at(&d, 1, 5);
	d.words[3 * 3] = 0x999;
	lbr_stitch_extend(l, &d.sample, &c);
	assert_int_equal(c.n, 0);
}

static void a_stack_that_fits_the_registers_is_whole(void **state)
{
	_cleanup_(lbr_stitch_freep) struct lbr_stitch *l = lbr_stitch_new(REGISTERS);
	uint64_t last;

	(void)state;
	extended(l, 1, 5, &last);
	assert_int_equal(extended(l, 1, 3, &last), 0);
	assert_int_equal(extended(l, 1, 0, &last), 0);
	assert_int_equal(extended(l, 1, 5, &last), 0);
}

static void the_recording_tells_how_many_registers_there_are(void **state)
{
	struct pmu_cap caps[] = { { .name = (char *)"max_precise", .value = (char *)"3" },
				  { .name = (char *)"branches", .value = (char *)"32" } };
	struct features f = { 0 };

	(void)state;
	assert_int_equal(lbr_registers(&f), 0);
	f.cpu_pmu_caps.caps.items = caps;
	f.cpu_pmu_caps.caps.n = 2;
	assert_int_equal(lbr_registers(&f), 32);
	caps[1].value = (char *)"99999999999";
	assert_int_equal(lbr_registers(&f), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forgotten_calls_come_from_the_samples_before),
		cmocka_unit_test(one_call_in_common_is_enough_and_none_is_not),
		cmocka_unit_test(threads_do_not_mix),
		cmocka_unit_test(another_call_in_the_same_register_is_another),
		cmocka_unit_test(a_stack_that_fits_the_registers_is_whole),
		cmocka_unit_test(the_recording_tells_how_many_registers_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
