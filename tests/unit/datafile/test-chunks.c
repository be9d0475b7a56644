/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include "datafile/chunks.h"

static void add(struct chunks *c, uint8_t value, size_t n)
{
	while (n) {
		size_t room;
		uint8_t *p = chunks_room(c, &room);

		room = room < n ? room : n;
		memset(p, value, room);
		chunks_filled(c, room);
		n -= room;
	}
}

static void what_is_lent_stays_while_more_comes(void **state)
{
	(void)state;
	struct chunks c = { 0 };
	const uint8_t *first, *second;

	add(&c, 1, 100);
	first = chunks_take(&c, 60, 60);
	add(&c, 2, 1 << 20);
	assert_int_equal(chunks_available(&c), 40 + (1 << 20));
	second = chunks_take(&c, 40 + (1 << 20), 100 + (1 << 20));
	assert_int_equal(first[59], 1);
	assert_int_equal(second[39], 1);
	assert_int_equal(second[40], 2);
	assert_int_equal(second[39 + (1 << 20)], 2);
	chunks_done(&c);
}

static void what_is_released_goes_and_the_rest_stays(void **state)
{
	(void)state;
	struct chunks c = { 0 };
	const uint8_t *last;

	for (uint64_t i = 1; i <= 100; i++) {
		add(&c, (uint8_t)i, 100000);
		last = chunks_take(&c, 100000, i);
		chunks_release(&c, i - 1);
		assert_int_equal(last[99999], i);
	}
	assert_int_equal(chunks_available(&c), 0);
	chunks_done(&c);
}

static void what_nobody_borrowed_makes_room(void **state)
{
	(void)state;
	struct chunks c = { 0 };
	const uint8_t *lent, *where = NULL;

	/*
	 * A lent piece stays in front. All that is passed over behind it takes one chunk in total.
	 */
	add(&c, 1, 300000);
	lent = chunks_take(&c, 300000, 1);
	add(&c, 2, 300000);
	chunks_take(&c, 300000, 0);
	for (int i = 0; i < 100; i++) {
		size_t room;
		const uint8_t *p = chunks_room(&c, &room);

		chunks_filled(&c, room);
		if (i > 1)
			assert_ptr_equal(p, where);
		where = i ? p : NULL;
		chunks_take(&c, room, 0);
	}
	assert_int_equal(lent[299999], 1);
	chunks_done(&c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_lent_stays_while_more_comes),
		cmocka_unit_test(what_is_released_goes_and_the_rest_stays),
		cmocka_unit_test(what_nobody_borrowed_makes_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
