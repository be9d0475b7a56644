/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "session/deferred-chains.h"
#include "wire/record.h"

#define WORDS(array) ((struct words){ .bytes = (const uint8_t *)(array), .n = ARRAY_SIZE(array) })

static const uint64_t ips[] = { 0x400190, 0x4001d0 };

static void add(struct deferred_chains *d, uint32_t tid, uint64_t cookie, struct words w)
{
	deferred_chains_add(d, tid, 5, &(struct record_callchain_deferred){ cookie, w });
}

static void a_stack_is_found_by_thread_and_cookie(void **state)
{
	(void)state;
	struct deferred_chains d = { 0 };
	const struct deferred_chain *c;

	add(&d, 10, 0x77, WORDS(ips));
	c = deferred_chains_find(&d, 10, 0x77);
	assert_non_null(c);
	assert_int_equal(c->n, 2);
	assert_int_equal(c->ips[1], 0x4001d0);
	assert_null(deferred_chains_find(&d, 11, 0x77));
	assert_null(deferred_chains_find(&d, 10, 0x78));
	/* Another thread and cookie that give the same number. */
	assert_null(deferred_chains_find(&d, 10 ^ 1, 0x77 ^ UINT64_C(1) << 32));
	deferred_chains_done(&d);
}

static void the_first_of_a_cookie_counts(void **state)
{
	(void)state;
	struct deferred_chains d = { 0 };

	add(&d, 10, 0x77, WORDS(ips));
	add(&d, 10, 0x77, (struct words){ 0 });
	assert_int_equal(deferred_chains_find(&d, 10, 0x77)->n, 2);
	deferred_chains_done(&d);
}

static void stacks_of_samples_to_come_are_kept(void **state)
{
	(void)state;
	struct deferred_chains d = { 0 }, left = { 0 };
	struct record_callchain_deferred late = { 0x78, WORDS(ips) };

	add(&d, 10, 0x77, WORDS(ips));
	deferred_chains_add(&d, 10, 6, &late);
	deferred_chains_copy_since(&left, &d, 6);
	deferred_chains_done(&d);
	assert_null(deferred_chains_find(&left, 10, 0x77));
	assert_int_equal(deferred_chains_find(&left, 10, 0x78)->ips[1], 0x4001d0);
	deferred_chains_done(&left);
}

static void a_mark_without_a_cookie_is_none(void **state)
{
	(void)state;
	static const uint64_t whole[] = { PERF_CONTEXT_KERNEL, 1, PERF_CONTEXT_USER_DEFERRED, 2 };
	struct words w = WORDS(whole);
	size_t mark = 9;

	assert_true(deferred_chain_mark(&w, &mark));
	assert_int_equal(mark, 2);
	w.n = 3;
	assert_false(deferred_chain_mark(&w, &mark));
	w.n = 0;
	assert_false(deferred_chain_mark(&w, &mark));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_is_found_by_thread_and_cookie),
		cmocka_unit_test(the_first_of_a_cookie_counts),
		cmocka_unit_test(stacks_of_samples_to_come_are_kept),
		cmocka_unit_test(a_mark_without_a_cookie_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
