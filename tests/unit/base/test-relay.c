/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>

#include "base/relay.h"

struct pieces {
	int given, taken, sum, fails_at;
};

static int take(void *arg)
{
	struct pieces *p = arg;

	p->sum += p->given;
	return ++p->taken == p->fails_at ? -5 : 0;
}

static void pieces_are_taken_one_after_the_other(void **state)
{
	struct pieces p = { 0 };
	struct relay *r = relay_new(take, &p);

	(void)state;
	if (!r)
		skip();
	assert_int_equal(relay_wait(r), 0);
	for (int i = 1; i <= 1000; i++) {
		assert_int_equal(relay_wait(r), 0);
		p.given = i;
		relay_start(r);
	}
	assert_int_equal(relay_wait(r), 0);
	assert_int_equal(p.taken, 1000);
	assert_int_equal(p.sum, 500500);
	relay_free(r);
}

static void the_result_is_that_of_the_last_piece(void **state)
{
	struct pieces p = { .fails_at = 2 };
	struct relay *r = relay_new(take, &p);

	(void)state;
	if (!r)
		skip();
	relay_start(r);
	assert_int_equal(relay_wait(r), 0);
	relay_start(r);
	assert_int_equal(relay_wait(r), -5);
	assert_int_equal(relay_wait(r), -5);
	relay_free(r);
}

static void a_piece_in_work_is_finished_before_the_end(void **state)
{
	struct pieces p = { 0 };
	struct relay *r = relay_new(take, &p);

	(void)state;
	if (!r)
		skip();
	relay_start(r);
	relay_free(r);
	assert_int_equal(p.taken, 1);
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
	assert_null(relay_new(take, &p));
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_taken_one_after_the_other),
		cmocka_unit_test(the_result_is_that_of_the_last_piece),
		cmocka_unit_test(a_piece_in_work_is_finished_before_the_end),
		cmocka_unit_test(with_one_cpu_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
