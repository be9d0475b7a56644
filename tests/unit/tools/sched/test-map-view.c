/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/id-list.h"
#include "tools/sched/map-model.h"
#include "tools/sched/map-view.h"

/* CPU 0 has a task, CPU 1 has none yet, CPU 2 has another one, which came first. */
static struct sched_map_task one = { .tid = 10, .pid = 9, .sign = "A0", .comm = "one" };
static struct sched_map_task idle = { .sign = ".", .comm = "swapper\n", .is_idle = true };

static struct sched_map example_map(void)
{
	static struct sched_map_cpu cpus[] = { { .task = &one },
					       { .task = NULL },
					       { .task = &idle } };
	static unsigned seen[] = { 2, 0 };

	return (struct sched_map){ .cpus = { cpus, 3, 3 }, .seen = { seen, 2, 2 } };
}

static const struct sched_map_line came = { .time = 1000000999, .cpu = 0 };

static void assert_prints(struct sched_map_look look, struct sched_map_line l, const char *text)
{
	_cleanup_(freep) char *printed = NULL;
	const struct sched_map m = example_map();
	size_t size;

	look.out = open_memstream(&printed, &size);
	sched_map_print(&look, &m, &l);
	sched_map_finish(&look);
	fclose(look.out);
	assert_string_equal(printed, text);
}

static void a_line_has_a_column_for_each_cpu_and_a_star(void **state)
{
	struct sched_map_line l = came;

	(void)state;
	assert_prints((struct sched_map_look){ 0 }, l, "  *A0      .        1.000000 secs \n");
	l.told = &one;
	one.is_renamed = true;
	assert_prints((struct sched_map_look){ 0 }, l,
		      "  *A0      .        1.000000 secs A0 => one:10\n");
	assert_false(one.is_renamed);
	l.told = &idle;
	assert_prints((struct sched_map_look){ 0 }, l,
		      "  *A0      .        1.000000 secs .  => swapper\\n:0\n");
	l = came;
	l.is_out = true;
	assert_prints((struct sched_map_look){ 0 }, l, "  *-       .        1.000000 secs \n");
}

static void compact_lines_have_cpus_in_order_of_appearance(void **state)
{
	struct sched_map_line l = came;

	(void)state;
	l.is_new_cpu = true;
	assert_prints((struct sched_map_look){ .compact = true }, l,
		      "   .  *A0       1.000000 secs  (CPU 0)\n");
}

static void of_chosen_cpus_only_the_columns_are_there_or_only_the_lines(void **state)
{
	unsigned items[] = { 2 };
	const struct cpu_list cpus = { items, 1, 1 };
	struct sched_map_line l = came;

	(void)state;
	assert_prints((struct sched_map_look){ .cpus = &cpus }, l, "   .  \n");
	assert_prints((struct sched_map_look){ .cpus = &cpus, .all_columns = true }, l, "");
	l.cpu = 2;
	assert_prints((struct sched_map_look){ .cpus = &cpus }, l, "  *.        1.000000 secs \n");
	assert_prints((struct sched_map_look){ .cpus = &cpus, .all_columns = true }, l,
		      "   A0     *.        1.000000 secs \n");
}

static void chosen_tasks_processes_and_cpus_have_colours(void **state)
{
	unsigned cpus[] = { 0 };
	int pids[] = { 9 };
	const struct cpu_list marks = { cpus, 1, 1 };
	const struct id_list list = { pids, 1, 1 };
	struct sched_map_line l = came;

	(void)state;
	l.told = &one;
	assert_prints((struct sched_map_look){ .colour = true, .pids = &list, .marks = &marks }, l,
		      "  \033[41m*\033[m\033[34mA0 \033[m     .        1.000000 secs "
		      "\033[34mA0 => one:10\033[m\n");
	assert_prints((struct sched_map_look){ .pids = &list, .marks = &marks }, l,
		      "  *A0      .        1.000000 secs A0 => one:10\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_a_column_for_each_cpu_and_a_star),
		cmocka_unit_test(compact_lines_have_cpus_in_order_of_appearance),
		cmocka_unit_test(of_chosen_cpus_only_the_columns_are_there_or_only_the_lines),
		cmocka_unit_test(chosen_tasks_processes_and_cpus_have_colours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
