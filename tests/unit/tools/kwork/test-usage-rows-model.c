/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "example-usage.h"
#include "tools/kwork/order-model.h"

static struct kwork_order order_of(const char *keys)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct kwork_order o = { .n = 0 };

	assert_int_equal(kwork_order_parse(keys, kwork_usage_key_names, &o, &diag), 0);
	return o;
}

/* Task 6 moves from CPU 0 to CPU 1; an interrupt and a softirq interrupt it on CPU 0. */
static void begin(struct kwork_usage *u)
{
	kwork_usage_init(u, &usage_classes);
	switched(u, 100, 0, 5, 6, "six");
	interrupted(u, KWORK_IRQ, 6, 110, 120);
	interrupted(u, KWORK_SOFTIRQ, 6, 130, 135);
	switched(u, 200, 0, 6, 0, "swapper/0");
	switched(u, 400, 0, 0, 7, "seven");
	switched(u, 500, 0, 7, 0, "swapper/0");
	switched(u, 100, 1, 0, 6, "sixth");
	switched(u, 200, 1, 6, 0, "swapper/1");
	switched(u, 300, 1, 0, 8, "eight");
}

static void a_task_that_moved_is_one_row(void **state)
{
	_cleanup_(kwork_usage_done) struct kwork_usage u;
	_cleanup_(kwork_usage_rows_done) struct kwork_usage_rows r;
	const struct kwork_order order = order_of("rate");

	(void)state;
	begin(&u);
	kwork_usage_rows(&u.items, &(struct kwork_usage_choice){ .order = &order }, &r);
	assert_int_equal(r.time_ns, 600);
	assert_int_equal(r.idle_ns, 300);
	assert_int_equal(r.irq_ns, 10);
	assert_int_equal(r.softirq_ns, 5);
	assert_int_equal(r.n_cpus, 2);
	assert_int_equal(r.cpus[0].time_ns, 400);
	assert_int_equal(r.cpus[0].share, 4625);
	assert_int_equal(r.cpus[1].share, 5000);
	assert_int_equal(r.n_tasks, 4);
	assert_int_equal(r.tasks[0].tid, 6);
	assert_string_equal(r.tasks[0].name, "sixth");
	assert_int_equal(r.tasks[0].run_ns, 185);
	assert_int_equal(r.tasks[0].share, 2125 + 5000);
	assert_int_equal(r.tasks[1].cpu, 1);
	assert_string_equal(r.tasks[2].name, "swapper/0");
	assert_string_equal(r.tasks[3].name, "seven");
}

static void rows_are_chosen_by_name_and_cpu(void **state)
{
	_cleanup_(kwork_usage_done) struct kwork_usage u;
	_cleanup_(kwork_usage_rows_done) struct kwork_usage_rows r, s;
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };
	const struct kwork_order order = order_of("tid");

	(void)state;
	begin(&u);
	kwork_usage_rows(&u.items, &(struct kwork_usage_choice){ .order = &order, .name = "seven" },
			 &r);
	assert_int_equal(r.n_tasks, 1);
	assert_int_equal(r.n_cpus, 2);
	assert_int_equal(r.cpus[0].share, 2500);
	assert_int_equal(r.cpus[1].share, 0);
	assert_int_equal(cpu_list_parse("0", &cpus), 0);
	kwork_usage_rows(&u.items, &(struct kwork_usage_choice){ .order = &order, .cpus = &cpus },
			 &s);
	assert_int_equal(s.n_cpus, 1);
	assert_int_equal(s.n_tasks, 3);
	assert_int_equal(s.tasks[0].tid, 0);
	assert_int_equal(s.tasks[1].tid, 6);
	assert_int_equal(s.tasks[1].share, 2125);
	assert_string_equal(s.tasks[1].name, "sixth");
}

static void nothing_has_no_rows(void **state)
{
	_cleanup_(kwork_usage_done) struct kwork_usage u;
	_cleanup_(kwork_usage_rows_done) struct kwork_usage_rows r;
	const struct kwork_order order = order_of("runtime");

	(void)state;
	kwork_usage_init(&u, &usage_classes);
	kwork_usage_rows(&u.items, &(struct kwork_usage_choice){ .order = &order }, &r);
	assert_int_equal(r.n_cpus, 0);
	assert_int_equal(r.n_tasks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_that_moved_is_one_row),
		cmocka_unit_test(rows_are_chosen_by_name_and_cpu),
		cmocka_unit_test(nothing_has_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
