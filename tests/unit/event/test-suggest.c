/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "event/suggest.h"
#include "machine.h"

static const char *hint_event(struct machine *m, const char *typed)
{
	diag_done(&m->diag);
	suggest_event(machine_env(m), typed, &m->diag);
	return m->diag.hint;
}

static const char *hint_tracepoint(struct machine *m, const char *system, const char *name)
{
	diag_done(&m->diag);
	suggest_tracepoint(machine_env(m), system, name, &m->diag);
	return m->diag.hint;
}

static const char *hint_pmu(struct machine *m, const char *typed)
{
	diag_done(&m->diag);
	suggest_pmu(machine_env(m), typed, &m->diag);
	return m->diag.hint;
}

static void assert_lacks(const char *text, const char *words)
{
	if (strstr(text, words))
		fail_msg("'%s' says '%s'", text, words);
}

static void the_nearest_events_of_every_kind_are_named(void **state)
{
	static const struct {
		const char *typed, *meant;
	} cases[] = {
		{ "cylces", "'cycles'" },
		{ "context-swithces", "'context-switches'" },
		{ "durationtime", "'duration_time'" },
		{ "L1-dcache-load-miss3s", "'L1-dcache-load-misses'" },
		{ "MEM-LAODS", "'mem-loads" },
	};
	struct machine *m = *state;

	machine_add_cpu(m);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *hint = hint_event(m, cases[i].typed);

		assert_contains(hint, "Did you mean ");
		assert_contains(hint, cases[i].meant);
	}
}

static void no_name_is_suggested_twice(void **state)
{
	struct machine *m = *state;

	machine_add_cpu(m);
	machine_device(m, "other/type", "30\n");
	machine_device(m, "other/events/mem-stores", "event=1\n");

	const char *hint = hint_event(m, "mem-stors");
	const char *first = strstr(hint, "'mem-stores'");

	assert_non_null(first);
	assert_null(strstr(first + 1, "'mem-stores'"));
}

static void the_way_to_list_them_is_always_told(void **state)
{
	struct machine *m = *state;

	assert_contains(hint_event(m, "cylces"), "Run 'perf list' for a list of valid events");
	assert_contains(hint_event(m, "cylces"), "'perf list cylces' to search it");
	assert_contains(hint_pmu(m, "sofware"), "Run 'perf list pmu'");
}

static void nothing_is_suggested_that_is_not_near(void **state)
{
	struct machine *m = *state;

	machine_tracepoint(m, "sched/sched_switch", 1);
	assert_lacks(hint_event(m, "xyzzy_plugh_42"), "Did you mean");
	assert_lacks(hint_tracepoint(m, "sched", "xyzzy_plugh_42_is_far_away"), "Did you mean");
	assert_lacks(hint_pmu(m, "xyzzy_plugh_42"), "Did you mean");
}

static void other_tracepoints_of_a_system_are_named_in_full(void **state)
{
	struct machine *m = *state;

	machine_tracepoint(m, "sched/sched_switch", 1);
	machine_tracepoint(m, "sched/sched_wakeup", 2);
	machine_tracepoint(m, "timer/timer_start", 3);

	const char *hint = hint_tracepoint(m, "sched", "sched_swtch");

	assert_contains(hint, "Did you mean 'sched:sched_switch'");
	assert_lacks(hint, "timer");
	assert_contains(hint, "perf list 'sched:*'");
}

static void a_misspelt_system_is_found_by_the_event_it_has(void **state)
{
	struct machine *m = *state;

	machine_tracepoint(m, "sched/sched_switch", 1);
	machine_tracepoint(m, "sched2/other", 2);

	const char *hint = hint_tracepoint(m, "shced", "sched_switch");

	assert_contains(hint, "Did you mean 'sched:sched_switch'");
	assert_lacks(hint, "sched2");
	assert_contains(hint, "perf list tracepoint");
	assert_contains(hint, "a module that is not loaded");
}

static void a_probe_that_is_not_there_is_to_be_set(void **state)
{
	struct machine *m = *state;

	machine_tracepoint(m, "sched/sched_switch", 1);
	assert_contains(hint_tracepoint(m, "probe", "do_sys_open"), "perf probe --add do_sys_open");
	assert_contains(hint_tracepoint(m, "probe_libc", "malloc"),
			"perf probe -x PROGRAM --add malloc");
	assert_contains(hint_tracepoint(m, "probe", "do_*"), "perf probe --add FUNCTION");
	assert_lacks(m->diag.hint, "module");
	machine_tracepoint(m, "probe/do_sys_openat2", 2);
	assert_contains(hint_tracepoint(m, "probe", "do_sys_openat"), "'probe:do_sys_openat2'");
	assert_contains(m->diag.hint, "perf probe --add do_sys_openat");
	assert_lacks(hint_tracepoint(m, "sched", "probe"), "perf probe");
}

static void without_tracefs_nothing_is_said_about_tracepoints(void **state)
{
	struct machine *m = *state;
	_cleanup_(freep) char *events = xasprintf("%s/tracing/events", (char *)m->root);

	assert_int_equal(rmdir(events), 0);
	assert_null(hint_tracepoint(m, "sched", "sched_switch"));
	assert_null(m->diag.message);
	/* Events can be suggested nevertheless. */
	assert_contains(hint_event(m, "cylces"), "'cycles'");
	assert_null(m->diag.message);
}

static void the_nearest_pmus_are_named(void **state)
{
	struct machine *m = *state;

	machine_add_hybrid(m);
	assert_contains(hint_pmu(m, "cpu_cor"), "'cpu_core'");
	assert_contains(hint_pmu(m, "sofware"), "Did you mean 'software'");
}

static void a_suggestion_is_added_to_what_was_said(void **state)
{
	struct machine *m = *state;

	diag_set(&m->diag, -EINVAL, "no");
	diag_hint(&m->diag, "first");
	suggest_pmu(machine_env(m), "sofware", &m->diag);
	assert_string_equal(m->diag.message, "no");
	assert_int_equal(strncmp(m->diag.hint, "first\nDid you mean", 18), 0);
}

#define test(name) cmocka_unit_test_setup_teardown(name, machine_open, machine_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(the_nearest_events_of_every_kind_are_named),
		test(no_name_is_suggested_twice),
		test(the_way_to_list_them_is_always_told),
		test(nothing_is_suggested_that_is_not_near),
		test(other_tracepoints_of_a_system_are_named_in_full),
		test(a_misspelt_system_is_found_by_the_event_it_has),
		test(a_probe_that_is_not_there_is_to_be_set),
		test(without_tracefs_nothing_is_said_about_tracepoints),
		test(the_nearest_pmus_are_named),
		test(a_suggestion_is_added_to_what_was_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
