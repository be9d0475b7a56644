/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>

#include "base/relay.h"
#include "skip.h"

#define DEPTH 3

struct pieces {
	int slots[DEPTH];
	int taken, sum, fails_at;
};

static int take(void *arg, unsigned slot, unsigned worker)
{
	struct pieces *p = arg;

	assert_int_equal(worker, 0);
	p->sum += p->slots[slot];
	return ++p->taken == p->fails_at ? -5 : 0;
}

static struct relay *one_thread(struct pieces *p)
{
	return relay_new(
		&(struct relay_work){ .depth = DEPTH, .threads = 1, .run = take, .arg = p });
}

static int give(struct relay *r, struct pieces *p, int piece)
{
	unsigned slot;
	int result = relay_slot(r, &slot);

	if (result)
		return result;
	p->slots[slot] = piece;
	relay_start(r);
	return 0;
}

static void pieces_are_taken_one_after_the_other(void **state)
{
	struct pieces p = { 0 };
	struct relay *r = one_thread(&p);

	(void)state;
	if (!r)
		skip_because("only one CPU");
	assert_int_equal(relay_wait(r), 0);
	for (int i = 1; i <= 1000; i++)
		assert_int_equal(give(r, &p, i), 0);
	assert_int_equal(relay_wait(r), 0);
	assert_int_equal(relay_done(r), 1000);
	assert_int_equal(p.taken, 1000);
	assert_int_equal(p.sum, 500500);
	relay_free(r);
}

static void after_a_failure_the_rest_is_dropped(void **state)
{
	struct pieces p = { .fails_at = 2 };
	struct relay *r = one_thread(&p);

	(void)state;
	if (!r)
		skip_because("only one CPU");
	assert_int_equal(give(r, &p, 1), 0);
	assert_int_equal(relay_wait(r), 0);
	assert_int_equal(give(r, &p, 1), 0);
	assert_int_equal(relay_wait(r), -5);
	assert_int_equal(give(r, &p, 1), -5);
	assert_int_equal(p.taken, 2);
	relay_free(r);
}

static void what_was_started_is_finished_before_the_end(void **state)
{
	struct pieces p = { 0 };
	struct relay *r = one_thread(&p);

	(void)state;
	if (!r)
		skip_because("only one CPU");
	for (int i = 0; i < DEPTH; i++)
		assert_int_equal(give(r, &p, i), 0);
	relay_free(r);
	assert_int_equal(p.taken, DEPTH);
}

static void with_one_cpu_there_is_none(void **state)
{
	cpu_set_t all, one;
	struct pieces p = { 0 };

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_null(one_thread(&p));
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

/* Pieces that several threads work on: the slots, and the order in which they came out. */
struct shared {
	int slots[DEPTH];
	int ended, stops_at;
	bool in_order;
	unsigned workers; /* a bit for each worker */
};

static int twice(void *arg, unsigned slot, unsigned worker)
{
	struct shared *s = arg;

	__atomic_fetch_or(&s->workers, 1u << worker, __ATOMIC_RELAXED);
	for (int i = 0; i < s->slots[slot] % 7; i++)
		sched_yield();
	s->slots[slot] *= 2;
	return 0;
}

static int put(void *arg, unsigned slot)
{
	struct shared *s = arg;

	s->in_order &= s->slots[slot] == 2 * ++s->ended;
	return s->ended == s->stops_at ? 9 : 0;
}

static struct relay *three_threads(struct shared *s)
{
	return relay_new(&(struct relay_work){ .depth = DEPTH,
					       .threads = 2,
					       .maker_helps = true,
					       .run = twice,
					       .end = put,
					       .arg = s });
}

static void several_threads_end_pieces_in_their_order(void **state)
{
	struct shared s = { .in_order = true };
	struct relay *r = three_threads(&s);
	unsigned slot;

	(void)state;
	if (!r)
		skip_because("only one CPU");
	for (int i = 1; i <= 1000; i++) {
		assert_int_equal(relay_slot(r, &slot), 0);
		s.slots[slot] = i;
		relay_start(r);
	}
	assert_int_equal(relay_wait(r), 0);
	assert_int_equal(s.ended, 1000);
	assert_true(s.in_order);
	assert_int_equal(s.workers & ~7u, 0);
	relay_free(r);
}

static void who_ends_a_piece_may_stop(void **state)
{
	struct shared s = { .in_order = true, .stops_at = 5 };
	struct relay *r = three_threads(&s);
	unsigned slot;
	int result = 0;

	(void)state;
	if (!r)
		skip_because("only one CPU");
	for (int i = 1; i <= 100 && !result; i++) {
		result = relay_slot(r, &slot);
		if (result)
			break;
		s.slots[slot] = i;
		relay_start(r);
	}
	assert_int_equal(relay_wait(r), 9);
	assert_int_equal(s.ended, 5);
	relay_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_taken_one_after_the_other),
		cmocka_unit_test(after_a_failure_the_rest_is_dropped),
		cmocka_unit_test(what_was_started_is_finished_before_the_end),
		cmocka_unit_test(with_one_cpu_there_is_none),
		cmocka_unit_test(several_threads_end_pieces_in_their_order),
		cmocka_unit_test(who_ends_a_piece_may_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
