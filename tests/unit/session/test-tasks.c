/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "session/machine.h"
#include "session/space.h"
#include "session/tasks.h"

static uint64_t turn;

static struct moment now(uint64_t time)
{
	return (struct moment){ time, ++turn };
}

static void assert_called(const struct tasks *t, uint32_t tid, uint64_t time, const char *comm)
{
	const char *is = tasks_comm(t, tid, moment_after(time), NULL);

	if (comm)
		assert_string_equal(is ? is : "(none)", comm);
	else
		assert_null(is);
}

static void a_name_holds_until_the_next(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	assert_called(&t, 5, 1, NULL);
	tasks_name(&t, 5, "first", now(10));
	tasks_name(&t, 5, "second", now(20));
	assert_called(&t, 5, 9, NULL);
	assert_called(&t, 5, 10, "first");
	assert_called(&t, 5, 19, "first");
	assert_called(&t, 5, 20, "second");
	assert_called(&t, 5, 0, "second");
	assert_called(&t, 6, 20, NULL);
}

static void names_that_come_late_take_their_place(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	tasks_name(&t, 5, "c", now(30));
	tasks_name(&t, 5, "a", now(0));
	tasks_name(&t, 5, "b", now(20));
	assert_called(&t, 5, 1, "a");
	assert_called(&t, 5, 25, "b");
	assert_called(&t, 5, 30, "c");
}

static void of_equal_times_the_later_name_wins(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };
	struct moment between;

	(void)state;
	tasks_name(&t, 5, "a", now(10));
	between = now(10);
	tasks_name(&t, 5, "b", now(10));
	assert_called(&t, 5, 10, "b");
	assert_string_equal(tasks_comm(&t, 5, between, NULL), "a");
}

static void a_name_may_be_unknown_again(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	tasks_name(&t, 5, "a", now(10));
	tasks_name(&t, 5, NULL, now(20));
	assert_called(&t, 5, 20, NULL);
}

static const struct map one_map = { .start = 0x1000, .end = 0x2000, .name = "a" };
static const struct map other_map = { .start = 0x1000, .end = 0x2000, .name = "b" };

static void map_at(struct tasks *t, uint32_t pid, const struct map *m, uint64_t time)
{
	struct moment at = now(time);

	space_lay(tasks_space_make(t, pid, at), &t->arena, m->start, m->end, m, at);
}

static const struct map *seen(const struct tasks *t, uint32_t pid, uint64_t time)
{
	struct moment at = moment_after(time);

	return space_find(tasks_space(t, pid, at, NULL), 0x1000, at);
}

static void a_process_has_no_space_before_its_first_map(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	assert_null(tasks_space(&t, 7, moment_after(0), NULL));
	map_at(&t, 7, &one_map, 10);
	assert_null(seen(&t, 7, 9));
	assert_ptr_equal(seen(&t, 7, 10), &one_map);
}

static void a_fork_shares_what_the_parent_had(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	map_at(&t, 7, &one_map, 0);
	tasks_fork(&t, 8, 7, true, now(10));
	map_at(&t, 7, &other_map, 20);
	assert_null(seen(&t, 8, 9));
	assert_ptr_equal(seen(&t, 8, 30), &one_map);
	assert_ptr_equal(seen(&t, 7, 30), &other_map);
}

static void a_fork_may_start_with_nothing(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	map_at(&t, 7, &one_map, 0);
	tasks_fork(&t, 8, 7, false, now(0));
	assert_null(seen(&t, 8, 1));
	tasks_fork(&t, 9, 6, true, now(0));
	assert_null(seen(&t, 9, 1));
}

static void a_pid_used_again_is_another_process(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	map_at(&t, 7, &one_map, 0);
	map_at(&t, 8, &other_map, 0);
	tasks_fork(&t, 8, 7, true, now(50));
	assert_ptr_equal(seen(&t, 8, 49), &other_map);
	assert_ptr_equal(seen(&t, 8, 50), &one_map);
	/* A map that comes late belongs to the process of its time. */
	map_at(&t, 8, &one_map, 40);
	assert_ptr_equal(seen(&t, 8, 45), &one_map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_holds_until_the_next),
		cmocka_unit_test(names_that_come_late_take_their_place),
		cmocka_unit_test(of_equal_times_the_later_name_wins),
		cmocka_unit_test(a_name_may_be_unknown_again),
		cmocka_unit_test(a_process_has_no_space_before_its_first_map),
		cmocka_unit_test(a_fork_shares_what_the_parent_had),
		cmocka_unit_test(a_fork_may_start_with_nothing),
		cmocka_unit_test(a_pid_used_again_is_another_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
