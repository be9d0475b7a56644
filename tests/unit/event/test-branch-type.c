/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/branch-type.h"
#include "marked.h"
#include "wire/abi.h"

static void assert_type(const char *text, uint64_t want)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t bits = UINT64_MAX;

	if (branch_type_parse(text, &bits, &diag) != 0)
		fail_msg("%s: %s", text, diag.message);
	if (bits != want)
		fail_msg("%s: %#lx, not %#lx", text, (long)bits, (long)want);
	assert_null(diag.message);
}

static void every_filter_has_its_bit(void **state)
{
	static const struct {
		const char *name;
		uint64_t bits;
	} cases[] = {
		{ "any", 1 << 3 },       { "any_call", 1 << 4 }, { "any_ret", 1 << 5 },
		{ "ind_call", 1 << 6 },  { "abort_tx", 1 << 7 }, { "in_tx", 1 << 8 },
		{ "no_tx", 1 << 9 },     { "cond", 1 << 10 },    { "stack", 1 << 11 },
		{ "ind_jmp", 1 << 12 },  { "call", 1 << 13 },    { "save_type", 1 << 16 },
		{ "hw_index", 1 << 17 }, { "priv", 1 << 18 },    { "counter", 1 << 19 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_type(cases[i].name, cases[i].bits);
}

static void privileges_alone_mean_any_branch_there(void **state)
{
	const uint64_t u = PERF_SAMPLE_BRANCH_USER, k = PERF_SAMPLE_BRANCH_KERNEL;
	const uint64_t any = PERF_SAMPLE_BRANCH_ANY;

	(void)state;
	assert_type("u", u | any);
	assert_type("k", k | any);
	assert_type("hv", PERF_SAMPLE_BRANCH_HV | any);
	assert_type("u,k", u | k | any);
	assert_type("any_call,u", PERF_SAMPLE_BRANCH_ANY_CALL | u);
}

static void filters_between_commas_add_up(void **state)
{
	(void)state;
	assert_type("any_call,any_ret,k", 1 << 4 | 1 << 5 | PERF_SAMPLE_BRANCH_KERNEL);
	assert_type("cond,cond", 1 << 10);
}

static void no_asks_for_nothing(void **state)
{
	(void)state;
	assert_type("no", 0);
}

static void an_unknown_filter_is_marked(void **state)
{
	static const struct {
		const char *text, *mark, *words;
	} cases[] = {
		{ "foo", "^^^", "there is no branch filter 'foo'" },
		{ "any,any_cal,u", "    ^^^^^^^", "there is no branch filter 'any_cal'" },
		{ "any ", "^^^^", "there is no branch filter 'any '" },
		{ "", "|", "there is no branch filter ''" },
		{ "any,", "    |", "there is no branch filter ''" },
		{ "any,,u", "    |", "there is no branch filter ''" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		uint64_t bits = 7;

		assert_int_equal(branch_type_parse(cases[i].text, &bits, &diag), -EINVAL);
		assert_marked(&diag, cases[i].text, cases[i].mark, cases[i].words);
		assert_int_equal(bits, 7);
	}
}

static void the_nearest_filters_are_suggested(void **state)
{
	(void)state;
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t bits;

	assert_int_equal(branch_type_parse("any_cal", &bits, &diag), -EINVAL);
	assert_contains(diag.hint, "Did you mean 'any_call'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_filter_has_its_bit),
		cmocka_unit_test(privileges_alone_mean_any_branch_there),
		cmocka_unit_test(filters_between_commas_add_up),
		cmocka_unit_test(no_asks_for_nothing),
		cmocka_unit_test(an_unknown_filter_is_marked),
		cmocka_unit_test(the_nearest_filters_are_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
