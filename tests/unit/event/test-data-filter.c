/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "event/data-filter.h"
#include "marked.h"
#include "wire/attr.h"

static struct data_filter_items parsed(const char *text)
{
	struct data_filter_items f = { 0 };
	struct diag diag = { 0 };

	if (data_filter_parse(&f, text, &diag) < 0)
		fail_msg("%s: %s", text, diag.message);
	assert_null(diag.message);
	return f;
}

static void assert_item(const struct data_filter_items *f, uint32_t i, uint32_t term, uint32_t op,
			uint64_t value, bool ends_group)
{
	assert_true(i < f->n);
	assert_int_equal(f->items[i].term, term);
	assert_int_equal(f->items[i].op, op);
	assert_int_equal(f->items[i].value, value);
	assert_int_equal(f->items[i].ends_group, ends_group);
}

static void or_joins_more_closely_than_a_comma(void **state)
{
	struct data_filter_items f =
		parsed("mem_op == load || mem_op==store , mem_lvl > l1,period>=0x10");

	(void)state;
	assert_int_equal(f.n, 4);
	assert_item(&f, 0, DATA_FILTER_MEM_OP, DATA_FILTER_EQ, 2, false);
	assert_item(&f, 1, DATA_FILTER_MEM_OP, DATA_FILTER_EQ, 4, true);
	assert_item(&f, 2, DATA_FILTER_MEM_LEVEL, DATA_FILTER_GT, 1, true);
	assert_item(&f, 3, DATA_FILTER_PERIOD, DATA_FILTER_GE, 16, true);
}

static void every_operator_is_known(void **state)
{
	struct data_filter_items f =
		parsed("ip == 1, ip != 2, ip > 3, ip >= 4, ip < 5, ip <= 6, ip & 7");

	(void)state;
	assert_int_equal(f.n, 7);
	for (uint32_t i = 0; i < f.n; i++)
		assert_item(&f, i, DATA_FILTER_IP, DATA_FILTER_EQ + i, i + 1, true);
}

static void names_of_values_belong_to_their_term(void **state)
{
	struct data_filter_items f = parsed("mem_snoop == hitm, mem_snoop & peer, mem_dtlb == "
					    "l2_miss, mem_lock == locked, mem_hops == hops3, "
					    "mem_blk == by_addr, mem_remote == remote, mem_lvl == "
					    "pmem");
	static const uint64_t numbers[] = { 0x10, 0x40, 0x14, 2, 4, 4, 1, 0x0e };

	(void)state;
	for (uint32_t i = 0; i < f.n; i++)
		assert_int_equal(f.items[i].value, numbers[i]);
	assert_int_equal(f.n, ARRAY_SIZE(numbers));
}

static void a_second_filter_has_to_hold_too(void **state)
{
	struct data_filter_items f = parsed("cpu == 1 || cpu == 2");
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(data_filter_parse(&f, "uid == 0", &diag), 0);
	assert_int_equal(f.n, 3);
	assert_item(&f, 1, DATA_FILTER_CPU, DATA_FILTER_EQ, 2, true);
	assert_item(&f, 2, DATA_FILTER_UID, DATA_FILTER_EQ, 0, true);
}

static void mistakes_are_marked(void **state)
{
	static const struct {
		const char *text, *mark, *words;
	} cases[] = {
		{ "", "|", "empty" },
		{ "  ", "  |", "empty" },
		{ "priod > 0", "^^^^^", "no 'priod'" },
		{ "> 0", "^", "a term is expected" },
		{ "period", "      |", "an operator is expected" },
		{ "period = 1", "       ^", "write ==" },
		{ "period ~ 1", "       ^", "no operator" },
		{ "period =! 1", "       ^^", "no operator" },
		{ "period > ", "         |", "a value is expected" },
		{ "period > x", "         ^", "no number of period" },
		{ "period > -1", "         ^^", "no number of period" },
		{ "period > 99999999999999999999", "         ^^^^^^^^^^^^^^^^^^^^",
		  "no number of period" },
		{ "mem_op == lod", "          ^^^", "no number or value" },
		{ "mem_op == l1", "          ^^", "no number or value" },
		{ "period > 1 && ip > 0", "           ^^", "write a comma" },
		{ "period > 1 ip > 0", "           ^", "is expected here" },
		{ "period > 1 | ip > 0", "           ^", "is expected here" },
		{ "period > 1,", "           |", "a term is expected" },
		{ "period > 1 ||", "             |", "a term is expected" },
		{ ",period > 1", "^", "a term is expected" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct data_filter_items f = { .n = 0 };
		struct diag diag = { 0 };

		assert_int_equal(data_filter_parse(&f, cases[i].text, &diag), -EINVAL);
		assert_marked(&diag, cases[i].text, cases[i].mark, cases[i].words);
		assert_int_equal(f.n, 0);
		diag_done(&diag);
	}
}

static void there_is_a_limit_of_conditions(void **state)
{
	struct data_filter_items f = { 0 };
	struct diag diag = { 0 };

	(void)state;
	for (int i = 0; i < DATA_FILTER_ITEMS_MAX; i++)
		assert_int_equal(data_filter_parse(&f, "ip > 0", &diag), 0);
	assert_int_equal(data_filter_parse(&f, "ip > 0", &diag), -E2BIG);
	assert_contains(diag.message, "at most 32");
	diag_done(&diag);
}

static void what_samples_lack_is_said_with_its_option(void **state)
{
	struct data_filter_items f = parsed("period > 1 || cpu == 1");
	struct attr attr = { .sample_type = PERF_SAMPLE_IP };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(data_filter_check(&f, &attr, "cycles", &diag), -EINVAL);
	assert_string_equal(diag.message, "cycles event does not have PERF_SAMPLE_CPU");
	assert_contains(diag.hint, "--sample-cpu");
	attr.sample_type |= PERF_SAMPLE_CPU;
	assert_int_equal(data_filter_check(&f, &attr, "cycles", &diag), 0);
	diag_done(&diag);
}

static void every_term_has_a_name(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < DATA_FILTER_TERMS; i++)
		assert_string_not_equal(data_filter_term_name(i), "?");
	assert_string_equal(data_filter_term_name(DATA_FILTER_TERMS), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(or_joins_more_closely_than_a_comma),
		cmocka_unit_test(every_operator_is_known),
		cmocka_unit_test(names_of_values_belong_to_their_term),
		cmocka_unit_test(a_second_filter_has_to_hold_too),
		cmocka_unit_test(mistakes_are_marked),
		cmocka_unit_test(there_is_a_limit_of_conditions),
		cmocka_unit_test(what_samples_lack_is_said_with_its_option),
		cmocka_unit_test(every_term_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
