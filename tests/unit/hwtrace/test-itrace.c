/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <cmocka.h>

#include "base/diag.h"
#include "hwtrace/itrace.h"

static struct itrace parsed(const char *text)
{
	struct itrace it = { 0 };
	struct diag d = { 0 };

	assert_int_equal(itrace_parse(text, &it, &d), 0);
	diag_done(&d);
	return it;
}

static void refused(const char *text, size_t offset, size_t length)
{
	struct itrace it = { .period = 7 };
	struct diag d = { 0 };

	assert_int_equal(itrace_parse(text, &it, &d), -EINVAL);
	assert_int_equal(d.offset, offset);
	assert_int_equal(d.length, length);
	assert_int_equal(it.period, 7);
	diag_done(&d);
}

static void every_letter_is_a_switch(void **state)
{
	struct itrace it = parsed("bcrxwpoIedfmMtaAZTqq");

	(void)state;
	assert_true(it.branches && it.calls && it.returns && it.transactions && it.ptwrites);
	assert_true(it.power && it.other && it.interrupts && it.errors && it.log);
	assert_true(it.first_level && it.last_level && it.memory && it.tlb && it.remote);
	assert_true(it.approximate_ipc && it.timeless && it.trace_time);
	assert_int_equal(it.quick, 2);
	assert_false(it.instructions || it.cycles);
}

static void calls_are_branches(void **state)
{
	(void)state;
	assert_true(parsed("c").branches);
	assert_true(parsed("r").branches);
}

static void periods_have_units(void **state)
{
	struct itrace it = parsed("i10us");

	(void)state;
	assert_int_equal(it.period, 10000);
	assert_int_equal(it.unit, ITRACE_NANOSECONDS);
	it = parsed("i3ms");
	assert_int_equal(it.period, 3000000);
	it = parsed("i5i");
	assert_int_equal(it.period, 5);
	assert_int_equal(it.unit, ITRACE_INSTRUCTIONS);
	it = parsed("y7t");
	assert_true(it.cycles);
	assert_int_equal(it.unit, ITRACE_TICKS);
	it = parsed("i 0ns,b");
	assert_int_equal(it.period, 0);
	assert_true(it.branches);
	assert_false(it.default_period);
	assert_true(parsed("i").default_period);
	assert_int_equal(parsed("i").period, 100000);
}

static void stacks_have_sizes(void **state)
{
	struct itrace it = parsed("ig32l128");

	(void)state;
	assert_true(it.call_chain && it.last_branch);
	assert_int_equal(it.call_chain_size, 32);
	assert_int_equal(it.last_branch_size, 128);
	it = parsed("GL");
	assert_true(it.add_call_chain && it.add_last_branch);
	assert_int_equal(it.call_chain_size, 16);
	assert_int_equal(it.last_branch_size, 64);
}

static void errors_have_flags(void **state)
{
	struct itrace it = parsed("e+o-ld+a");

	(void)state;
	assert_int_equal(it.error_flags.plus, 1u << ('o' - 'a'));
	assert_int_equal(it.error_flags.minus, 1u << ('l' - 'a'));
	assert_int_equal(it.log_flags.plus, 1);
}

static void events_are_skipped(void **state)
{
	(void)state;
	assert_int_equal(parsed("i0nss1000000").skip, 1000000);
}

static void what_means_nothing_is_marked(void **state)
{
	(void)state;
	refused("iz", 1, 1);
	refused("g0", 1, 1);
	refused("g1025", 1, 4);
	refused("s", 1, 0);
	refused("e+", 1, 1);
	refused("i99999999999999999999", 1, 20);
	refused("i18446744073709551615ms", 21, 2);
}

static void what_was_typed_decides(void **state)
{
	struct itrace_request rq = { 0 };

	(void)state;
	assert_true(itrace_wanted(&rq, false).instructions);
	assert_int_equal(itrace_wanted(&rq, true).period, 1);
	assert_true(itrace_wanted(&rq, true).calls);
	rq.words.off = true;
	assert_true(itrace_wanted(&rq, true).off);
	rq = (struct itrace_request){ .typed = true, .words = { .tlb = true } };
	assert_false(itrace_wanted(&rq, true).branches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_letter_is_a_switch),
		cmocka_unit_test(calls_are_branches),
		cmocka_unit_test(periods_have_units),
		cmocka_unit_test(stacks_have_sizes),
		cmocka_unit_test(errors_have_flags),
		cmocka_unit_test(events_are_skipped),
		cmocka_unit_test(what_means_nothing_is_marked),
		cmocka_unit_test(what_was_typed_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
