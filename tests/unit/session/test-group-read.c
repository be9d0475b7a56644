/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include "session/group-read.h"

/* Returns a sample that read @n counts: value and id for each. */
static struct sample read_of(const uint64_t *pairs, size_t n)
{
	return (struct sample){
		.tid = 7,
		.read = { .n = n,
			  .values = { .bytes = (const uint8_t *)pairs, .n = 2 * n },
			  .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID },
	};
}

static void each_event_gets_what_it_counted_since(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	_cleanup_(group_reads_freep) struct group_reads *g = group_reads_new();
	static const uint64_t first[] = { 100, 1, 5, 2 }, second[] = { 130, 1, 9, 2 };
	const struct group_share *shares;
	struct sample sample = read_of(first, 2);

	(void)state;
	assert_int_equal(group_reads_share(g, s, &sample, &shares), 2);
	assert_ptr_equal(shares[0].event, session_event(s, 0));
	assert_int_equal(shares[0].period, 100);
	assert_ptr_equal(shares[1].event, session_event(s, 1));
	assert_int_equal(shares[1].period, 5);
	sample = read_of(second, 2);
	assert_int_equal(group_reads_share(g, s, &sample, &shares), 2);
	assert_int_equal(shares[0].period, 30);
	assert_int_equal(shares[1].period, 4);
}

static void who_counted_nothing_or_is_unknown_gets_nothing(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	_cleanup_(group_reads_freep) struct group_reads *g = group_reads_new();
	static const uint64_t pairs[] = { 100, 1, 0, 2, 50, 99 };
	const struct group_share *shares;
	struct sample sample = read_of(pairs, 3);

	(void)state;
	assert_int_equal(group_reads_share(g, s, &sample, &shares), 1);
	assert_int_equal(group_reads_share(g, s, &sample, &shares), 0);
}

static void inherited_events_count_for_each_task(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(group_reads_freep) struct group_reads *g = group_reads_new();
	static const uint64_t parent[] = { 100, 1 }, child[] = { 20, 1 };
	const struct group_share *shares;
	struct sample sample = read_of(parent, 1);

	(void)state;
	rec.attr.inherit = 1;
	s = opened(&rec, false);
	assert_int_equal(group_reads_share(g, s, &sample, &shares), 1);
	sample = read_of(child, 1);
	sample.tid = 8;
	assert_int_equal(group_reads_share(g, s, &sample, &shares), 1);
	assert_int_equal(shares[0].period, 20);
}

static void a_count_without_an_id_is_the_sample_s(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	_cleanup_(group_reads_freep) struct group_reads *g = group_reads_new();
	static const uint64_t value = 100;
	const struct group_share *shares;
	struct sample sample = {
		.id = 2, .read = { .n = 1, .values = { (const uint8_t *)&value, 1, false } }
	};

	(void)state;
	assert_int_equal(group_reads_share(g, s, &sample, &shares), 1);
	assert_ptr_equal(shares[0].event, session_event(s, 1));
	assert_int_equal(shares[0].period, 100);
}

static void only_samples_with_counts_are_shared_out(void **state)
{
	struct session_event e = { .attr.sample_type = PERF_SAMPLE_READ };

	(void)state;
	assert_true(group_reads_wanted(&e));
	e.attr.sample_type = PERF_SAMPLE_IP;
	assert_false(group_reads_wanted(&e));
}

static void nothing_can_be_freed(void **state)
{
	(void)state;
	group_reads_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_event_gets_what_it_counted_since),
		cmocka_unit_test(who_counted_nothing_or_is_unknown_gets_nothing),
		cmocka_unit_test(inherited_events_count_for_each_task),
		cmocka_unit_test(a_count_without_an_id_is_the_sample_s),
		cmocka_unit_test(only_samples_with_counts_are_shared_out),
		cmocka_unit_test(nothing_can_be_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
