/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "event/event-set.h"
#include "machine.h"

/* Checks the names of all events so far, with groups in braces. */
static void assert_events(struct machine *m, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	const struct event_list *l = &m->events;

	for (size_t i = 0; i < l->n; i++) {
		size_t leader = l->items[i]->leader;
		bool more = i + 1 < l->n && l->items[i + 1]->leader == leader;

		text_addf(&t, "%s%s%s%s", i ? "," : "", leader == i && more ? "{" : "",
			  l->items[i]->name, leader != i && !more ? "}" : "");
	}
	assert_string_equal(t.chars, wanted);
}

static void add_cpu_event(struct machine *m, const char *name)
{
	_cleanup_(freep) char *path = xasprintf("cpu/events/%s", name);

	machine_device(m, path, "event=0x1\n");
}

static void the_default_is_the_tasks_clock_and_what_the_cpu_did(void **state)
{
	struct machine *m = *state;

	assert_int_equal(event_set_default(&m->events, machine_env(m), false, &m->diag), 0);
	assert_events(m, "task-clock,context-switches,cpu-migrations,page-faults,cycles,"
			 "instructions,branches,branch-misses");
}

static void the_whole_system_has_the_clock_of_its_cpus(void **state)
{
	struct machine *m = *state;

	assert_int_equal(event_set_default(&m->events, machine_env(m), true, &m->diag), 0);
	assert_string_equal(m->events.items[0]->name, "cpu-clock");
	assert_int_equal(m->events.n, 8);
}

static void stalls_are_counted_where_the_pmu_names_them(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	add_cpu_event(m, "stalled-cycles-backend");
	assert_int_equal(event_set_default(&m->events, machine_env(m), false, &m->diag), 0);
	assert_events(m, "task-clock,context-switches,cpu-migrations,page-faults,cycles,"
			 "stalled-cycles-backend,instructions,branches,branch-misses");
}

static void both_stalls_come_between_cycles_and_instructions(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	add_cpu_event(m, "stalled-cycles-frontend");
	add_cpu_event(m, "stalled-cycles-backend");
	assert_int_equal(event_set_default(&m->events, machine_env(m), false, &m->diag), 0);
	assert_events(m, "task-clock,context-switches,cpu-migrations,page-faults,cycles,"
			 "stalled-cycles-frontend,stalled-cycles-backend,instructions,branches,"
			 "branch-misses");
}

static void each_d_adds_to_the_ones_before(void **state)
{
	struct machine *m = *state;

	assert_int_equal(event_set_detailed(&m->events, machine_env(m), 0, &m->diag), 0);
	assert_int_equal(m->events.n, 0);
	assert_int_equal(event_set_detailed(&m->events, machine_env(m), 1, &m->diag), 0);
	assert_events(m, "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses");
	event_list_done(&m->events);
	assert_int_equal(event_set_detailed(&m->events, machine_env(m), 2, &m->diag), 0);
	assert_events(m, "L1-dcache-loads,L1-dcache-load-misses,LLC-loads,LLC-load-misses,"
			 "L1-icache-loads,L1-icache-load-misses,dTLB-loads,dTLB-load-misses,"
			 "iTLB-loads,iTLB-load-misses");
	event_list_done(&m->events);
	assert_int_equal(event_set_detailed(&m->events, machine_env(m), 3, &m->diag), 0);
	assert_int_equal(m->events.n, 12);
	assert_string_equal(m->events.items[11]->name, "L1-dcache-prefetch-misses");
}

static void more_ds_than_three_are_as_three(void **state)
{
	struct machine *m = *state;

	assert_int_equal(event_set_detailed(&m->events, machine_env(m), 9, &m->diag), 0);
	assert_int_equal(m->events.n, 12);
}

static void what_was_there_before_stays(void **state)
{
	struct machine *m = *state;

	assert_int_equal(machine_append(m, "dummy", EVENT_USE_COUNTING), 0);
	assert_int_equal(event_set_detailed(&m->events, machine_env(m), 1, &m->diag), 0);
	assert_int_equal(m->events.n, 5);
	assert_string_equal(m->events.items[0]->name, "dummy");
	assert_int_equal(m->events.items[1]->leader, 1);
}

static void a_hybrid_machine_counts_the_hardware_on_each_kind_of_core(void **state)
{
	struct machine *m = *state;

	machine_add_hybrid(m);
	assert_int_equal(event_set_default(&m->events, machine_env(m), false, &m->diag), 0);
	assert_int_equal(m->events.n, 4 + 2 * 4);
}

static void transactions_are_one_group_and_the_clock(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	add_cpu_event(m, "tx-start");
	add_cpu_event(m, "cycles-t");
	assert_int_equal(event_set_transaction(&m->events, machine_env(m), &m->diag), 0);
	assert_events(m, "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/}");
}

static void elided_locks_are_counted_where_they_can_be(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	add_cpu_event(m, "tx-start");
	add_cpu_event(m, "cycles-t");
	add_cpu_event(m, "el-start");
	add_cpu_event(m, "cycles-ct");
	assert_int_equal(event_set_transaction(&m->events, machine_env(m), &m->diag), 0);
	assert_events(m, "task-clock,{instructions,cycles,cpu/cycles-t/,cpu/tx-start/,"
			 "cpu/el-start/,cpu/cycles-ct/}");
}

static void topdown_is_one_group(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	add_cpu_event(m, "topdown-total-slots");
	add_cpu_event(m, "topdown-slots-retired");
	add_cpu_event(m, "topdown-recovery-bubbles");
	add_cpu_event(m, "topdown-fetch-bubbles");
	add_cpu_event(m, "topdown-slots-issued");
	assert_int_equal(event_set_topdown(&m->events, machine_env(m), &m->diag), 0);
	assert_events(m, "{topdown-total-slots,topdown-slots-retired,topdown-recovery-bubbles,"
			 "topdown-fetch-bubbles,topdown-slots-issued}");
}

static void topdown_needs_all_of_its_events(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	add_cpu_event(m, "topdown-total-slots");
	assert_int_equal(event_set_topdown(&m->events, machine_env(m), &m->diag), -EOPNOTSUPP);
	assert_string_equal(m->diag.message, "System does not support topdown");
	assert_non_null(strstr(m->diag.hint, "topdown-slots-retired"));
	assert_int_equal(m->events.n, 0);
}

static void management_interrupts_are_compared_with_cycles(void **state)
{
	struct machine *m = *state;

	machine_device(m, "msr/type", "9\n");
	machine_device(m, "msr/format/event", "config:0-63\n");
	machine_device(m, "msr/events/smi", "event=0x04\n");
	machine_device(m, "msr/events/aperf", "event=0x01\n");
	assert_int_equal(event_set_smi_cost(&m->events, machine_env(m), &m->diag), 0);
	assert_events(m, "{msr/aperf/,msr/smi/,cycles}");
}

static void a_machine_without_them_says_so(void **state)
{
	struct machine *m = *state;

	assert_int_equal(event_set_transaction(&m->events, machine_env(m), &m->diag), -EOPNOTSUPP);
	assert_non_null(strstr(m->diag.message, "transactions"));
	assert_int_equal(event_set_smi_cost(&m->events, machine_env(m), &m->diag), -EOPNOTSUPP);
	assert_non_null(strstr(m->diag.message, "system management interrupts"));
	assert_int_equal(m->events.n, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, machine_open, machine_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_default_is_the_tasks_clock_and_what_the_cpu_did),
		TEST(the_whole_system_has_the_clock_of_its_cpus),
		TEST(stalls_are_counted_where_the_pmu_names_them),
		TEST(both_stalls_come_between_cycles_and_instructions),
		TEST(each_d_adds_to_the_ones_before),
		TEST(more_ds_than_three_are_as_three),
		TEST(what_was_there_before_stays),
		TEST(a_hybrid_machine_counts_the_hardware_on_each_kind_of_core),
		TEST(transactions_are_one_group_and_the_clock),
		TEST(elided_locks_are_counted_where_they_can_be),
		TEST(topdown_is_one_group),
		TEST(topdown_needs_all_of_its_events),
		TEST(management_interrupts_are_compared_with_cycles),
		TEST(a_machine_without_them_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
