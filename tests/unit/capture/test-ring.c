/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "fake-ring.h"

#define SIZE 4096

struct mapped {
	struct fake_ring fake;
	struct ring ring;
};

static void done(struct mapped *m)
{
	ring_unmap(&m->ring);
	fake_ring_close(&m->fake);
}

static void map(struct mapped *m, bool backward)
{
	fake_ring_open(&m->fake, SIZE);
	assert_int_equal(ring_map(m->fake.fd, SIZE, backward, &m->ring), 0);
}

static void what_the_kernel_wrote_is_read_once(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };
	struct iovec pieces[2];

	map(&m, false);
	assert_int_equal(ring_read(&m.ring, pieces), 0);
	fake_ring_add(&m.fake, PERF_RECORD_SAMPLE, 24, 1, 2);
	assert_int_equal(ring_pending(&m.ring), 24);
	assert_int_equal(ring_read(&m.ring, pieces), 24);
	assert_int_equal(pieces[0].iov_len, 24);
	assert_int_equal(pieces[1].iov_len, 0);
	ring_release(&m.ring);
	assert_int_equal(fake_ring_word(&m.fake, FAKE_TAIL), 24);
	assert_int_equal(ring_read(&m.ring, pieces), 0);
}

static void space_is_kept_until_it_is_released(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };
	struct iovec pieces[2];

	map(&m, false);
	fake_ring_add(&m.fake, PERF_RECORD_SAMPLE, 24, 1, 2);
	ring_read(&m.ring, pieces);
	assert_int_equal(fake_ring_word(&m.fake, FAKE_TAIL), 0);
	assert_int_equal(ring_read(&m.ring, pieces), 24);
}

static void records_run_over_the_end(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };
	struct iovec pieces[2];

	map(&m, false);
	fake_ring_set(&m.fake, FAKE_HEAD, SIZE - 8);
	ring_read(&m.ring, pieces);
	ring_release(&m.ring);
	fake_ring_add(&m.fake, PERF_RECORD_SAMPLE, 24, 1, 2);
	assert_int_equal(ring_read(&m.ring, pieces), 24);
	assert_int_equal(pieces[0].iov_len, 8);
	assert_int_equal(pieces[1].iov_len, 16);
	assert_int_equal(*(const uint64_t *)pieces[1].iov_base, 1);
}

/* The head of a backward ring decreases: the newest record is at the head. */
static void put_backward(struct fake_ring *f, uint16_t size)
{
	uint64_t head = fake_ring_word(f, FAKE_HEAD) - size;
	const struct record_header h = { .type = PERF_RECORD_SAMPLE, .size = size };

	fake_ring_put(f, head, &h, sizeof(h));
	fake_ring_set(f, FAKE_HEAD, head);
}

static void a_backward_ring_gives_the_newest_first(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };
	struct iovec pieces[2];
	struct record_header h;

	map(&m, true);
	put_backward(&m.fake, 24);
	put_backward(&m.fake, 40);
	assert_int_equal(ring_read(&m.ring, pieces), 64);
	memcpy(&h, pieces[0].iov_base, sizeof(h));
	assert_int_equal(h.size, 40);
	ring_release(&m.ring);
	assert_int_equal(ring_read(&m.ring, pieces), 0);
	put_backward(&m.fake, 16);
	assert_int_equal(ring_read(&m.ring, pieces), 16);
}

static void a_record_that_was_overwritten_in_part_is_left_out(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };
	struct iovec pieces[2];

	map(&m, true);
	for (int i = 0; i < 100; i++)
		put_backward(&m.fake, 48);
	assert_int_equal(ring_read(&m.ring, pieces), SIZE / 48 * 48);
}

static void a_ring_needs_a_descriptor_that_can_be_mapped(void **state)
{
	(void)state;
	struct ring r = { 0 };

	assert_int_equal(ring_map(-1, SIZE, false, &r), -EBADF);
	assert_null(r.base);
}

static void a_clock_is_told_only_by_a_kernel_that_has_it(void **state)
{
	(void)state;
	_cleanup_(done) struct mapped m = { 0 };
	struct ring_clock c;

	map(&m, false);
	assert_false(ring_clock(&m.ring, &c));
	fake_ring_set(&m.fake, 40, 1 << 4); /* capabilities: cap_user_time_zero */
	fake_ring_set(&m.fake, 64, 1234);   /* time_zero */
	assert_true(ring_clock(&m.ring, &c));
	assert_int_equal(c.zero, 1234);
	assert_false(c.has_short);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_kernel_wrote_is_read_once),
		cmocka_unit_test(space_is_kept_until_it_is_released),
		cmocka_unit_test(records_run_over_the_end),
		cmocka_unit_test(a_backward_ring_gives_the_newest_first),
		cmocka_unit_test(a_record_that_was_overwritten_in_part_is_left_out),
		cmocka_unit_test(a_ring_needs_a_descriptor_that_can_be_mapped),
		cmocka_unit_test(a_clock_is_told_only_by_a_kernel_that_has_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
