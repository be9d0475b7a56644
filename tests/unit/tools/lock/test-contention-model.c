/* SPDX-License-Identifier: MIT */
#include "lock-example.h"

static void counted_waits_are_merged_by_row(void **state)
{
	const struct lock_contention_options o = example_options(LOCK_BY_TASK);
	_cleanup_(lock_contention_freep) struct lock_contention *m = lock_contention_new(&o);
	const struct lock_row *rows;

	(void)state;
	for (uint64_t i = 1; i < 3; i++)
		lock_contention_add(m, &(struct lock_waits){ .tid = 10,
							     .contended = 2,
							     .total_ns = 100 * i,
							     .max_ns = 90 * i,
							     .min_ns = 10 * i });
	lock_contention_add(m, &(struct lock_waits){ .tid = 11, .contended = 1, .total_ns = 5 });
	rows = example_rows(m, LOCK_FIELD_WAIT_TOTAL, 2);
	assert_string_equal(rows[0].name, "ten");
	assert_int_equal(rows[0].contended, 4);
	assert_int_equal(rows[0].total_ns, 300);
	assert_int_equal(rows[0].max_ns, 180);
	assert_int_equal(rows[0].min_ns, 10);
	assert_int_equal(rows[0].avg_ns, 75);
	assert_string_equal(rows[1].name, "");
}

static void counted_waits_are_filtered(void **state)
{
	uint32_t wanted[] = { LOCK_MUTEX };
	const struct lock_filters f = { .types = { .items = wanted, .n = 1 } };
	struct lock_contention_options o = example_options(LOCK_BY_ADDR);
	struct lock_contention *m;
	const struct lock_row *rows;

	(void)state;
	o.filters = &f;
	m = lock_contention_new(&o);
	lock_contention_add(m, &(struct lock_waits){ .addr = A_LOCK, .flags = LOCK_MUTEX });
	lock_contention_add(m, &(struct lock_waits){ .addr = CALLER, .flags = LOCK_SPIN });
	rows = example_rows(m, LOCK_FIELD_CONTENDED, 1);
	assert_string_equal(rows[0].name, "a_lock");
	lock_contention_free(m);
}

static void rows_of_callers_keep_a_stack(void **state)
{
	const uint64_t stack[] = { 1, SPIN_LOCK, CALLER + 4, OUTER };
	struct lock_contention_options o = example_options(LOCK_BY_CALLER);
	struct lock_contention *m;
	const struct lock_row *rows;

	(void)state;
	o.keep_stacks = true;
	m = lock_contention_new(&o);
	lock_contention_add(m,
			    &(struct lock_waits){ .stack = stack, .n_stack = 4, .contended = 1 });
	rows = example_rows(m, LOCK_FIELD_CONTENDED, 1);
	assert_string_equal(rows[0].name, "caller+0x4");
	assert_int_equal(rows[0].n_stack, 4);
	assert_memory_equal(rows[0].stack, stack, sizeof(stack));
	lock_contention_free(m);
}

static void cgroups_are_named_at_the_end(void **state)
{
	const struct lock_contention_options o = example_options(LOCK_BY_CGROUP);
	_cleanup_(lock_contention_freep) struct lock_contention *m = lock_contention_new(&o);

	(void)state;
	lock_contention_add(m, &(struct lock_waits){ .cgroup = 7, .contended = 1 });
	assert_string_equal(example_rows(m, LOCK_FIELD_CONTENDED, 1)[0].name, "/seven");
}

static void locks_are_listed_by_name_and_address(void **state)
{
	const struct lock_contention_options o = example_options(LOCK_BY_ADDR);
	_cleanup_(lock_contention_freep) struct lock_contention *m = lock_contention_new(&o);
	const struct lock_row *rows;
	size_t n;

	(void)state;
	lock_contention_add(m, &(struct lock_waits){ .addr = OUTER });
	lock_contention_add(m, &(struct lock_waits){ .addr = A_LOCK + 8 });
	lock_contention_add(m, &(struct lock_waits){ .addr = A_LOCK });
	rows = lock_contention_list(m, &n);
	assert_int_equal(n, 3);
	assert_int_equal(rows[0].addr, A_LOCK);
	assert_int_equal(rows[1].addr, A_LOCK + 8);
	assert_int_equal(rows[2].addr, OUTER);
}

static void threads_are_listed_by_number(void **state)
{
	struct lock_contention_options o = example_options(LOCK_BY_ADDR);
	struct lock_contention *m;
	const uint32_t *tids;
	size_t n;

	(void)state;
	o.keep_threads = true;
	m = lock_contention_new(&o);
	example_take(m, LOCK_BEGIN, 1, 2, CALLER);
	example_take(m, LOCK_BEGIN, 2, 3, CALLER);
	tids = lock_contention_threads(m, &n);
	assert_int_equal(n, 1);
	assert_int_equal(tids[0], 10);
	lock_contention_free(m);
}

static void only_events_of_locks_are_wanted(void **state)
{
	struct lock_contention_options o = example_options(LOCK_BY_ADDR);
	struct lock_contention *m = lock_contention_new(&o);
	struct lock_source sources[] = { { .kind = LOCK_NONE },
					 { .kind = LOCK_ACQUIRE },
					 { .kind = LOCK_END } };
	struct consumer c;

	(void)state;
	m->events = (struct lock_events){ .sources = sources, .n_sources = 3 };
	lock_contention_consumer(m, &c);
	assert_false(c.wants(c.arg, &(struct session_event){ .index = 0 }));
	assert_false(c.wants(c.arg, &(struct session_event){ .index = 1 }));
	assert_true(c.wants(c.arg, &(struct session_event){ .index = 2 }));
	m->o.acquisitions = true;
	assert_true(c.wants(c.arg, &(struct session_event){ .index = 1 }));
	m->events.sources = NULL;
	lock_contention_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counted_waits_are_merged_by_row),
		cmocka_unit_test(counted_waits_are_filtered),
		cmocka_unit_test(rows_of_callers_keep_a_stack),
		cmocka_unit_test(cgroups_are_named_at_the_end),
		cmocka_unit_test(locks_are_listed_by_name_and_address),
		cmocka_unit_test(threads_are_listed_by_number),
		cmocka_unit_test(only_events_of_locks_are_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
