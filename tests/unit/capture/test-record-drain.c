/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/record-drain.h"
#include "capture/record-rings.h"
#include "capture/record-sink.h"
#include "capture/record-source.h"
#include "datafile/features.h"
#include "datafile/writer.h"
#include "fake-ring.h"
#include "kernel/kept-files.h"

#define SIZE 4096

/* Two rings, and a pipe that receives their records. */
struct fixture {
	struct fake_ring fakes[2];
	struct record_ring rings[2];
	struct record_drain drain;
	struct writer *writer;
	int ends[2];
	size_t before; /* bytes in the pipe that are not the test's */
};

static uint8_t out[65536];

static size_t take(struct fixture *f)
{
	ssize_t n = read(f->ends[0], out, sizeof(out));

	return n < 0 ? 0 : (size_t)n;
}

static int setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct writer_options options = { .form = WRITER_PIPE };
	const struct file_event event = { 0 };
	const struct features none = { 0 };

	assert_int_equal(pipe2(f->ends, O_CLOEXEC | O_NONBLOCK), 0);
	assert_int_equal(writer_open(NULL, f->ends[1], &options, &f->writer, &diag), 0);
	assert_int_equal(writer_begin(f->writer, &event, 1, &none, &diag), 0);
	take(f);
	f->drain = (struct record_drain)RECORD_DRAIN_NONE;
	f->drain.writer = f->writer;
	f->drain.rounds = true;
	f->drain.least_bytes = 1;
	for (int i = 0; i < 2; i++) {
		fake_ring_open(&f->fakes[i], SIZE);
		assert_int_equal(ring_map(f->fakes[i].fd, SIZE, false, &f->rings[i].ring), 0);
		*ARRAY_ADD(&f->drain) = &f->rings[i];
	}
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 2; i++) {
		ring_unmap(&f->rings[i].ring);
		fake_ring_close(&f->fakes[i]);
	}
	record_drain_done(&f->drain);
	writer_free(f->writer);
	close(f->ends[0]);
	close(f->ends[1]);
	free(f);
	return 0;
}

static void samples_are_counted_one_by_one(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 3; i++)
		fake_ring_add(&f->fakes[0], PERF_RECORD_SAMPLE, 24, 0, 0);
	fake_ring_add(&f->fakes[1], PERF_RECORD_COMM, 32, 0, 0);
	assert_int_equal(record_drain_pass(&f->drain, true), 1);
	assert_int_equal(f->drain.tally.samples, 3);
	assert_int_equal(f->drain.tally.passes, 1);
	assert_int_equal(take(f), 3 * 24 + 32 + 8);
}

static void a_round_ends_a_pass_that_found_something(void **state)
{
	struct fixture *f = *state;
	struct record_header last;

	assert_int_equal(record_drain_pass(&f->drain, true), 0);
	assert_int_equal(take(f), 0);
	fake_ring_add(&f->fakes[1], PERF_RECORD_SAMPLE, 24, 0, 0);
	assert_int_equal(record_drain_pass(&f->drain, true), 1);
	assert_int_equal(take(f), 32);
	memcpy(&last, out + 24, sizeof(last));
	assert_int_equal(last.type, PERF_RECORD_FINISHED_ROUND);
}

static void losses_are_added_up(void **state)
{
	struct fixture *f = *state;

	fake_ring_add(&f->fakes[0], PERF_RECORD_LOST, 24, 1, 100);
	fake_ring_add(&f->fakes[0], PERF_RECORD_LOST_SAMPLES, 16, 7, 0);
	fake_ring_add(&f->fakes[1], PERF_RECORD_THROTTLE, 32, 0, 0);
	record_drain_pass(&f->drain, true);
	assert_int_equal(f->drain.tally.lost, 107);
	assert_int_equal(f->drain.tally.throttled, 1);
	assert_int_equal(f->drain.tally.samples, 0);
}

static void a_loss_across_the_end_of_the_ring_is_read_whole(void **state)
{
	struct fixture *f = *state;

	fake_ring_set(&f->fakes[0], FAKE_HEAD, SIZE - 16);
	f->rings[0].ring.tail = SIZE - 16;
	fake_ring_add(&f->fakes[0], PERF_RECORD_LOST, 24, 1, 55);
	record_drain_pass(&f->drain, true);
	assert_int_equal(f->drain.tally.lost, 55);
}

static void a_ring_with_little_in_it_can_wait(void **state)
{
	struct fixture *f = *state;

	f->drain.least_bytes = 100;
	fake_ring_add(&f->fakes[0], PERF_RECORD_SAMPLE, 24, 0, 0);
	assert_int_equal(record_drain_pass(&f->drain, false), 0);
	assert_int_equal(record_drain_pass(&f->drain, true), 1);
}

static void a_task_s_last_words_make_no_pass(void **state)
{
	struct fixture *f = *state;

	fake_ring_add(&f->fakes[0], PERF_RECORD_EXIT, 48, 0, 0);
	assert_false(record_drain_is_due(&f->drain));
	f->drain.eager = true;
	assert_true(record_drain_is_due(&f->drain));
	f->drain.eager = false;
	for (int i = 0; i < 50; i++)
		fake_ring_add(&f->fakes[0], PERF_RECORD_SAMPLE, 24, 0, 0);
	assert_true(record_drain_is_due(&f->drain));
}

static void rings_that_overwrite_wait_for_a_snapshot(void **state)
{
	struct fixture *f = *state;
	const struct record_header h = { .type = PERF_RECORD_SAMPLE, .size = 24 };

	f->rings[1].ring.backward = true;
	fake_ring_put(&f->fakes[1], (uint64_t)-24, &h, sizeof(h));
	fake_ring_set(&f->fakes[1], FAKE_HEAD, (uint64_t)-24);
	assert_int_equal(record_drain_pass(&f->drain, true), 0);
	assert_int_equal(record_drain_snapshot(&f->drain), 1);
	assert_int_equal(f->drain.tally.samples, 1);
	assert_int_equal(record_drain_snapshot(&f->drain), 0);
}

static void what_a_paused_ring_missed_was_not_lost_to_a_full_one(void **state)
{
	struct fixture *f = *state;
	const uint64_t lost[] = { 7, 3 };
	const struct record_header h = { .type = PERF_RECORD_LOST, .size = 24 };

	f->rings[1].ring.backward = true;
	fake_ring_put(&f->fakes[1], (uint64_t)-24, &h, sizeof(h));
	fake_ring_put(&f->fakes[1], (uint64_t)-16, lost, sizeof(lost));
	fake_ring_set(&f->fakes[1], FAKE_HEAD, (uint64_t)-24);
	assert_int_equal(record_drain_snapshot(&f->drain), 1);
	assert_int_equal(f->drain.tally.missed, 3);
	assert_int_equal(f->drain.tally.lost, 0);
}

static void what_cannot_be_written_stays_in_the_ring(void **state)
{
	struct fixture *f = *state;

	signal(SIGPIPE, SIG_IGN);
	close(f->ends[0]);
	f->ends[0] = -1;
	fake_ring_add(&f->fakes[0], PERF_RECORD_SAMPLE, 24, 0, 0);
	assert_int_equal(record_drain_pass(&f->drain, true), -EPIPE);
	assert_int_equal(f->drain.tally.samples, 0);
	assert_int_equal(ring_pending(&f->rings[0].ring), 24);
}

static void a_record_of_no_length_ends_the_count(void **state)
{
	struct fixture *f = *state;

	fake_ring_add(&f->fakes[0], PERF_RECORD_SAMPLE, 24, 0, 0);
	fake_ring_add(&f->fakes[0], PERF_RECORD_SAMPLE, 0, 0, 0);
	fake_ring_set(&f->fakes[0], FAKE_HEAD, 48);
	assert_int_equal(record_drain_pass(&f->drain, true), 1);
	assert_int_equal(f->drain.tally.samples, 1);
}

static void a_ring_is_watched_as_long_as_one_source_is_left(void **state)
{
	struct fixture *f = *state;
	int a[2], b[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, a), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, b), 0);
	f->rings[0].fds = (int[]){ a[0], b[0] };
	f->rings[0].n = 2;
	f->drain.n = 1;
	assert_int_equal(record_drain_watch(&f->drain), 0);
	assert_int_equal(f->drain.sources, 1);
	close(a[1]);
	record_drain_look(&f->drain);
	assert_int_equal(f->drain.sources, 1);
	assert_int_equal(record_ring_fd(&f->rings[0]), b[0]);
	close(b[1]);
	record_drain_look(&f->drain);
	assert_int_equal(f->drain.sources, 0);
	assert_int_equal(record_ring_fd(&f->rings[0]), -1);
	close(a[0]);
	close(b[0]);
}

static void add_map(struct fixture *f, uint16_t misc)
{
	uint64_t head = fake_ring_word(&f->fakes[0], FAKE_HEAD), words[10] = { 0 };
	const struct record_header h = { .type = PERF_RECORD_MMAP2,
					 .misc = misc,
					 .size = sizeof(words) };

	memcpy(words, &h, sizeof(h));
	fake_ring_put(&f->fakes[0], head, words, sizeof(words));
	fake_ring_set(&f->fakes[0], FAKE_HEAD, head + sizeof(words));
}

static uint16_t misc_written(struct fixture *f)
{
	struct record_header h;

	assert_int_equal(record_drain_pass(&f->drain, true), 1);
	take(f);
	memcpy(&h, out, sizeof(h));
	return h.misc;
}

/* The kernel sets the bit for an event of another recorder, and leaves it set for ours. */
static void the_bit_of_build_ids_is_reset_unless_they_were_asked_for(void **state)
{
	struct fixture *f = *state;
	const uint16_t misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID;

	add_map(f, misc);
	assert_int_equal(misc_written(f), PERF_RECORD_MISC_USER);
	f->drain.build_ids = true;
	add_map(f, misc);
	assert_int_equal(misc_written(f), misc);
}

static void what_is_peeked_at_stays_to_be_read(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *kept = kept_files_new();
	struct fixture *f = *state;

	f->drain.kept = kept;
	add_map(f, PERF_RECORD_MISC_USER);
	record_drain_peek(&f->drain);
	record_drain_peek(&f->drain);
	assert_int_equal(f->drain.tally.maps, 0);
	assert_int_equal(record_drain_pass(&f->drain, true), 1);
	assert_int_equal(f->drain.tally.maps, 1);
	record_drain_peek(&f->drain);
	assert_int_equal(record_drain_pass(&f->drain, true), 0);
}

static void counts_of_several_drains_are_added(void **state)
{
	struct record_tally sum = {
		.samples = 1, .lost = 2, .missed = 5, .throttled = 3, .passes = 4
	};
	const struct record_tally more = { 10, 20, 50, 30, 40, 60, 70, 80, 90, 5 };

	(void)state;
	record_tally_add(&sum, &more);
	assert_int_equal(sum.samples, 11);
	assert_int_equal(sum.lost, 22);
	assert_int_equal(sum.missed, 55);
	assert_int_equal(sum.throttled, 33);
	assert_int_equal(sum.passes, 44);
	assert_int_equal(sum.maps, 60);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* Records the bytes that a sink is given up to the end of each pass. */
struct witness {
	struct fixture *f;
	size_t bytes, passes, in_pass[4];
};

static void witness_take(void *arg, const struct iovec pieces[2])
{
	struct witness *w = arg;

	w->bytes += pieces[0].iov_len + pieces[1].iov_len;
}

/* A record arrives while the rings are emptied for the first time. */
static int witness_end_pass(void *arg)
{
	struct witness *w = arg;

	if (!w->passes)
		fake_ring_add(&w->f->fakes[0], PERF_RECORD_COMM, 32, 0, 0);
	w->in_pass[w->passes++] = w->bytes;
	w->bytes = 0;
	return 0;
}

static void a_sink_gets_two_passes_instead_of_the_file(void **state)
{
	struct fixture *f = *state;
	struct witness w = { .f = f };
	const struct record_sink sink = { .take = witness_take,
					  .end_pass = witness_end_pass,
					  .arg = &w };

	f->drain.sink = &sink;
	/* Records that are too few to be written are given to the sink nevertheless. */
	f->drain.least_bytes = SIZE;
	fake_ring_add(&f->fakes[1], PERF_RECORD_SAMPLE, 24, 0, 0);
	assert_int_equal(record_drain_pass(&f->drain, false), 1);
	assert_int_equal(w.passes, 2);
	assert_int_equal(w.in_pass[0], 24);
	assert_int_equal(w.in_pass[1], 32);
	assert_int_equal(f->drain.tally.samples, 1);
	assert_int_equal(f->drain.tally.passes, 1);
	assert_int_equal(take(f), 0);
	assert_int_equal(record_drain_pass(&f->drain, false), 0);
	assert_int_equal(f->drain.tally.passes, 1);
}

/* True if something urgent has come, which is after *@arg calls. */
static bool comes_later(void *arg)
{
	size_t *calm = arg;

	return *calm ? (*calm)--, false : true;
}

static void what_is_urgent_ends_a_pass_between_rings(void **state)
{
	struct fixture *f = *state;
	size_t calm = 1;

	f->drain.is_urgent = comes_later;
	f->drain.urgent_arg = &calm;
	fake_ring_add(&f->fakes[0], PERF_RECORD_SAMPLE, 24, 0, 0);
	fake_ring_add(&f->fakes[1], PERF_RECORD_SAMPLE, 32, 0, 0);
	assert_int_equal(record_drain_pass(&f->drain, false), 1);
	assert_int_equal(take(f), 24); /* without the end of a round */
	assert_int_equal(ring_pending(&f->rings[1].ring), 32);
	assert_int_equal(record_drain_pass(&f->drain, false), 0);
	assert_int_equal(record_drain_pass(&f->drain, true), 1);
	assert_int_equal(take(f), 32 + 8);
	assert_int_equal(f->drain.tally.samples, 2);
}

#define BIG     (1 << 20)
#define RECORDS 8192

static void what_is_urgent_ends_a_pass_within_a_large_ring(void **state)
{
	struct fixture *f = *state;
	struct witness w = { .f = f, .passes = 1 };
	const struct record_sink sink = { .take = witness_take,
					  .end_pass = witness_end_pass,
					  .arg = &w };
	struct fake_ring big;
	size_t calm = 1, first;

	fake_ring_open(&big, BIG);
	ring_unmap(&f->rings[0].ring);
	assert_int_equal(ring_map(big.fd, BIG, false, &f->rings[0].ring), 0);
	for (int i = 0; i < RECORDS; i++)
		fake_ring_add(&big, PERF_RECORD_SAMPLE, 104, 0, 0);
	f->drain.sink = &sink;
	f->drain.is_urgent = comes_later;
	f->drain.urgent_arg = &calm;
	assert_int_equal(record_drain_pass(&f->drain, false), 1);
	first = w.bytes;
	assert_true(first > 0 && first < BIG / 2 && first % 104 == 0);
	assert_int_equal(fake_ring_word(&big, FAKE_TAIL), first);
	assert_int_equal(record_drain_pass(&f->drain, true), 1);
	assert_int_equal(w.in_pass[1], RECORDS * 104);
	assert_int_equal(f->drain.tally.samples, RECORDS);
	fake_ring_close(&big);
}

/* A source that has @n samples, and one more when the file ends. */
struct source {
	int n, drained;
	size_t sample_bytes;
	const char *name;
	bool on;
};

static int drain_source(void *arg, bool file_ends, const struct record_taker *to)
{
	struct source *s = arg;
	struct record_header *h = xcalloc(1, s->sample_bytes);
	int r = 0;

	*h = (struct record_header){ .type = PERF_RECORD_SAMPLE,
				     .size = (uint16_t)s->sample_bytes };
	for (int i = 0; i < s->n + file_ends && r >= 0; i++)
		r = to->take(to->arg, h, s->sample_bytes);
	s->n = 0;
	s->drained++;
	free(h);
	return r;
}

static void turn_source(void *arg, const char *name, bool on)
{
	struct source *s = arg;

	s->name = name;
	s->on = on;
}

static void another_source_is_emptied_in_the_same_round(void **state)
{
	struct fixture *f = *state;
	struct source s = { .n = 2, .sample_bytes = 16 };
	const struct record_source source = { .fd = -1, .drain = drain_source, .arg = &s };
	struct record_header last;

	f->drain.others = &source;
	f->drain.n_others = 1;
	fake_ring_add(&f->fakes[0], PERF_RECORD_SAMPLE, 24, 0, 0);
	assert_int_equal(record_drain_pass(&f->drain, false), 1);
	assert_int_equal(take(f), 24 + 2 * 16 + 8);
	memcpy(&last, out + 24 + 2 * 16, sizeof(last));
	assert_int_equal(last.type, PERF_RECORD_FINISHED_ROUND);
	assert_int_equal(f->drain.tally.samples, 3);
	assert_int_equal(record_drain_pass(&f->drain, false), 0);
	assert_int_equal(take(f), 0);
	assert_int_equal(record_drain_pass(&f->drain, true), 1);
	assert_int_equal(take(f), 16 + 8);
}

static void a_source_that_has_much_is_written_in_pieces(void **state)
{
	struct fixture *f = *state;
	struct source s = { .n = 20, .sample_bytes = 16384 };
	const struct record_source source = { .fd = -1, .drain = drain_source, .arg = &s };
	int big = memfd_create("out", MFD_CLOEXEC);
	const struct writer_options options = { .form = WRITER_PIPE };
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct file_event event = { 0 };
	const struct features none = { 0 };
	uint64_t before;

	writer_free(f->writer);
	assert_int_equal(writer_open(NULL, big, &options, &f->writer, &diag), 0);
	assert_int_equal(writer_begin(f->writer, &event, 1, &none, &diag), 0);
	f->drain.writer = f->writer;
	f->drain.others = &source;
	f->drain.n_others = 1;
	before = writer_data_size(f->writer);
	assert_int_equal(record_drain_pass(&f->drain, false), 1);
	assert_int_equal(f->drain.tally.samples, 20);
	assert_int_equal(writer_data_size(f->writer) - before, 20 * 16384 + 8);
	close(big);
}

static void a_source_asks_for_a_pass_once(void **state)
{
	struct fixture *f = *state;
	struct source s = { .n = 1, .sample_bytes = 16 };
	const struct record_source source = { .fd = eventfd(0, EFD_CLOEXEC),
					      .drain = drain_source,
					      .arg = &s };

	f->drain.others = &source;
	f->drain.n_others = 1;
	f->drain.n = 0;
	assert_int_equal(record_drain_watch(&f->drain), 0);
	record_drain_look(&f->drain);
	assert_false(record_drain_is_due(&f->drain));
	eventfd_write(source.fd, 1);
	record_drain_look(&f->drain);
	assert_true(record_drain_is_due(&f->drain));
	assert_int_equal(record_drain_pass(&f->drain, false), 1);
	record_drain_look(&f->drain); /* the descriptor is still readable */
	assert_false(record_drain_is_due(&f->drain));
	close(source.fd);
}

static void a_source_learns_that_events_are_stopped(void **state)
{
	struct fixture *f = *state;
	struct source s = { .on = true };
	const struct record_source sources[] = {
		{ .fd = -1, .drain = drain_source, .arg = &s },
		{ .fd = -1, .drain = drain_source, .turn = turn_source, .arg = &s },
	};

	f->drain.others = sources;
	f->drain.n_others = 2;
	record_drain_turn(&f->drain, "some", false);
	assert_false(s.on);
	assert_string_equal(s.name, "some");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(samples_are_counted_one_by_one),
		TEST(the_bit_of_build_ids_is_reset_unless_they_were_asked_for),
		TEST(what_is_peeked_at_stays_to_be_read),
		TEST(a_round_ends_a_pass_that_found_something),
		TEST(losses_are_added_up),
		TEST(a_loss_across_the_end_of_the_ring_is_read_whole),
		TEST(a_ring_with_little_in_it_can_wait),
		TEST(a_task_s_last_words_make_no_pass),
		TEST(rings_that_overwrite_wait_for_a_snapshot),
		TEST(what_a_paused_ring_missed_was_not_lost_to_a_full_one),
		TEST(what_cannot_be_written_stays_in_the_ring),
		TEST(a_record_of_no_length_ends_the_count),
		TEST(a_ring_is_watched_as_long_as_one_source_is_left),
		cmocka_unit_test(counts_of_several_drains_are_added),
		TEST(a_sink_gets_two_passes_instead_of_the_file),
		TEST(what_is_urgent_ends_a_pass_between_rings),
		TEST(what_is_urgent_ends_a_pass_within_a_large_ring),
		TEST(another_source_is_emptied_in_the_same_round),
		TEST(a_source_that_has_much_is_written_in_pieces),
		TEST(a_source_asks_for_a_pass_once),
		TEST(a_source_learns_that_events_are_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
