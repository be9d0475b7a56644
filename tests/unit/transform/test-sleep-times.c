/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tracepoint/format.h"
#include "collected.h"
#include "transform/sleep-times.h"

#define LAYOUT                                                                                     \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW)

static struct tracepoint_field pid_field = { .name = "pid", .offset = 8, .size = 4 };
static struct tracepoint_format stat_format = { .fields = &pid_field, .n_fields = 1 };

static const struct session_event switches = { .system = "sched",
					       .tracepoint = "sched_switch",
					       .attr.sample_type = LAYOUT };
static const struct session_event stats = { .index = 1,
					    .system = "sched",
					    .tracepoint = "sched_stat_sleep",
					    .format = &stat_format,
					    .attr.sample_type = LAYOUT };
static const struct session_event exits = { .index = 2,
					    .system = "sched",
					    .tracepoint = "sched_process_exit",
					    .attr.sample_type = LAYOUT };
static const struct session_event others = {
	.index = 3, .system = "sched", .tracepoint = "sched_wakeup", .attr.sample_type = LAYOUT
};

struct fixture {
	struct recording rec;
	struct session *s;
	struct sleep_times *st;
	struct collected c;
};

static void fixture_init(struct fixture *f)
{
	f->rec = recording_new();
	comm(&f->rec, 1, 1, "x", 1);
	f->s = opened(&f->rec, false);
	f->st = sleep_times_new(f->s);
	f->c = collected_new();
	sleep_times_transform(f->st)->next = &f->c.transform;
}

static void fixture_done(struct fixture *f)
{
	sleep_times_free(f->st);
	collected_done(&f->c);
	session_free(f->s);
	recording_done(&f->rec);
}

/* Adds a sample of task @tid; that of a sched_stat is about @about. */
static void happens(struct fixture *f, const struct session_event *e, uint32_t tid, uint64_t time,
		    uint32_t about, uint64_t period)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	uint32_t raw[3] = { 0, 0, about };
	struct sample s = { .ip = 0x1000 + tid,
			    .pid = tid,
			    .tid = tid,
			    .time = time,
			    .period = period,
			    .raw = (const uint8_t *)raw,
			    .raw_size = sizeof(raw) };
	struct transform *t = sleep_times_transform(f->st);

	assert_int_equal(sample_encode(&s, &e->attr, &b), 0);
	assert_int_equal(t->kind->take(t, &(struct delivered){ .raw = { .bytes = b.data,
									.header = record_header_at(
										b.data, false) },
							       .time = time,
							       .event = e }),
			 0);
}

static void a_sleep_is_the_switch_with_the_length_of_the_stat(void **state)
{
	(void)state;
	_cleanup_(fixture_done) struct fixture f;
	struct sample s;

	fixture_init(&f);
	happens(&f, &switches, 5, 100, 0, 1);
	happens(&f, &stats, 9, 400, 5, 300);
	assert_int_equal(f.c.n, 1);
	assert_ptr_equal(f.c.events[0], &switches);
	s = collected_sample(&f.c, 0, &switches.attr);
	assert_int_equal(s.tid, 5);
	assert_int_equal(s.ip, 0x1005);
	assert_int_equal(s.time, 400);
	assert_int_equal(s.period, 300);
	assert_int_equal(sleep_times_merged(f.st), 1);
}

static void the_last_switch_counts_for_all_that_follow(void **state)
{
	(void)state;
	_cleanup_(fixture_done) struct fixture f;

	fixture_init(&f);
	happens(&f, &switches, 5, 100, 0, 1);
	happens(&f, &stats, 9, 400, 5, 300);
	happens(&f, &stats, 9, 500, 5, 50);
	assert_int_equal(f.c.n, 2);
	assert_int_equal(collected_sample(&f.c, 1, &switches.attr).period, 50);
}

static void what_was_not_seen_to_sleep_is_left_out(void **state)
{
	(void)state;
	_cleanup_(fixture_done) struct fixture f;

	fixture_init(&f);
	happens(&f, &stats, 9, 400, 5, 300);
	happens(&f, &switches, 5, 500, 0, 1);
	happens(&f, &exits, 5, 600, 0, 1);
	happens(&f, &stats, 9, 700, 5, 300);
	assert_int_equal(f.c.n, 0);
}

static void other_samples_pass(void **state)
{
	(void)state;
	_cleanup_(fixture_done) struct fixture f;

	fixture_init(&f);
	happens(&f, &others, 5, 100, 0, 1);
	assert_int_equal(f.c.n, 1);
	assert_ptr_equal(f.c.events[0], &others);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sleep_is_the_switch_with_the_length_of_the_stat),
		cmocka_unit_test(the_last_switch_counts_for_all_that_follow),
		cmocka_unit_test(what_was_not_seen_to_sleep_is_left_out),
		cmocka_unit_test(other_samples_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
