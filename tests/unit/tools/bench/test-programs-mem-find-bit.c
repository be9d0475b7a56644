/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include "benches.h"

/* A clock that advances by a second at each read; 0: the clock of this machine is used. */
static double made_now;

static double now_made(void)
{
	return made_now ? made_now++ : bench_now();
}

/* The visited bits are never shown, so the test includes the internal functions. */
#define bench_now now_made
#include "tools/bench/programs/mem-find-bit.c"
#undef bench_now

static const struct bench_find_bit_params once = { .outer = 1, .inner = 1 };

static void every_number_of_bits_is_visited_both_ways(void **state)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	size_t row = 0;

	(void)state;
	run_bench(bench_mem_find_bit, &once, 1, &r);
	assert_int_equal(r.layout, BENCH_LAYOUT_LINES);
	for (unsigned n = 1; n <= 2048; n *= 2)
		for (unsigned set = 1; set <= n; set *= 2, row++) {
			_cleanup_(freep) char *head =
				xasprintf("1 operations %u bits set of %u bits", set, n);
			_cleanup_(freep) char *search = xasprintf("for_each_set_bit %u of %u", set,
								  n);
			_cleanup_(freep) char *test = xasprintf("test_bit %u of %u", set, n);
			const struct bench_line *l = &r.lines.items[3 * row];

			assert_int_equal(l[0].kind, BENCH_LINE_TEXT);
			assert_string_equal(l[0].label, head);
			assert_int_equal(l[1].kind, BENCH_LINE_MEAN);
			assert_string_equal(l[1].label, "  Average for_each_set_bit took: ");
			assert_string_equal(l[2].label, "  Average test_bit loop took:    ");
			assert_string_equal(l[1].unit, "usec");
			assert_int_equal(l[1].decimals, 3);
			assert_int_equal(l[2].decimals, 3);
			assert_string_equal(r.items[2 * row].name, search);
			assert_string_equal(r.items[2 * row + 1].name, test);
			assert_true(r.items[2 * row].value == l[1].value);
			assert_true(r.items[2 * row + 1].value == l[2].value);
			assert_string_equal(r.items[2 * row].unit, "usec");
			assert_int_equal(r.items[2 * row].better, BENCH_LESS);
		}
	assert_int_equal(row, 78);
	assert_int_equal(r.lines.n, 3 * row);
	assert_int_equal(r.n, 2 * row);
}

static void numbers_of_rounds_are_at_least_1(void **state)
{
	struct bench_find_bit_params p = { .outer = 0, .inner = 1 };

	(void)state;
	assert_bench_refuses(bench_mem_find_bit, &p, -EINVAL, "at least 1");
	p = (struct bench_find_bit_params){ .outer = 1, .inner = 0 };
	assert_bench_refuses(bench_mem_find_bit, &p, -EINVAL, "at least 1");
}

static void set_bit(struct bits *b, unsigned i)
{
	b->words[i / 64] |= (uint64_t)1 << i % 64;
}

static void the_next_bit_is_found(void **state)
{
	static const unsigned set[] = { 0, 1, 63, 64, 127, 199, 200 };
	struct bits b = { .n = 200 };

	(void)state;
	assert_int_equal(bench_mem_find_bit_find_next(&b, 0), 200);
	for (size_t i = 0; i < ARRAY_SIZE(set); i++)
		set_bit(&b, set[i]);
	for (unsigned at = 0; at < 210; at++) {
		size_t i = 0;

		while (i < 6 && set[i] < at)
			i++;
		/* Bit 200 is behind the end. */
		assert_int_equal(bench_mem_find_bit_find_next(&b, at), i < 6 ? set[i] : 200);
	}
	b.n = 64;
	assert_int_equal(bench_mem_find_bit_find_next(&b, 2), 63);
	assert_int_equal(bench_mem_find_bit_find_next(&b, 64), 64);
	b = (struct bits){ .n = 64 };
	set_bit(&b, 64);
	assert_int_equal(bench_mem_find_bit_find_next(&b, 0), 64);
}

static void both_ways_visit_the_same_bits(void **state)
{
	struct bits b = { .n = 300 };
	volatile unsigned search = 5, test = 7;

	(void)state;
	for (unsigned i = 0; i < 400; i += 3)
		set_bit(&b, i);
	visit_by_search(&b, &search);
	visit_by_test(&b, &test);
	/* 3 times the sum of 1 to 99. */
	assert_int_equal(search, 5 + 14850);
	assert_int_equal(test, 7 + 14850);
	/* All bits are set: the sum of 1 to 299. */
	memset(b.words, 0xff, sizeof(b.words));
	search = test = 0;
	visit_by_search(&b, &search);
	visit_by_test(&b, &test);
	assert_int_equal(search, 44850);
	assert_int_equal(test, 44850);
}

static unsigned n_calls;

static void note_call(const struct bits *b, volatile unsigned *sum)
{
	(void)sum;
	n_calls += b->n;
}

static void rounds_are_measured_one_by_one(void **state)
{
	const struct bench_find_bit_params p = { .outer = 3, .inner = 4 };
	const struct bits b = { .n = 10 };
	struct moments usecs = { 0 };

	(void)state;
	n_calls = 0;
	made_now = 1;
	bench_mem_find_bit_measure(&b, &p, note_call, &usecs);
	assert_int_equal(n_calls, 120);
	assert_int_equal(usecs.n, 3);
	assert_true(usecs.mean == 1e6);
	made_now = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_of_bits_is_visited_both_ways),
		cmocka_unit_test(numbers_of_rounds_are_at_least_1),
		cmocka_unit_test(the_next_bit_is_found),
		cmocka_unit_test(both_ways_visit_the_same_bits),
		cmocka_unit_test(rounds_are_measured_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
