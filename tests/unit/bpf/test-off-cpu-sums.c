/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/memory.h"
#include "bpf/off-cpu-sums.h"

static struct off_cpu_row row(uint32_t tid, uint32_t generation, uint64_t ns)
{
	return (struct off_cpu_row){
		.key = { .stack_hash = 7, .tid = tid, .tgid = 1, .generation = generation },
		.sum = { .ns = ns, .waits = ns ? ns / 10 : 0 },
	};
}

static struct off_cpu_sums sums_of(const struct off_cpu_row *rows, size_t n)
{
	struct off_cpu_key keys[8];
	struct off_cpu_sum sums[8];

	for (size_t i = 0; i < n; i++) {
		keys[i] = rows[i].key;
		sums[i] = rows[i].sum;
	}
	return off_cpu_sums_of(keys, sums, n);
}

static void sums_are_in_the_order_of_tasks(void **state)
{
	const struct off_cpu_row rows[] = { row(9, 0, 10), row(2, 1, 20), row(2, 0, 30) };
	struct off_cpu_sums s = sums_of(rows, 3);

	(void)state;
	assert_int_equal(s.n, 3);
	assert_int_equal(s.items[0].sum.ns, 30);
	assert_int_equal(s.items[1].sum.ns, 20);
	assert_int_equal(s.items[2].sum.ns, 10);
	off_cpu_sums_done(&s);
}

static void only_what_was_added_is_told_again(void **state)
{
	const struct off_cpu_row first[] = { row(2, 0, 30), row(9, 0, 10) };
	const struct off_cpu_row then[] = { row(9, 0, 10), row(2, 0, 50), row(3, 0, 20) };
	struct off_cpu_sums before = sums_of(first, 2), now = sums_of(then, 3);
	struct off_cpu_sums added = off_cpu_sums_since(&now, &before), none;

	(void)state;
	assert_int_equal(added.n, 2);
	assert_int_equal(added.items[0].key.tid, 2);
	assert_int_equal(added.items[0].sum.ns, 20);
	assert_int_equal(added.items[0].sum.waits, 2);
	assert_int_equal(added.items[1].key.tid, 3);
	off_cpu_sums_add(&before, &added);
	none = off_cpu_sums_since(&now, &before);
	assert_int_equal(none.n, 0);
	off_cpu_sums_done(&added);
	off_cpu_sums_done(&before);
	off_cpu_sums_done(&now);
	off_cpu_sums_done(&none);
}

static void nothing_is_before_the_first_reading(void **state)
{
	struct off_cpu_sums none = off_cpu_sums_of(NULL, NULL, 0), before = { 0 };
	struct off_cpu_sums added = off_cpu_sums_since(&none, &before);

	(void)state;
	assert_int_equal(added.n, 0);
	off_cpu_sums_add(&before, &added);
	assert_int_equal(before.n, 0);
}

static void a_number_that_a_new_task_has_begins_anew(void **state)
{
	const struct off_cpu_row old[] = { row(2, 0, 30), row(3, 0, 30) },
				 gone[] = { row(2, 0, 0) };
	const struct off_cpu_row other[] = { row(2, 0, 10), row(3, 0, 30) };
	struct off_cpu_sums before = sums_of(old, 2), ended = sums_of(gone, 1);
	struct off_cpu_sums now = sums_of(other, 2), added;

	(void)state;
	off_cpu_sums_remove(&before, &ended);
	assert_int_equal(before.n, 1);
	added = off_cpu_sums_since(&now, &before);
	assert_int_equal(added.n, 1);
	assert_int_equal(added.items[0].sum.ns, 10);
	off_cpu_sums_done(&before);
	off_cpu_sums_done(&ended);
	off_cpu_sums_done(&now);
	off_cpu_sums_done(&added);
}

static void the_end_of_a_generation_is_found(void **state)
{
	struct off_cpu_ends e = { 0 };

	(void)state;
	assert_int_equal(off_cpu_ends_find(&e, &(struct off_cpu_key){ .tid = 1 }), 0);
	*ARRAY_ADD(&e) = (struct off_cpu_end){ 5, 1, 500 };
	*ARRAY_ADD(&e) = (struct off_cpu_end){ 5, 0, 400 };
	*ARRAY_ADD(&e) = (struct off_cpu_end){ 4, 3, 300 };
	off_cpu_ends_sort(&e);
	assert_int_equal(off_cpu_ends_find(&e, &(struct off_cpu_key){ .tid = 5 }), 400);
	assert_int_equal(off_cpu_ends_find(&e, &(struct off_cpu_key){ .tid = 5, .generation = 1 }),
			 500);
	assert_int_equal(off_cpu_ends_find(&e, &(struct off_cpu_key){ .tid = 4 }), 0);
	free(e.items);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_in_the_order_of_tasks),
		cmocka_unit_test(only_what_was_added_is_told_again),
		cmocka_unit_test(nothing_is_before_the_first_reading),
		cmocka_unit_test(a_number_that_a_new_task_has_begins_anew),
		cmocka_unit_test(the_end_of_a_generation_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
