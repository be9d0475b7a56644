/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "count/stat-model.h"
#include "tools/stat/replay-model.h"
#include "wire/record.h"
#include "wire/topology.h"

static const uint64_t faults_ids[] = { 11, 12 };

static struct cpu_place places[] = { { .cpu = 0, .socket = 0 }, { .cpu = 1, .socket = 1 } };
static const struct topology two_sockets = { .items = places, .n = 2 };

static struct stat_replay *replay_of(const struct stat_replay_options *o)
{
	const struct attr faults = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_PAGE_FAULTS };
	const struct attr cycles = { .type = PERF_TYPE_HARDWARE };
	struct stat_replay *r = stat_replay_new(o);

	stat_replay_add_event(r, &faults, "faults", faults_ids, 2);
	stat_replay_add_event(r, &cycles, "cycles", NULL, 0);
	return r;
}

static void tell_cpus(struct stat_replay *r)
{
	const struct record rec = { .header.type = PERF_RECORD_CPU_MAP,
				    .cpu_map = { .kind = 2, .first = 0, .last = 1 } };

	stat_replay_apply(r, &rec);
}

static void tell_config(struct stat_replay *r, uint64_t tag, uint64_t value)
{
	const uint64_t words[] = { tag, value };
	struct record rec = { .header.type = PERF_RECORD_STAT_CONFIG };

	rec.stat_config.entries = (struct words){ .bytes = (const uint8_t *)words, .n = 2 };
	stat_replay_apply(r, &rec);
}

static void tell_count(struct stat_replay *r, uint64_t id, uint32_t cpu, uint64_t value)
{
	const struct record rec = {
		.header.type = PERF_RECORD_STAT,
		.stat = { .id = id, .cpu = cpu, .value = value, .enabled = 9, .running = 9 },
	};

	assert_int_equal(stat_replay_apply(r, &rec), STAT_REPLAY_NOTHING);
}

static enum stat_replay_result tell_round(struct stat_replay *r, uint64_t type, uint64_t time)
{
	const struct record rec = { .header.type = PERF_RECORD_STAT_ROUND,
				    .stat_round = { .type = type, .time = time } };

	return stat_replay_apply(r, &rec);
}

static void counts_of_all_cpus_are_added_up(void **state)
{
	(void)state;
	struct stat_replay *r = replay_of(&(struct stat_replay_options){ 0 });
	struct stat_table t;

	tell_cpus(r);
	tell_count(r, 11, 0, 5);
	tell_count(r, 12, 1, 7);
	assert_int_equal(tell_round(r, 1, 2000000000), STAT_REPLAY_END);
	stat_model_table(stat_replay_model(r), &t);
	assert_int_equal(t.n_rows, 2);
	assert_int_equal((int)t.rows[0].count, 12);
	assert_int_equal(t.rows[1].state, STAT_NOT_SUPPORTED);
	assert_int_equal((int)t.elapsed_s, 2);
	stat_replay_free(r);
}

static void another_aggregation_is_made_of_the_same_counts(void **state)
{
	(void)state;
	struct stat_replay *r = replay_of(&(struct stat_replay_options){
		.aggregate = true, .aggregation = STAT_SOCKET, .topology = &two_sockets });
	struct stat_table t;

	tell_cpus(r);
	tell_count(r, 11, 0, 5);
	tell_count(r, 12, 1, 7);
	tell_round(r, 1, 1);
	stat_model_table(stat_replay_model(r), &t);
	assert_int_equal(t.aggregation, STAT_SOCKET);
	assert_int_equal(t.n_rows, 4);
	assert_false(stat_replay_refused(r));
	stat_replay_free(r);
}

static void tasks_have_no_sums_over_cpus(void **state)
{
	(void)state;
	struct stat_replay *r = replay_of(
		&(struct stat_replay_options){ .aggregate = true, .aggregation = STAT_CPU });

	tell_count(r, 11, UINT32_MAX, 5);
	tell_round(r, 1, 1);
	assert_true(stat_replay_refused(r));
	stat_replay_free(r);
}

static void threads_are_shown_where_tasks_were_counted(void **state)
{
	(void)state;
	const struct stat_replay_options o = { .aggregate = true,
					       .aggregation = STAT_THREAD,
					       .topology = &two_sockets };
	struct stat_replay *of_tasks = replay_of(&o), *of_cpus = replay_of(&o);
	struct stat_table t;

	tell_count(of_tasks, 11, UINT32_MAX, 5);
	tell_round(of_tasks, 1, 1);
	stat_model_table(stat_replay_model(of_tasks), &t);
	assert_int_equal(t.aggregation, STAT_THREAD);
	assert_false(stat_replay_refused(of_tasks));
	tell_cpus(of_cpus);
	tell_count(of_cpus, 11, 0, 5);
	tell_round(of_cpus, 1, 1);
	assert_true(stat_replay_refused(of_cpus));
	stat_replay_free(of_tasks);
	stat_replay_free(of_cpus);
}

static void an_interval_shows_what_came_since_the_one_before(void **state)
{
	(void)state;
	struct stat_replay *r = replay_of(&(struct stat_replay_options){ 0 });
	struct stat_table t;

	tell_cpus(r);
	tell_config(r, 1, 100);
	tell_count(r, 11, 0, 5);
	assert_int_equal(tell_round(r, 0, 100), STAT_REPLAY_INTERVAL);
	tell_count(r, 11, 0, 8);
	assert_int_equal(tell_round(r, 0, 200), STAT_REPLAY_INTERVAL);
	stat_model_table(stat_replay_model(r), &t);
	assert_true(t.interval);
	assert_int_equal((int)t.rows[0].count, 3);
	stat_replay_free(r);
}

/* 4 is core in 6.1, cache since 6.5 and cluster since 6.8. */
static void the_numbers_of_aggregations_are_those_of_the_version(void **state)
{
	(void)state;
	static const struct {
		const char *version;
		bool level;
		enum stat_aggregation is;
	} versions[] = {
		{ "6.1.187", false, STAT_CORE },
		{ "6.6.1", true, STAT_CACHE },
		{ "6.11", true, STAT_CLUSTER },
	};

	for (size_t i = 0; i < 3; i++) {
		struct stat_replay *r = replay_of(&(struct stat_replay_options){
			.topology = &two_sockets, .version = versions[i].version });
		struct stat_table t;

		tell_cpus(r);
		tell_config(r, 0, 4);
		if (versions[i].level)
			tell_config(r, 3, 0);
		tell_round(r, 1, 1);
		stat_model_table(stat_replay_model(r), &t);
		assert_int_equal(t.aggregation, versions[i].is);
		stat_replay_free(r);
	}
}

static void counts_that_belong_nowhere_are_passed_over(void **state)
{
	(void)state;
	struct stat_replay *r = replay_of(&(struct stat_replay_options){ 0 });
	struct stat_table t;

	tell_cpus(r);
	tell_count(r, 99, 0, 5);
	tell_count(r, 11, 70000, 5);
	tell_round(r, 1, 1);
	stat_model_table(stat_replay_model(r), &t);
	assert_int_equal((int)t.rows[0].count, 0);
	stat_replay_free(r);
}

static void counts_without_an_end_are_shown_at_the_end(void **state)
{
	(void)state;
	struct stat_replay *r = replay_of(&(struct stat_replay_options){ 0 });

	assert_int_equal(stat_replay_end(r), STAT_REPLAY_NOTHING);
	tell_count(r, 11, UINT32_MAX, 5);
	assert_int_equal(stat_replay_end(r), STAT_REPLAY_END);
	assert_int_equal(stat_replay_end(r), STAT_REPLAY_NOTHING);
	stat_replay_free(r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_all_cpus_are_added_up),
		cmocka_unit_test(another_aggregation_is_made_of_the_same_counts),
		cmocka_unit_test(tasks_have_no_sums_over_cpus),
		cmocka_unit_test(threads_are_shown_where_tasks_were_counted),
		cmocka_unit_test(an_interval_shows_what_came_since_the_one_before),
		cmocka_unit_test(the_numbers_of_aggregations_are_those_of_the_version),
		cmocka_unit_test(counts_that_belong_nowhere_are_passed_over),
		cmocka_unit_test(counts_without_an_end_are_shown_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
