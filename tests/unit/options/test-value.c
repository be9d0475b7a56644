/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include "base/cpu-list.h"
#include "options/value.h"

struct opts {
	enum choice choice;
	uint64_t size;
	struct id_list ids;
	struct cpu_list cpus;
	const char *regex;
};

static const struct option options[] = {
	OPT_CHOICE('c', "choice", struct opts, choice, ""),
	OPT_CALL('s', "size", struct opts, size, "size", "", .set = size_set),
	OPT_CALL('p', "ids", struct opts, ids, "id", "", .set = id_list_set),
	OPT_CALL('C', "cpus", struct opts, cpus, "cpu", "", .set = cpu_list_set),
	OPT_CALL('r', NULL, struct opts, regex, "regex", "", .set = regex_set),
	OPT_END
};

static void done(struct opts *o)
{
	id_list_done(&o->ids);
	cpu_list_done(&o->cpus);
}

static void a_choice_is_unsaid_until_somebody_says(void **state)
{
	(void)state;
	struct opts o = { 0 };

	assert_int_equal(o.choice, CHOICE_UNSAID);
	assert_int_equal(PARSE(options, &o, "-c"), 0);
	assert_int_equal(o.choice, CHOICE_YES);
	assert_int_equal(PARSE(options, &o, "--no-choice"), 0);
	assert_int_equal(o.choice, CHOICE_NO);
}

static void a_size_needs_its_unit(void **state)
{
	(void)state;
	struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "--size", "64K"), 0);
	assert_int_equal(o.size, 65536);
	assert_int_equal(PARSE(options, &o, "--size", "64"), -EINVAL);
	assert_true(says("--size: '64' is not a size"));
	assert_true(says("512K"));
	assert_int_equal(PARSE(options, &o, "--size", "64T"), -EINVAL);
	assert_int_equal(PARSE(options, &o, "--size", ""), -EINVAL);
	assert_int_equal(PARSE(options, &o, "--size", "99999999999G"), -EINVAL);
	assert_int_equal(o.size, 65536);
	assert_int_equal(PARSE(options, &o, "--no-size"), 0);
	assert_int_equal(o.size, 0);
}

static void ids_keep_their_order(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-p", "34,12"), 0);
	assert_int_equal(o.ids.n, 2);
	assert_int_equal(o.ids.items[0], 34);
	assert_int_equal(o.ids.items[1], 12);
}

static void blanks_and_a_last_comma_in_ids_are_harmless(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-p", "1,"), 0);
	assert_int_equal(o.ids.n, 1);
	assert_int_equal(PARSE(options, &o, "-p", "1, 2"), 0);
	assert_int_equal(o.ids.n, 2);
}

static void the_last_list_of_ids_wins(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-p", "1,2", "-p", "3"), 0);
	assert_int_equal(o.ids.n, 1);
	assert_int_equal(o.ids.items[0], 3);
	assert_int_equal(PARSE(options, &o, "--no-ids"), 0);
	assert_int_equal(o.ids.n, 0);
}

static void what_is_no_id_is_marked(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };
	static const char *const wrong[] = {
		"x", "1,x", "-1", "0x10", "99999999999", "", ",", "1;2"
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(PARSE(options, &o, "-p", (char *)wrong[i]), -EINVAL);
	assert_int_equal(PARSE(options, &o, "-p", "1,x"), -EINVAL);
	assert_true(says("--ids: 'x' is not a number of a process or thread\n1,x\n"));
	assert_int_equal(o.ids.n, 0);
}

static void cpus_are_numbers_and_ranges(void **state)
{
	(void)state;
	_cleanup_(done) struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-C0,2-3"), 0);
	assert_int_equal(o.cpus.n, 3);
	assert_int_equal(PARSE(options, &o, "-C", "3-1"), -EINVAL);
	assert_true(says("runs backwards"));
	assert_int_equal(PARSE(options, &o, "-C", ""), -EINVAL);
	assert_int_equal(PARSE(options, &o, "-C", "all"), -EINVAL);
	assert_int_equal(o.cpus.n, 3);
}

static void a_regular_expression_must_compile(void **state)
{
	(void)state;
	struct opts o = { 0 };

	assert_int_equal(PARSE(options, &o, "-r", "^sys_|^do_"), 0);
	assert_string_equal(o.regex, "^sys_|^do_");
	assert_int_equal(PARSE(options, &o, "-r", "("), -EINVAL);
	assert_true(says("-r: not a regular expression"));
}

static void a_word_ends_at_a_comma(void **state)
{
	(void)state;
	assert_int_equal(value_word("ab,c"), 2);
	assert_int_equal(value_word("abc"), 3);
	assert_int_equal(value_word(""), 0);
	assert_string_equal(value_next("ab,c"), "c");
	assert_string_equal(value_next("ab,"), "");
	assert_null(value_next("abc"));
}

static void an_abbreviation_has_at_least_one_letter(void **state)
{
	(void)state;
	assert_true(value_abbreviates("gr", "graph"));
	assert_true(value_abbreviates("graph", "graph"));
	assert_false(value_abbreviates("", "graph"));
	assert_false(value_abbreviates("graphs", "graph"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_choice_is_unsaid_until_somebody_says),
		cmocka_unit_test(a_size_needs_its_unit),
		cmocka_unit_test(ids_keep_their_order),
		cmocka_unit_test(blanks_and_a_last_comma_in_ids_are_harmless),
		cmocka_unit_test(the_last_list_of_ids_wins),
		cmocka_unit_test(what_is_no_id_is_marked),
		cmocka_unit_test(cpus_are_numbers_and_ranges),
		cmocka_unit_test(a_regular_expression_must_compile),
		cmocka_unit_test(a_word_ends_at_a_comma),
		cmocka_unit_test(an_abbreviation_has_at_least_one_letter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
