/* SPDX-License-Identifier: MIT */
#include "recording.h"
#include "stream.h"

#include <errno.h>
#include <stdatomic.h>

#include "base/text.h"
#include "base/workers.h"
#include "session/machine.h"
#include "session/sample-filter.h"

#define WORKERS 3
#define MANY    20000 /* enough for threads that take slices while the file is read */

/* The calls that a consumer got, one after the other: "begin", "5:1" (time and period), "comm". */
struct log {
	struct session *s;
	struct text text;
	unsigned begun;
	enum consumer_order order; /* that begin() requests */
	int answer;
};

static int log_begin(void *arg, struct consumer *c)
{
	struct log *l = arg;

	l->begun++;
	c->order = l->order;
	text_addf(&l->text, "begin(%zu) ", session_event_count(l->s));
	return 0;
}

static int log_samples(void *arg, const struct sample_batch *b)
{
	struct log *l = arg;

	for (size_t i = 0; i < b->n; i++)
		text_addf(&l->text, "%u:%u@%u ", (unsigned)b->items[i].event->index,
			  (unsigned)b->items[i].period, (unsigned)b->items[i].time);
	return l->answer;
}

static int log_records(void *arg, const struct record_batch *b)
{
	struct log *l = arg;

	for (size_t i = 0; i < b->n; i++)
		text_addf(&l->text, "%s@%u ",
			  record_type_name(b->items[i].raw.header.type) + strlen("PERF_RECORD_"),
			  (unsigned)b->items[i].time);
	return l->answer;
}

static int log_slice_end(void *arg, unsigned slice)
{
	struct log *l = arg;

	text_addf(&l->text, "end(%u) ", slice);
	return 0;
}

/* Feeds a consumer like @c, but with the callbacks of the log. */
static int feed(struct log *l, struct session *s, struct consumer c, const char *expected)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	*l = (struct log){ .s = s, .text = TEXT_EMPTY, .order = c.order, .answer = l->answer };
	c.begin = log_begin;
	c.arg = l;
	r = session_feed(s, NULL, &c, &diag);
	if (expected)
		assert_string_equal(l->text.chars, expected);
	text_done(&l->text);
	return r;
}

static void write_stream(struct recording *rec, struct bytes *b)
{
	static const uint64_t ids[] = { 1, 2 };

	begin_stream(b);
	for (size_t i = 0; i < 2; i++)
		add_attr(b, &rec->attr, &ids[i], 1);
	bytes_add(b, rec->records.data, rec->records.n);
}

static void samples_come_in_order_if_asked_for(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct log l = { 0 };

	(void)state;
	rec.attr.sample_period = 3;
	sampled(&rec, 1, 7, 20);
	sampled(&rec, 2, 7, 10);
	s = opened(&rec, false);
	feed(&l, s, (struct consumer){ .samples = log_samples }, "begin(2) 0:3@20 1:3@10 ");
	feed(&l, s, (struct consumer){ .order = CONSUMER_IN_ORDER, .samples = log_samples },
	     "begin(2) 1:3@10 0:3@20 ");
}

static void a_stream_begins_when_its_events_are_known(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;
	struct log l = { 0 };

	(void)state;
	comm(&rec, 7, 7, "x", 1);
	sampled(&rec, 1, 7, 20);
	sampled(&rec, 2, 7, 10);
	write_stream(&rec, &b);
	s = opened_stream(&b, &fd);
	feed(&l, s, (struct consumer){ .samples = log_samples }, "begin(2) 1:0@10 0:0@20 ");
}

static void a_stream_without_samples_begins_too(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(closep) int fd = -1;
	struct log l = { 0 };

	(void)state;
	write_stream(&rec, &b);
	s = opened_stream(&b, &fd);
	feed(&l, s, (struct consumer){ .samples = log_samples }, "begin(2) ");
	assert_int_equal(l.begun, 1);
}

static void records_that_were_asked_for_come_in_their_turn(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct log l = { 0 };

	(void)state;
	comm(&rec, 7, 7, "x", 1);
	sampled(&rec, 1, 7, 2);
	comm(&rec, 7, 7, "y", 3);
	mmaps(&rec, 7, 0x1000, 0x1000, "/bin/x", 4);
	sampled(&rec, 1, 7, 5);
	s = opened(&rec, false);
	feed(&l, s,
	     (struct consumer){ .types = RECORD_TYPE_BIT(PERF_RECORD_COMM),
				.samples = log_samples,
				.records = log_records,
				.slice_end = log_slice_end },
	     "begin(2) COMM@1 0:0@2 COMM@3 0:0@5 end(0) ");
	feed(&l, s,
	     (struct consumer){
		     .types = RECORD_TYPES_ALL, .samples = log_samples, .records = log_records },
	     "begin(2) COMM@1 SAMPLE@2 0:0@2 COMM@3 MMAP2@4 SAMPLE@5 0:0@5 ");
	feed(&l, s, (struct consumer){ .types = RECORD_TYPES_ALL, .records = log_records },
	     "begin(2) COMM@1 SAMPLE@2 COMM@3 MMAP2@4 SAMPLE@5 ");
}

/* Adds a sample at @time that read the counts of both events. */
static void read_both(struct recording *rec, uint64_t time, uint64_t first, uint64_t second)
{
	const uint64_t pairs[] = { first, 1, second, 2 };
	struct sample s = {
		.id = 1,
		.time = time,
		.read = { .n = 2,
			  .values = { .bytes = (const uint8_t *)pairs, .n = 4 },
			  .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID },
	};

	assert_int_equal(sample_encode(&s, &rec->attr, &rec->records), 0);
}

static struct recording recording_of_group(void)
{
	struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP |
					    PERF_SAMPLE_TIME | PERF_SAMPLE_READ);

	rec.attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	read_both(&rec, 20, 130, 9);
	read_both(&rec, 10, 100, 5);
	return rec;
}

static void counts_of_a_group_are_shared_out_in_order(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_of_group();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct log l = { 0 };

	(void)state;
	feed(&l, s, (struct consumer){ .samples = log_samples },
	     "begin(2) 0:100@10 1:5@10 0:30@20 1:4@20 ");
	feed(&l, s, (struct consumer){ .undivided = true, .samples = log_samples },
	     "begin(2) 0:0@20 0:0@10 ");
}

static void samples_at_other_times_are_left_out_but_counted(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_of_group();
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	_cleanup_(sample_filter_freep) struct sample_filter *late = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct time_span span = { 15, 25 };
	struct log l = { 0 };

	(void)state;
	assert_int_equal(
		sample_filter_new(&(struct sample_filter_request){ .spans = &span, .n_spans = 1 },
				  &late, &diag),
		0);
	feed(&l, s, (struct consumer){ .filter = late, .samples = log_samples },
	     "begin(2) 0:30@20 1:4@20 ");
	feed(&l, s, (struct consumer){ .filter = late, .undivided = true, .samples = log_samples },
	     "begin(2) 0:0@20 ");
}

static int check_nobody(void *arg, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		assert_int_equal(b->items[i].sample->pid, SAMPLE_NOBODY);
		assert_int_equal(b->items[i].sample->tid, SAMPLE_NOBODY);
		assert_int_equal(b->items[i].sample->period, 17);
	}
	*(size_t *)arg += b->n;
	return 0;
}

static void what_a_sample_does_not_tell_is_settled(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_of(PERF_SAMPLE_IDENTIFIER |
								      PERF_SAMPLE_TIME);
	_cleanup_(session_freep) struct session *s = NULL;
	size_t n = 0;

	(void)state;
	rec.attr.sample_period = 17;
	sampled(&rec, 1, 7, 1);
	s = opened(&rec, false);
	assert_int_equal(session_feed(s, NULL,
				      &(struct consumer){ .samples = check_nobody, .arg = &n },
				      NULL),
			 0);
	assert_int_equal(n, 1);
}

static int check_empty(void *arg, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		assert_int_equal(b->items[i].sample->chain.n, 0);
	*(size_t *)arg += b->n;
	return 0;
}

static void samples_may_tell_nothing(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_of(0);
	_cleanup_(session_freep) struct session *s = NULL;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < 100; i++)
		sampled(&rec, 1, 7, 1);
	s = opened(&rec, false);
	session_feed(s, NULL, &(struct consumer){ .samples = check_empty, .arg = &n }, NULL);
	assert_int_equal(n, session_counts(s)->samples - session_counts(s)->unknown_ids);
}

static bool wants_second(void *arg, const struct session_event *e)
{
	(void)arg;
	return e->index == 1;
}

static void samples_of_other_events_are_only_counted(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct consumer c = { .order = CONSUMER_IN_ORDER,
			      .wants = wants_second,
			      .samples = log_samples };
	struct log l = { 0 };

	(void)state;
	sampled(&rec, 1, 7, 20);
	sampled(&rec, 2, 7, 10);
	sampled(&rec, 1, 7, 30);
	s = opened(&rec, false);
	feed(&l, s, c, "begin(2) 1:0@10 ");
	assert_int_equal(session_counts(s)->samples, 3);
	c.order = CONSUMER_ANY_ORDER;
	feed(&l, s, c, "begin(2) 1:0@10 ");
}

/* More samples than it takes to start a thread: those of two rings, a round after each hundred. */
#define AHEAD_SAMPLES 30000

static int check_order(void *arg, const struct sample_batch *b)
{
	uint64_t *last = arg;

	for (size_t i = 0; i < b->n; i++) {
		if (b->items[i].time != *last + 1)
			return -ERANGE;
		++*last;
	}
	return 0;
}

static void a_large_file_comes_in_order_too(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	const struct record round = { .header = { .type = PERF_RECORD_FINISHED_ROUND } };
	uint64_t last = 0;

	(void)state;
	for (uint64_t t = 1; t <= AHEAD_SAMPLES; t += 100) {
		for (uint64_t i = 0; i < 100; i++)
			sampled(&rec, 1 + i / 50, 7, t + (i < 50 ? 2 * i : 2 * (i - 50) + 1));
		assert_int_equal(record_encode(&round, &rec.attr, &rec.records), 0);
	}
	s = opened(&rec, false);
	assert_int_equal(session_feed(s, NULL,
				      &(struct consumer){ .order = CONSUMER_IN_ORDER,
							  .samples = check_order,
							  .arg = &last },
				      NULL),
			 0);
	assert_int_equal(last, AHEAD_SAMPLES);
}

/* The samples of 40 bytes that wait are so many that they are handed out without a round. */
#define ROUNDLESS_SAMPLES 1000000

static void a_file_without_rounds_comes_in_order_too(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	uint64_t last = 0;

	(void)state;
	for (uint64_t t = 1; t <= ROUNDLESS_SAMPLES; t += 1000)
		for (uint64_t i = 0; i < 1000; i++)
			sampled(&rec, 1 + i / 500, 7, t + (i < 500 ? 2 * i : 2 * (i - 500) + 1));
	s = opened(&rec, false);
	assert_int_equal(session_feed(s, NULL,
				      &(struct consumer){ .order = CONSUMER_IN_ORDER,
							  .samples = check_order,
							  .arg = &last },
				      NULL),
			 0);
	assert_int_equal(last, ROUNDLESS_SAMPLES);
}

static void a_consumer_may_stop(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	struct log l = { .answer = -EIO };

	(void)state;
	comm(&rec, 7, 7, "x", 1);
	for (uint64_t i = 0; i < 100; i++)
		sampled(&rec, 1, 7, i + 2);
	s = opened(&rec, false);
	assert_int_equal(feed(&l, s, (struct consumer){ .samples = log_samples }, NULL), -EIO);
	l.answer = 1;
	assert_int_equal(feed(&l, s,
			      (struct consumer){ .types = RECORD_TYPE_BIT(PERF_RECORD_COMM),
						 .samples = log_samples,
						 .records = log_records },
			      "begin(2) COMM@1 "),
			 0);
}

static void nobody_reads_for_the_side_band(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;

	(void)state;
	comm(&rec, 7, 7, "x", 1);
	sampled(&rec, 1, 7, 2);
	s = opened(&rec, false);
	assert_int_equal(session_feed(s, NULL, &(struct consumer){ 0 }, NULL), 0);
	assert_string_equal(machine_comm(s, 7, 7, 2), "x");
	assert_int_equal(session_counts(s)->samples, 1);
}

/* The results of several workers for MANY samples. */
struct shared {
	struct session *s;
	atomic_size_t n;
	atomic_uint_fast64_t times; /* their sum */
	atomic_bool misnamed;
	size_t slices[CONSUMER_SLICES_MAX]; /* samples in it */
	uint64_t last[CONSUMER_SLICES_MAX]; /* the last time in each */
	uint64_t ended;                     /* the last time in slices that have ended */
	size_t n_ended;
};

/* At 500 both names are right: in a stream, the name comes behind the sample of that time. */
static bool is_misnamed(const struct shared *sh, uint64_t time)
{
	const char *name = machine_comm(sh->s, 7, 7, time);

	return time != 500 && strcmp(name, time < 500 ? "early" : "late") != 0;
}

static int share(void *arg, const struct sample_batch *b)
{
	struct shared *sh = arg;

	atomic_fetch_add(&sh->n, b->n);
	sh->slices[b->slice] += b->n;
	for (size_t i = 0; i < b->n; i++) {
		uint64_t time = b->items[i].time;

		atomic_fetch_add(&sh->times, time);
		if (is_misnamed(sh, time) || time < sh->last[b->slice])
			atomic_store(&sh->misnamed, true);
		sh->last[b->slice] = time;
	}
	return 0;
}

static int share_any(void *arg, const struct sample_batch *b)
{
	struct shared *sh = arg;

	atomic_fetch_add(&sh->n, b->n);
	for (size_t i = 0; i < b->n; i++) {
		atomic_fetch_add(&sh->times, b->items[i].time);
		if (is_misnamed(sh, b->items[i].time))
			atomic_store(&sh->misnamed, true);
	}
	return 0;
}

static int share_end(void *arg, unsigned slice)
{
	struct shared *sh = arg;

	assert_true(sh->last[slice] >= sh->ended);
	sh->ended = sh->last[slice];
	sh->n_ended += sh->slices[slice];
	sh->slices[slice] = 0;
	return 0;
}

/*
 * Adds samples at 1 to MANY, and the thread's names before and behind them. Returns the sum of the
 * times.
 */
static uint64_t fill(struct recording *rec)
{
	uint64_t sum = 0;

	comm(rec, 7, 7, "early", 0);
	for (uint64_t i = 1; i <= MANY; i++) {
		sampled(rec, 1 + i % 2, 7, i);
		sum += i;
	}
	comm(rec, 7, 7, "late", 500);
	return sum;
}

static void feed_shared(struct session *s, struct consumer c, uint64_t sum)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(WORKERS, WORKERS);
	struct shared sh = { .s = s };

	c.arg = &sh;
	assert_int_equal(session_feed(s, w, &c, NULL), 0);
	assert_int_equal(sh.n, MANY);
	assert_int_equal(sh.times, sum);
	assert_false(sh.misnamed);
	assert_int_equal(sh.n_ended, c.slice_end ? MANY : 0);
}

static void workers_share_a_file_and_a_stream(void **state)
{
	static const struct consumer any = { .samples = share_any };
	static const struct consumer slices = { .order = CONSUMER_SLICES,
						.samples = share,
						.slice_end = share_end };
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(bytes_done) struct bytes b = { 0 };
	uint64_t sum = fill(&rec);
	struct session *s;
	int fd;

	(void)state;
	write_stream(&rec, &b);
	for (int i = 0; i < 2; i++) {
		const struct consumer *c = i ? &any : &slices;

		s = opened(&rec, false);
		feed_shared(s, *c, sum);
		session_free(s);
		close(rec.fd);
		s = opened_stream(&b, &fd);
		feed_shared(s, *c, sum);
		session_free(s);
		close(fd);
	}
	rec.fd = -1;
}

/* Returns the name at @time: the thread is renamed in the middle of each hundred. */
static const char *name_at(uint64_t time)
{
	if (time < 50)
		return ":7";
	return (time - 50) / 100 % 2 ? "odd" : "even";
}

static int check_names(void *arg, const struct sample_batch *b)
{
	struct shared *sh = arg;

	atomic_fetch_add(&sh->n, b->n);
	for (size_t i = 0; i < b->n; i++) {
		uint64_t time = b->items[i].time;

		if (strcmp(machine_comm(sh->s, 7, 7, time), name_at(time)) != 0)
			atomic_store(&sh->misnamed, true);
	}
	return 0;
}

static void a_round_is_known_before_its_samples_come(void **state)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(WORKERS, WORKERS);
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = NULL;
	const struct record round = { .header = { .type = PERF_RECORD_FINISHED_ROUND } };
	struct shared sh = { 0 };

	(void)state;
	for (uint64_t t = 0; t < AHEAD_SAMPLES; t += 100) {
		for (uint64_t i = 0; i < 100; i++)
			if (i != 50 && t + i)
				sampled(&rec, 1, 7, t + i);
		comm(&rec, 7, 7, name_at(t + 50), t + 50);
		assert_int_equal(record_encode(&round, &rec.attr, &rec.records), 0);
	}
	s = sh.s = opened(&rec, false);
	assert_int_equal(session_feed(s, w,
				      &(struct consumer){ .order = CONSUMER_SLICES,
							  .samples = check_names,
							  .arg = &sh },
				      NULL),
			 0);
	assert_int_equal(sh.n, AHEAD_SAMPLES / 100 * 99 - 1);
	assert_false(sh.misnamed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_in_order_if_asked_for),
		cmocka_unit_test(a_stream_begins_when_its_events_are_known),
		cmocka_unit_test(a_stream_without_samples_begins_too),
		cmocka_unit_test(records_that_were_asked_for_come_in_their_turn),
		cmocka_unit_test(counts_of_a_group_are_shared_out_in_order),
		cmocka_unit_test(samples_at_other_times_are_left_out_but_counted),
		cmocka_unit_test(what_a_sample_does_not_tell_is_settled),
		cmocka_unit_test(samples_may_tell_nothing),
		cmocka_unit_test(samples_of_other_events_are_only_counted),
		cmocka_unit_test(a_large_file_comes_in_order_too),
		cmocka_unit_test(a_file_without_rounds_comes_in_order_too),
		cmocka_unit_test(a_consumer_may_stop),
		cmocka_unit_test(nobody_reads_for_the_side_band),
		cmocka_unit_test(workers_share_a_file_and_a_stream),
		cmocka_unit_test(a_round_is_known_before_its_samples_come),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
