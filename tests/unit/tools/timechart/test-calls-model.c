/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "example-timechart.h"

static const struct lane *calls_of(const struct chart *c, size_t i)
{
	return &c->lanes.items[c->tasks.items[i].io_lane];
}

static void call(struct chart *c, uint64_t from, uint64_t to, enum chart_io kind, uint32_t fd,
		 int64_t result)
{
	chart_call(c, from * US, 7, kind, fd);
	chart_return(c, to * US, 7, kind, result);
}

static void calls_become_pieces_with_bytes(void **state)
{
	struct chart c;
	const struct lane_piece *p;

	(void)state;
	chart_init(&c, &(struct chart_options){ 0 });
	call(&c, 10, 30, CHART_IO_READ, 3, 4096);
	call(&c, 50, 60, CHART_IO_WRITE, 1, 100);
	chart_finish(&c);
	assert_int_equal(calls_of(&c, 0)->n, 3);
	p = calls_of(&c, 0)->items;
	assert_int_equal(p[0].mark.state, CHART_IO_READ);
	assert_int_equal(p[0].mark.by, 3);
	assert_int_equal(p[0].mark.bytes, 4096);
	assert_int_equal(p[1].mark.state, CHART_IO_NOTHING);
	assert_int_equal(p[2].mark.state, CHART_IO_WRITE);
	assert_int_equal(chart_task_bytes(&c.tasks.items[0]), 4196);
	chart_done(&c);
}

static void calls_that_follow_soon_are_drawn_as_one(void **state)
{
	struct chart c;
	const struct lane_piece *p;

	(void)state;
	chart_init(&c, &(struct chart_options){ .io_merge_ns = 5 * US });
	call(&c, 10, 30, CHART_IO_READ, 3, 10);
	call(&c, 33, 40, CHART_IO_READ, 3, 20);
	call(&c, 42, 50, CHART_IO_READ, 4, 1);
	call(&c, 60, 70, CHART_IO_READ, 4, 1);
	chart_finish(&c);
	p = calls_of(&c, 0)->items;
	assert_int_equal(p[0].mark.count, 2);
	assert_int_equal(p[0].mark.bytes, 30);
	assert_int_equal(p[1].start, 40 * US);
	assert_int_equal(calls_of(&c, 0)->ns[CHART_IO_READ], (30 + 8 + 10) * US);
	assert_int_equal(c.tasks.items[0].io->ns[CHART_IO_READ], (20 + 7 + 8 + 10) * US);
	chart_done(&c);
}

static void short_calls_are_drawn_longer_up_to_the_next(void **state)
{
	struct chart c;
	const struct lane_piece *p;

	(void)state;
	chart_init(&c, &(struct chart_options){ .io_min_ns = 100 * US });
	call(&c, 10, 11, CHART_IO_READ, 3, 1);
	call(&c, 40, 41, CHART_IO_SYNC, LANE_NONE, 0);
	call(&c, 300, 301, CHART_IO_POLL, LANE_NONE, 1);
	chart_finish(&c);
	p = calls_of(&c, 0)->items;
	assert_int_equal(p[1].start, 40 * US);
	assert_int_equal(p[2].start, 140 * US);
	assert_int_equal(c.tasks.items[0].io->ns[CHART_IO_SYNC], 1 * US);
	assert_int_equal(p[1].mark.bytes, 0);
	chart_done(&c);
}

static void errors_are_kept_and_eagain_may_be_left_out(void **state)
{
	struct chart c;

	(void)state;
	chart_init(&c, &(struct chart_options){ .skip_eagain = true });
	call(&c, 10, 20, CHART_IO_RECEIVE, 3, -EAGAIN);
	call(&c, 30, 40, CHART_IO_RECEIVE, 3, -ENOENT);
	chart_finish(&c);
	assert_int_equal(calls_of(&c, 0)->n, 1);
	assert_int_equal(calls_of(&c, 0)->items[0].mark.flags, CHART_FAILED);
	assert_int_equal(calls_of(&c, 0)->items[0].mark.cpu, ENOENT);
	assert_int_equal(c.tasks.items[0].io->errors, 2);
	chart_done(&c);
}

static void ends_without_begins_and_begins_without_ends_are_counted(void **state)
{
	struct chart c;

	(void)state;
	chart_init(&c, &(struct chart_options){ 0 });
	chart_return(&c, 5 * US, 7, CHART_IO_READ, 1);
	chart_call(&c, 10 * US, 7, CHART_IO_READ, 3);
	chart_return(&c, 15 * US, 7, CHART_IO_SEND, 1);
	chart_call(&c, 20 * US, 7, CHART_IO_WRITE, 3);
	chart_call(&c, 30 * US, 8, CHART_IO_WRITE, 3);
	chart_finish(&c);
	assert_int_equal(c.unbegun, 2);
	assert_int_equal(c.unreturned, 3);
	chart_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_become_pieces_with_bytes),
		cmocka_unit_test(calls_that_follow_soon_are_drawn_as_one),
		cmocka_unit_test(short_calls_are_drawn_longer_up_to_the_next),
		cmocka_unit_test(errors_are_kept_and_eagain_may_be_left_out),
		cmocka_unit_test(ends_without_begins_and_begins_without_ends_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
