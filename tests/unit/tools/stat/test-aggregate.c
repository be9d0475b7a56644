/* SPDX-License-Identifier: MIT */
#include "options/parse.h"

#include "tools/stat/aggregate.h"

static void the_last_way_to_sum_up_wins(void **state)
{
	(void)state;
	struct aggregate_request o = { 0 };

	assert_int_equal(PARSE(aggregate_options, &o, "-A", "--per-core"), 0);
	assert_int_equal(o.over, STAT_CORE);
	assert_int_equal(PARSE(aggregate_options, &o, "--per-core", "-A"), 0);
	assert_int_equal(o.over, STAT_CPU);
}

static void every_level_of_the_machine_has_a_switch(void **state)
{
	(void)state;
	static const struct {
		const char *word;
		enum stat_aggregation over;
	} all[] = {
		{ "--no-aggr", STAT_CPU },         { "--per-socket", STAT_SOCKET },
		{ "--aggr-socket", STAT_SOCKET },  { "--per-die", STAT_DIE },
		{ "--per-cluster", STAT_CLUSTER }, { "--per-cache", STAT_CACHE },
		{ "--per-core", STAT_CORE },       { "--per-node", STAT_NODE },
		{ "--aggr", STAT_GLOBAL },         { "--no-per-die", STAT_GLOBAL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct aggregate_request o = { 0 };

		assert_int_equal(PARSE(aggregate_options, &o, (char *)all[i].word), 0);
		assert_int_equal(o.over, all[i].over);
	}
}

static void threads_are_a_row_of_stat_alone(void **state)
{
	(void)state;
	static const struct option options[] = { OPT_CALL(0, "per-thread", struct aggregate_request,
							  given, NULL, "", .set = aggregate_set,
							  .flags = OPTION_NO_VALUE),
						 OPT_END };
	struct aggregate_request o = { 0 };

	assert_int_equal(PARSE(aggregate_options, &o, "--per-thread"), -EINVAL);
	assert_int_equal(PARSE(options, &o, "--per-thread"), 0);
	assert_int_equal(o.over, STAT_THREAD);
}

static void a_cache_has_a_level(void **state)
{
	(void)state;
	struct aggregate_request o = { 0 };

	assert_int_equal(PARSE(aggregate_options, &o, "--per-cache=L2"), 0);
	assert_int_equal(o.over, STAT_CACHE);
	assert_int_equal(o.cache_level, 2);
	assert_int_equal(PARSE(aggregate_options, &o, "--per-cache"), 0);
	assert_int_equal(o.cache_level, 0);
	assert_int_equal(PARSE(aggregate_options, &o, "--per-cache=l"), -EINVAL);
	assert_int_equal(PARSE(aggregate_options, &o, "--per-cache=l22"), -EINVAL);
	assert_int_equal(PARSE(aggregate_options, &o, "--per-cache=2"), -EINVAL);
	assert_int_equal(PARSE(aggregate_options, &o, "--per-cache="), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_way_to_sum_up_wins),
		cmocka_unit_test(every_level_of_the_machine_has_a_switch),
		cmocka_unit_test(threads_are_a_row_of_stat_alone),
		cmocka_unit_test(a_cache_has_a_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
