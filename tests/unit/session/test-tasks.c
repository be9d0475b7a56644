/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/cleanup.h"
#include "base/intern.h"
#include "session/lineage.h"
#include "session/machine.h"
#include "session/space.h"
#include "session/span.h"
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
	/* A late map belongs to the process of its time. */
	map_at(&t, 8, &one_map, 40);
	assert_ptr_equal(seen(&t, 8, 45), &one_map);
}

static void assert_called_during(const struct tasks *t, uint64_t time, const char *comm,
				 uint64_t from, uint64_t until)
{
	struct span span = SPAN_ALWAYS;
	const char *is = tasks_comm(t, 5, moment_after(time), &span);

	assert_string_equal(is ? is : "(none)", comm);
	assert_int_equal(span.from, from);
	assert_int_equal(span.until, until);
}

static void the_times_of_a_name_are_known(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	assert_called_during(&t, 5, "(none)", 0, UINT64_MAX);
	tasks_name(&t, 5, "a", now(10));
	tasks_name(&t, 5, "b", now(20));
	tasks_name(&t, 5, "c", now(30));
	assert_called_during(&t, 9, "(none)", 0, 10);
	assert_called_during(&t, 10, "a", 10, 20);
	assert_called_during(&t, 25, "b", 20, 30);
	assert_called_during(&t, 30, "c", 30, UINT64_MAX);
	assert_called_during(&t, 0, "c", 30, UINT64_MAX);
}

static void any_number_of_names_may_come_in_any_order(void **state)
{
	static char names[300][12];
	_cleanup_(tasks_done) struct tasks t = { 0 };

	(void)state;
	for (unsigned i = 300; i-- > 0;) {
		snprintf(names[i], sizeof(names[i]), "%u", i);
		tasks_name(&t, 5, names[i], now(10 * i + 10));
	}
	/* Names of another thread come in any order: 37 and 300 have no common divisor. */
	for (unsigned i = 0; i < 300; i++)
		tasks_name(&t, 6, names[i * 37 % 300], now(10 * (i * 37 % 300) + 10));
	for (unsigned i = 0; i < 300; i++) {
		assert_called(&t, 5, 10 * i + 19, names[i]);
		assert_called(&t, 6, 10 * i + 19, names[i]);
	}
	assert_called(&t, 5, 9, NULL);
	assert_called(&t, 6, 9, NULL);
}

static void namespaces_are_copied_and_hold_until_the_next(void **state)
{
	_cleanup_(tasks_done) struct tasks t = { 0 };
	struct namespaces ns = { .items[0].ino = 7 };

	(void)state;
	tasks_set_namespaces(&t, 5, &ns, now(10));
	ns.items[0].ino = 8;
	tasks_set_namespaces(&t, 5, &ns, now(20));
	assert_null(tasks_namespaces(&t, 5, moment_after(9)));
	assert_int_equal(tasks_namespaces(&t, 5, moment_after(19))->items[0].ino, 7);
	assert_int_equal(tasks_namespaces(&t, 5, moment_after(20))->items[0].ino, 8);
	assert_null(tasks_namespaces(&t, 6, moment_after(20)));
}

static const struct map *same_map(void *arg, const struct map *m)
{
	(void)arg;
	return m;
}

static const struct jit_maps *same_jit(void *arg, const struct jit_maps *j)
{
	(void)arg;
	return j;
}

/* Copies of tasks 5 and 7, from time 25 on. */
struct copied {
	struct tasks tasks;
	struct lineage living;
	struct intern names;
};

static void copy_living(struct copied *c, const struct tasks *from)
{
	struct space_copying spaces = {
		.arena = &c->tasks.arena, .from = moment_after(25), .map = same_map, .jit = same_jit
	};

	lineage_saw(&c->living, 5, 5, now(0));
	lineage_saw(&c->living, 7, 7, now(0));
	tasks_copy(&c->tasks, from, &c->living, moment_after(25), &c->names, &spaces);
	u64_map_done(&spaces.done);
}

static void copied_done(struct copied *c)
{
	tasks_done(&c->tasks);
	lineage_done(&c->living);
	intern_done(&c->names);
}

static void a_copy_has_the_living_as_they_were_and_what_came_later(void **state)
{
	_cleanup_(copied_done) struct copied c = { 0 };
	_cleanup_(tasks_done) struct tasks t = { 0 };
	struct namespaces ns = { .items[0].ino = 7 };

	(void)state;
	tasks_name(&t, 5, "a", now(10));
	tasks_name(&t, 5, "b", now(20));
	tasks_name(&t, 5, "c", now(30));
	tasks_name(&t, 5, NULL, now(40));
	tasks_name(&t, 6, "dead", now(10));
	tasks_name(&t, 7, "late", now(35));
	map_at(&t, 5, &one_map, 10);
	map_at(&t, 6, &one_map, 10);
	map_at(&t, 5, &other_map, 30);
	tasks_set_namespaces(&t, 5, &ns, now(10));
	tasks_set_namespaces(&t, 6, &ns, now(10));
	copy_living(&c, &t);
	assert_called(&c.tasks, 5, 1, "b");
	assert_called(&c.tasks, 5, 29, "b");
	assert_called(&c.tasks, 5, 30, "c");
	assert_called(&c.tasks, 5, 39, "c");
	assert_called(&c.tasks, 5, 40, NULL);
	assert_called(&c.tasks, 6, 50, NULL);
	assert_called(&c.tasks, 7, 34, NULL);
	assert_called(&c.tasks, 7, 35, "late");
	assert_ptr_equal(tasks_comm(&c.tasks, 7, moment_after(0), NULL),
			 intern_find(&c.names, "late"));
	assert_null(intern_find(&c.names, "a"));
	assert_null(intern_find(&c.names, "dead"));
	assert_ptr_equal(seen(&c.tasks, 5, 1), &one_map);
	assert_ptr_equal(seen(&c.tasks, 5, 30), &other_map);
	assert_null(tasks_space(&c.tasks, 6, moment_after(50), NULL));
	assert_int_equal(c.tasks.spaces.n, 1);
	assert_int_equal(tasks_namespaces(&c.tasks, 5, moment_after(1))->items[0].ino, 7);
	assert_null(tasks_namespaces(&c.tasks, 6, moment_after(50)));
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
		cmocka_unit_test(the_times_of_a_name_are_known),
		cmocka_unit_test(any_number_of_names_may_come_in_any_order),
		cmocka_unit_test(namespaces_are_copied_and_hold_until_the_next),
		cmocka_unit_test(a_copy_has_the_living_as_they_were_and_what_came_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
