/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "kernel/pmu.h"
#include "machine.h"

#define CORE ((uint64_t)4 << 32)
#define ATOM ((uint64_t)10 << 32)

static void generic_names_become_types_and_configs(void **state)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config;
	} cases[] = {
		{ "cycles", PERF_TYPE_HARDWARE, 0 },
		{ "branches:u", PERF_TYPE_HARDWARE, 4 },
		{ "cs", PERF_TYPE_SOFTWARE, 3 },
		{ "cgroup-switches", PERF_TYPE_SOFTWARE, 11 },
		{ "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000 },
		{ "LLC-stores:k", PERF_TYPE_HW_CACHE, 0x102 },
		{ "branch-miss", PERF_TYPE_HW_CACHE, 0x10005 },
		{ "branch-misses", PERF_TYPE_HARDWARE, 5 },
		{ "r80a2", PERF_TYPE_RAW, 0x80a2 },
		{ "r00c0:u", PERF_TYPE_RAW, 0xc0 },
		{ "0:1", PERF_TYPE_HARDWARE, 1 },
		{ "3:0x10002", PERF_TYPE_HW_CACHE, 0x10002 },
		{ "4:0x3c", PERF_TYPE_RAW, 0x3c },
	};

	machine_add_cpu(*state);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct event *e = machine_event(*state, cases[i].text);

		assert_int_equal(e->attr.type, cases[i].type);
		assert_int_equal(e->attr.config, cases[i].config);
		assert_null(e->pmu);
	}
}

static void a_generic_name_comes_before_a_pmus_own(void **state)
{
	machine_add_cpu(*state);
	assert_int_equal(machine_event(*state, "cpu-cycles")->attr.type, PERF_TYPE_HARDWARE);
	assert_int_equal(machine_event(*state, "cpu-cycles/period=1/")->attr.config, 0);
}

/* The names are those that Linux's perf prints. */
static void a_cache_event_is_called_without_modifiers_and_terms(void **state)
{
	assert_string_equal(machine_event(*state, "L1-dcache-loads:u")->name, "L1-dcache-loads");
	assert_string_equal(machine_event(*state, "LLC/period=5/k")->name, "LLC");
	assert_string_equal(machine_event(*state, "LLC/name=x/k")->name, "x");
}

static void an_operation_that_a_cache_lacks_is_refused(void **state)
{
	machine_refuses(*state, "cs,iTLB-stores:u", -EINVAL, "   ^^^^^^^^^^^",
			"that cache has no such operation");
}

static void perfs_own_counters_open_a_dummy(void **state)
{
	static const struct {
		const char *text;
		enum event_tool tool;
	} cases[] = {
		{ "duration_time", EVENT_TOOL_DURATION_TIME },
		{ "user_time:u", EVENT_TOOL_USER_TIME },
		{ "system_time", EVENT_TOOL_SYSTEM_TIME },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct event *e = machine_event(*state, cases[i].text);

		assert_int_equal(e->tool, cases[i].tool);
		assert_int_equal(e->attr.type, PERF_TYPE_SOFTWARE);
		assert_int_equal(e->attr.config, PERF_COUNT_SW_DUMMY);
		assert_string_equal(e->name, cases[i].text);
	}
	assert_int_equal(machine_events(*state, "{duration_time,cs}", 2)[1]->leader, 0);
}

static void perfs_own_counters_have_no_terms(void **state)
{
	machine_refuses(*state, "duration_time/name=x/", -EINVAL, "^^^^^^^^^^^^^^^^^^^^^",
			"'duration_time' is measured by perf itself");
}

static void hardware_events_are_opened_on_each_kind_of_cores(void **state)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config;
	} cases[] = {
		{ "cycles", PERF_TYPE_HARDWARE, 0 },
		{ "instructions:u", PERF_TYPE_HARDWARE, 1 },
		{ "LLC-load-misses", PERF_TYPE_HW_CACHE, 0x10002 },
		{ "0:5", PERF_TYPE_HARDWARE, 5 },
		{ "3:0x10002", PERF_TYPE_HW_CACHE, 0x10002 },
		{ "cycles/config=1/", PERF_TYPE_HARDWARE, 1 },
	};

	machine_add_hybrid(*state);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event **e = machine_events(*state, cases[i].text, 2);

		assert_string_equal(e[0]->pmu->name, "cpu_atom");
		assert_int_equal(e[0]->attr.type, cases[i].type);
		assert_int_equal(e[0]->attr.config, cases[i].config | ATOM);
		assert_string_equal(e[1]->pmu->name, "cpu_core");
		assert_int_equal(e[1]->attr.type, cases[i].type);
		assert_int_equal(e[1]->attr.config, cases[i].config | CORE);
	}
}

static void raw_events_have_the_type_of_each_kind_of_cores(void **state)
{
	static const char *const texts[] = { "r1a8", "4:0x1a8" };

	machine_add_hybrid(*state);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct event **e = machine_events(*state, texts[i], 2);

		assert_int_equal(e[0]->attr.type, 10);
		assert_int_equal(e[0]->attr.config, 0x1a8);
		assert_int_equal(e[1]->attr.type, 4);
		assert_int_equal(e[1]->attr.config, 0x1a8);
	}
}

static void other_events_are_opened_once_there_too(void **state)
{
	static const char *const texts[] = { "cs", "1:3", "duration_time", "mem:0x1000",
					     "10:0x3c" };

	machine_add_hybrid(*state);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_string_equal(machine_event(*state, texts[i])->name, texts[i]);
}

static void modifiers_terms_and_groups_are_for_all_kinds(void **state)
{
	machine_add_hybrid(*state);

	struct event **e = machine_events(*state, "{cycles/period=7/u,cs}:S", 3);

	for (size_t i = 0; i < 2; i++) {
		assert_true(e[i]->attr.exclude_kernel);
		assert_int_equal(e[i]->settings.period, 7);
	}
	for (size_t i = 0; i < 3; i++) {
		assert_true(e[i]->modifiers.sample_read);
		assert_int_equal(e[i]->leader, 0);
	}
}

static void rows_of_several_kinds_are_told_apart_by_name(void **state)
{
	static const struct {
		const char *text, *atom, *core;
	} cases[] = {
		{ "cycles", "cpu_atom/cycles/", "cpu_core/cycles/" },
		{ "cycles:u", "cpu_atom/cycles/u", "cpu_core/cycles/u" },
		{ "cycles/period=7/ppp", "cpu_atom/cycles,period=7/ppp",
		  "cpu_core/cycles,period=7/ppp" },
		{ "cycles/name=x/", "cpu_atom/x/", "cpu_core/x/" },
		{ "LLC-loads:k", "cpu_atom/LLC-loads/k", "cpu_core/LLC-loads/k" },
		{ "r1a8:u", "cpu_atom/r1a8/u", "cpu_core/r1a8/u" },
		{ "4:0x3c", "cpu_atom/4:0x3c/", "cpu_core/4:0x3c/" },
	};

	machine_add_hybrid(*state);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct event **e = machine_events(*state, cases[i].text, 2);

		assert_string_equal(e[0]->name, cases[i].atom);
		assert_string_equal(e[1]->name, cases[i].core);
	}
}

static void such_a_name_parses_to_the_same_event(void **state)
{
	static const char *const texts[] = {
		"cycles", "instructions:u", "cycles/period=7/ppp", "LLC-load-misses:k",
		"r1a8:u", "mem-stores"
	};
	struct machine *m = *state;

	machine_add_hybrid(m);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t kind = 0; kind < 2; kind++) {
			struct event *e = machine_events(m, texts[i], 2)[kind];
			struct attr attr = e->attr;
			_cleanup_(freep) char *name = xstrdup(e->name);
			const struct event *again = machine_event(m, name);

			assert_memory_equal(&again->attr, &attr, sizeof(attr));
			assert_string_equal(again->name, name);
		}
}

static void a_bad_term_is_marked_there_too(void **state)
{
	machine_add_hybrid(*state);
	machine_refuses(*state, "cycles/foo=1/", -EINVAL, "       ^^^", "unknown term 'foo'");
	machine_refuses(*state, "cycles:uu", -EINVAL, "        ^", "modifier 'u' is given twice");
}

#define test(name) cmocka_unit_test_setup_teardown(name, machine_open, machine_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(generic_names_become_types_and_configs),
		test(a_generic_name_comes_before_a_pmus_own),
		test(a_cache_event_is_called_without_modifiers_and_terms),
		test(an_operation_that_a_cache_lacks_is_refused),
		test(perfs_own_counters_open_a_dummy),
		test(perfs_own_counters_have_no_terms),
		test(hardware_events_are_opened_on_each_kind_of_cores),
		test(raw_events_have_the_type_of_each_kind_of_cores),
		test(other_events_are_opened_once_there_too),
		test(modifiers_terms_and_groups_are_for_all_kinds),
		test(rows_of_several_kinds_are_told_apart_by_name),
		test(such_a_name_parses_to_the_same_event),
		test(a_bad_term_is_marked_there_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
