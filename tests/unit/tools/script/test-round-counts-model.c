/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tools/script/round-counts-model.h"

struct counting {
	struct recording rec;
	struct session *session;
	struct round_counts *counts;
};

static void counting_done(struct counting *c)
{
	round_counts_free(c->counts);
	session_free(c->session);
	recording_done(&c->rec);
}

static bool give(struct counting *c, struct record r)
{
	return round_counts_record(c->counts, &r);
}

/* Begins a recording with two CPUs and one thread; @aggregation is 1 if counts are summed up. */
static void begin(struct counting *c, uint64_t aggregation, uint64_t scale)
{
	static const uint64_t any_thread[] = { UINT64_MAX, 0, 0 };
	const uint64_t config[] = { 0, aggregation, 1, 100, 2, scale, 99, 7 };

	c->rec = recording_new();
	c->session = opened(&c->rec, false);
	c->counts = round_counts_new(c->session);
	give(c, (struct record){ .header.type = PERF_RECORD_STAT_CONFIG,
				 .stat_config.entries = { (const uint8_t *)config, 8, false } });
	give(c, (struct record){ .header.type = PERF_RECORD_THREAD_MAP,
				 .thread_map = { (const uint8_t *)any_thread, 1, false } });
	give(c, (struct record){ .header.type = PERF_RECORD_CPU_MAP,
				 .cpu_map = { .kind = 2, .first = 4, .last = 5 } });
}

static void count(struct counting *c, uint32_t cpu, uint64_t value, uint64_t enabled,
		  uint64_t running)
{
	assert_false(give(c, (struct record){ .header.type = PERF_RECORD_STAT,
					      .stat = { .id = 1,
							.cpu = cpu,
							.value = value,
							.enabled = enabled,
							.running = running } }));
}

static bool end_round(struct counting *c)
{
	return give(c, (struct record){ .header.type = PERF_RECORD_STAT_ROUND });
}

static void assert_count(struct round_count n, int cpu, uint64_t value, uint64_t running)
{
	assert_int_equal(n.cpu, cpu);
	assert_int_equal(n.thread, -1);
	assert_int_equal(n.value, value);
	assert_int_equal(n.running, running);
}

static void sums_are_of_the_round_and_cells_go_on(void **state)
{
	_cleanup_(counting_done) struct counting c;

	(void)state;
	begin(&c, 1, 1);
	count(&c, 4, 10, 100, 100);
	count(&c, 5, 20, 100, 100);
	assert_true(end_round(&c));
	assert_true(round_counts_summed(c.counts));
	assert_int_equal(round_counts_cells(c.counts), 2);
	assert_count(round_counts_sum(c.counts, 0), -1, 30, 200);
	count(&c, 4, 15, 200, 200);
	assert_true(end_round(&c));
	assert_count(round_counts_sum(c.counts, 0), -1, 5, 100);
	assert_count(round_counts_get(c.counts, 0, 0), 4, 15, 200);
	assert_count(round_counts_get(c.counts, 0, 1), 5, 20, 100);
}

static void cells_that_are_not_summed_up_are_of_the_round_and_scaled(void **state)
{
	_cleanup_(counting_done) struct counting c;

	(void)state;
	begin(&c, 0, 1);
	count(&c, 4, 10, 100, 50);
	count(&c, 5, 20, 100, 0);
	assert_true(end_round(&c));
	assert_false(round_counts_summed(c.counts));
	assert_count(round_counts_get(c.counts, 0, 0), 4, 20, 50);
	assert_count(round_counts_get(c.counts, 0, 1), 5, 0, 0);
	count(&c, 4, 17, 200, 150);
	assert_true(end_round(&c));
	assert_count(round_counts_get(c.counts, 0, 0), 4, 7, 100);
}

static void nothing_is_scaled_if_the_recorder_did_not(void **state)
{
	_cleanup_(counting_done) struct counting c;

	(void)state;
	begin(&c, 0, 0);
	count(&c, 4, 10, 100, 50);
	assert_true(end_round(&c));
	assert_count(round_counts_get(c.counts, 0, 0), 4, 10, 50);
}

static void a_round_without_maps_is_none(void **state)
{
	_cleanup_(counting_done) struct counting c = { .rec = recording_new() };

	(void)state;
	c.session = opened(&c.rec, false);
	c.counts = round_counts_new(c.session);
	count(&c, 4, 10, 100, 50);
	assert_false(end_round(&c));
	assert_int_equal(round_counts_events(c.counts), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_of_the_round_and_cells_go_on),
		cmocka_unit_test(cells_that_are_not_summed_up_are_of_the_round_and_scaled),
		cmocka_unit_test(nothing_is_scaled_if_the_recorder_did_not),
		cmocka_unit_test(a_round_without_maps_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
