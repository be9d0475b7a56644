/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdbool.h>

#include "base/workers.h"

#define PIECES 1000

struct tally {
	atomic_int done[PIECES];
	unsigned count;
	atomic_bool stranger; /* a worker with an invalid number */
};

static void mark(void *arg, size_t piece, unsigned worker)
{
	struct tally *t = arg;

	atomic_fetch_add(&t->done[piece], 1);
	if (worker >= t->count)
		atomic_store(&t->stranger, true);
}

static void check_run(unsigned n)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(n, 8);
	static struct tally t;

	t = (struct tally){ .count = workers_count(w) };
	for (int job = 1; job <= 3; job++) {
		workers_run(w, PIECES, mark, &t);
		for (size_t i = 0; i < PIECES; i++)
			assert_int_equal(atomic_load(&t.done[i]), job);
	}
	assert_false(atomic_load(&t.stranger));
}

static void every_piece_is_done_once(void **state)
{
	(void)state;
	check_run(1);
	check_run(2);
	check_run(5);
	check_run(0);
}

static void there_are_no_more_workers_than_allowed(void **state)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(100, 3);

	(void)state;
	assert_int_equal(workers_count(w), 3);
}

static void no_pieces_are_no_work(void **state)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(3, 3);

	(void)state;
	workers_run(w, 0, mark, NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_piece_is_done_once),
		cmocka_unit_test(there_are_no_more_workers_than_allowed),
		cmocka_unit_test(no_pieces_are_no_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
