/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/lock/contention-view.h"
#include "view/printed.h"

static const struct lock_columns contended = { .items = { LOCK_FIELD_CONTENDED }, .n = 1 };
static const uint64_t stack[] = { 0x10, 0x20 };
static const struct lock_row rows[] = {
	{ .contended = 2,
	  .tid = 5,
	  .addr = 0xab,
	  .flags = LOCK_READ,
	  .name = "one+0x4",
	  .stack = stack,
	  .n_stack = 2 },
	{ .contended = 1,
	  .tid = 6,
	  .addr = 0xcd,
	  .flags = LOCK_MUTEX,
	  .name = "\r",
	  .is_broken = true },
};

static bool symbol(void *arg, uint32_t pid, uint64_t addr, struct lock_symbol *ret)
{
	(void)arg, (void)pid;
	*ret = (struct lock_symbol){ .name = "inner", .offset = 4 };
	return addr == 0x10;
}

static const struct lock_names names = { .symbol = symbol };

static void assert_table(struct contention_view v, const struct lock_failures *f,
			 const char *expected)
{
	struct printed p;

	v.columns = contended;
	v.names = &names;
	printed_open(&p);
	contention_print(p.out, &v, rows, 2, f);
	assert_printed(&p, expected);
}

static const struct lock_failures none;

static void callers_have_a_type(void **state)
{
	(void)state;
	assert_table((struct contention_view){ .by = LOCK_BY_CALLER }, &none,
		     " contended         type   caller\n\n"
		     "         2      rwsem:R   one+0x4\n"
		     "         1        mutex   \\r\n");
}

static void locks_have_one_type_for_readers_and_writers(void **state)
{
	(void)state;
	assert_table((struct contention_view){ .by = LOCK_BY_ADDR }, &none,
		     " contended            address   symbol\n\n"
		     "         2   00000000000000ab   one+0x4 (rwsem)\n"
		     "         1   00000000000000cd   \\r (mutex)\n");
}

static void threads_wait_or_own(void **state)
{
	(void)state;
	assert_table((struct contention_view){ .by = LOCK_BY_TASK, .entries = 1 }, &none,
		     " contended          pid   comm\n\n"
		     "         2            5   one+0x4\n");
	assert_table(
		(struct contention_view){ .by = LOCK_BY_TASK, .owners = true, .separator = "," },
		&none,
		"# output: contended, pid, owner\n"
		"2, 5, one+0x4\n"
		"1, 6, \\r\n");
}

static void stacks_stand_below_their_row(void **state)
{
	(void)state;
	assert_table((struct contention_view){ .quiet = true, .stacks = true, .entries = 1 }, &none,
		     "         2      rwsem:R   one+0x4\n"
		     "\t\t\t0x10  inner+0x4\n"
		     "\t\t\t0x20  \n");
	assert_table((struct contention_view){ .separator = ";", .stacks = true, .entries = 1 },
		     &none,
		     "# output: contended; type; caller; stacktrace\n"
		     "2; rwsem:R; one+0x4; inner+0x4:\n");
}

static void a_bad_sequence_brings_the_trailer(void **state)
{
	const struct lock_failures f = { .acquired = 1 };

	(void)state;
	assert_table((struct contention_view){ .by = LOCK_BY_CGROUP, .separator = "," }, &f,
		     "# output: contended, cgroup\n"
		     "2, one+0x4\n"
		     "1, \\r\n"
		     "# debug: total=2, bad=1, bad_acquire=0, bad_acquired=1, bad_contended=0, "
		     "bad_release=0\n");
	assert_table((struct contention_view){ .by = LOCK_BY_CGROUP, .entries = 1 }, &f,
		     " contended   cgroup\n\n"
		     "         2   one+0x4\n\n"
		     "=== output for debug===\n\n"
		     "bad: 0, total: 1\n"
		     "bad rate: 0.00 %\n"
		     "histogram of events caused bad sequence\n"
		     "    acquire: 0\n"
		     "   acquired: 1\n"
		     "  contended: 0\n"
		     "    release: 0\n");
}

static void what_the_kernel_had_no_room_for_is_told(void **state)
{
	const struct lock_failures f = { .stack = 2 };

	(void)state;
	assert_table((struct contention_view){ .counted = true, .entries = 1 }, &f,
		     " contended         type   caller\n\n"
		     "         2      rwsem:R   one+0x4\n\n"
		     "=== output for debug ===\n\n"
		     "bad: 2, total: 3\n"
		     "bad rate: 66.67 %\n"
		     "histogram of failure reasons\n"
		     "       task: 0\n"
		     "      stack: 2\n"
		     "       time: 0\n"
		     "       data: 0\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_have_a_type),
		cmocka_unit_test(locks_have_one_type_for_readers_and_writers),
		cmocka_unit_test(threads_wait_or_own),
		cmocka_unit_test(stacks_stand_below_their_row),
		cmocka_unit_test(a_bad_sequence_brings_the_trailer),
		cmocka_unit_test(what_the_kernel_had_no_room_for_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
