/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/diag.h"
#include "base/similar.h"
#include "base/text.h"
#include "event/catalog.h"
#include "machine.h"
#include "tracepoint/format.h"
#include "wire/attr.h"

static bool everything(const struct attr *attr)
{
	(void)attr;
	return true;
}

static bool nothing(const struct attr *attr)
{
	(void)attr;
	return false;
}

static bool software_only(const struct attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE;
}

static void gather(struct machine *m, struct catalog *c, struct catalog_query q)
{
	if (!q.supported)
		q.supported = everything;
	assert_int_equal(catalog_gather(machine_env(m), &q, c, &m->diag), 0);
}

/* Checks the names that @selector gives, separated by blanks. */
static void assert_selects(struct machine *m, const char *selector, const char *names)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	gather(m, &c, (struct catalog_query){ .selector = selector });
	for (size_t i = 0; i < c.n; i++)
		text_addf(&t, "%s%s", i ? " " : "", c.items[i].name);
	assert_string_equal(t.chars, names);
}

static void fill(struct machine *m)
{
	machine_tracepoint(m, "sched/sched_switch", 1);
	machine_tracepoint(m, "sched/sched_wakeup", 2);
	machine_tracepoint(m, "nfs/open", 3);
	machine_tracepoint(m, "nfs4/open", 4);
	machine_device(m, "cpu/type", "4\n");
	machine_device(m, "cpu/cpus", "0-3\n");
	machine_device(m, "cpu/format/event", "config:0-7\n");
	machine_device(m, "cpu/events/mem-loads", "event=0xcd\n");
	machine_device(m, "aux/type", "20\n");
	machine_device(m, "aux/events/energy", "event=0x02\n");
	machine_device(m, "aux/events/energy.unit", "Joules\n");
	machine_device(m, "aux/events/energy.scale", "0.5\n");
	machine_device(m, "aux/events/port", "event=0x3,chip=?,unit=?\n");
}

static void events_that_cannot_be_counted_are_left_out(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };

	gather(*state, &c, (struct catalog_query){ .selector = "hw", .supported = nothing });
	assert_int_equal(c.n, 0);
}

static void classes_have_their_kinds_sorted_by_name(void **state)
{
	assert_selects(*state, "hw",
		       "branch-instructions branch-misses bus-cycles cache-misses cache-references "
		       "cpu-cycles instructions ref-cycles stalled-cycles-backend "
		       "stalled-cycles-frontend");
	assert_selects(*state, "tool",
		       "duration_time user_time system_time has_pmem num_cores num_cpus "
		       "num_cpus_online num_dies num_packages smt_on core_wide target_cpu");
}

/* sw has always included the counters of perf itself. */
static void software_includes_the_tool_events(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };

	gather(*state, &c, (struct catalog_query){ .selector = "sw" });
	assert_int_equal(c.items[0].kind, CATALOG_SOFTWARE);
	assert_int_equal(c.items[c.n - 1].kind, CATALOG_TOOL);
}

static void a_colon_selects_tracepoints_by_system_and_name(void **state)
{
	fill(*state);
	assert_selects(*state, "sched:*", "sched:sched_switch sched:sched_wakeup");
	assert_selects(*state, "*:open", "nfs4:open nfs:open");
	assert_selects(*state, "sched:switch", "");
	assert_selects(*state, "ghost:*", "");
}

/* The word may be anywhere, but not in the name of the system. */
static void a_word_is_searched_in_the_names_of_events(void **state)
{
	fill(*state);
	assert_selects(*state, "wake", "sched:sched_wakeup");
	assert_selects(*state, "nfs", "");
	assert_selects(*state, "faults",
		       "alignment-faults emulation-faults major-faults minor-faults page-faults "
		       "page_faults_per_second");
	assert_selects(*state, "idle-cycles-b*", "stalled-cycles-backend");
}

static void the_core_comes_before_other_pmus_and_parameters_are_part_of_the_name(void **state)
{
	fill(*state);
	assert_selects(*state, "pmu", "cpu/mem-loads/ aux/energy/ aux/port,chip=?,unit=?/");
}

static void a_pmu_event_has_its_encoding_and_scale(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };

	fill(*state);
	gather(*state, &c, (struct catalog_query){ .selector = "pmu" });
	assert_string_equal(c.items[0].alias, "mem-loads");
	assert_string_equal(c.items[0].encoding, "cpu/event=0xcd/");
	assert_null(c.items[1].alias); /* -e energy is not enough outside of the cores */
	assert_string_equal(c.items[1].scale_unit, "0.5Joules");
}

static void pmu_names_match_in_either_case(void **state)
{
	fill(*state);
	assert_selects(*state, "AUX/E*", "aux/energy/");
	assert_selects(*state, "CPU-CYCLES", "");
}

static void vendor_events_replace_those_of_sysfs(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };
	struct machine *m = *state;

	setenv("PERF_CPUID", "0x00000000410fd0c0", 1);
	machine_device(m, "armv8_pmuv3/type", "8\n");
	machine_device(m, "armv8_pmuv3/cpus", "0\n");
	machine_device(m, "armv8_pmuv3/events/cpu_cycles", "event=0x0011\n");
	machine_device(m, "armv8_pmuv3/events/own", "event=0x0077\n");
	gather(m, &c, (struct catalog_query){ .selector = "pmu" });
	assert_string_equal(c.items[0].alias, "own");
	assert_true(c.n > 50);
	for (size_t i = 1; i < c.n; i++) {
		assert_non_null(c.items[i].topic);
		assert_non_null(c.items[i].brief);
		assert_string_equal(c.items[i].pmu, "armv8_pmuv3");
	}
}

static void a_topic_selects_its_events(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };
	struct machine *m = *state;

	setenv("PERF_CPUID", "0x00000000410fd0c0", 1);
	machine_device(m, "armv8_pmuv3/type", "8\n");
	machine_device(m, "armv8_pmuv3/cpus", "0\n");
	gather(m, &c, (struct catalog_query){ .selector = "exception", .supported = nothing });
	assert_true(c.n > 5);
	assert_string_equal(c.items[0].name, "exc_dabort");
}

static void one_pmu_alone_can_be_asked_for(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };

	fill(*state);
	gather(*state, &c, (struct catalog_query){ .pmu = "aux" });
	assert_int_equal(c.n, 2);
	assert_string_equal(c.items[0].name, "aux/energy/");
}

static void kinds_that_are_pmus_can_be_asked_for_by_them(void **state)
{
	_cleanup_(catalog_done) struct catalog software = { 0 }, traced = { 0 };

	fill(*state);
	gather(*state, &software, (struct catalog_query){ .selector = "cs", .pmu = "software" });
	assert_int_equal(software.n, 1);
	assert_string_equal(software.items[0].name, "context-switches");
	assert_string_equal(software.items[0].encoding, "software/config=0x3/");
	gather(*state, &traced, (struct catalog_query){ .pmu = "tracepoint" });
	assert_true(traced.n > 0);
	for (size_t i = 0; i < traced.n; i++)
		assert_int_equal(traced.items[i].kind, CATALOG_TRACEPOINT);
}

static void formats_are_read_when_asked_for(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };
	struct machine *m = *state;

	fill(m);
	fake_file(m->root, "tracing/events/sched/sched_switch/format",
		  "name: sched_switch\nID: 1\nformat:\n"
		  "\tfield:int prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n");
	gather(m, &c, (struct catalog_query){ .selector = "sched:*", .formats = true });
	assert_string_equal(c.items[0].format->fields[0].name, "prev_pid");
	assert_null(c.items[1].format); /* it has no format that can be read */
}

static void missing_tracefs_is_reported_and_the_rest_is_there(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct event_env *env = event_env_new("/nowhere", "/nowhere");
	const struct catalog_query q = { .supported = everything };

	(void)state;
	assert_true(catalog_gather(env, &q, &c, &diag) < 0);
	assert_non_null(diag.message);
	assert_true(c.n > 20);
	event_env_free(env);
}

static void probes_in_the_build_id_cache_are_sdt_events(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };
	struct machine *m = *state;

	fake_file(m->root, ".build-id/ab/cdef0123456789/probes",
		  "%sdt_libx:late=late\np:sdt_libx/late /usr/lib/x.so:0x10 arg1=%x0:u64\n"
		  "%sdt_libx:early=early\np:sdt_libx/early /usr/lib/x.so:0x20\n"
		  "#mine:probe\np:mine/probe /bin/x:0x30\n%sdt_");
	gather(m, &c, (struct catalog_query){ .selector = "sdt", .buildid_dir = m->root });
	assert_int_equal(c.n, 2);
	assert_string_equal(c.items[0].name, "sdt_libx:early");
	assert_string_equal(c.items[0].image, "/usr/lib/x.so");
	assert_string_equal(c.items[0].build_id, "abcdef0123456789");
}

static void markers_are_found_by_every_glob_over_their_systems(void **state)
{
	static const struct {
		const char *selector;
		size_t n;
	} asked[] = {
		{ "sdt_libx:early", 1 }, { "sdt_*:*", 1 },      { "s*:early", 1 }, { "*:early", 1 },
		{ "sd?_libx:*", 1 },     { "[s]dt_libx:*", 1 }, { "probe:*", 0 },  { "sd:*", 0 },
		{ "sdt:*", 0 },          { ":early", 0 },
	};
	struct machine *m = *state;

	fake_file(m->root, ".build-id/ab/cdef0123456789/probes",
		  "%sdt_libx:early=early\np:sdt_libx/early /usr/lib/x.so:0x20\n");
	for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
		_cleanup_(catalog_done) struct catalog c = { 0 };

		gather(m, &c,
		       (struct catalog_query){ .selector = asked[i].selector,
					       .buildid_dir = m->root });
		if (c.n != asked[i].n)
			fail_msg("%s: %zu", asked[i].selector, c.n);
	}
}

static void metrics_need_their_events(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };

	gather(*state, &c,
	       (struct catalog_query){ .selector = "metric", .supported = software_only });
	assert_true(c.n > 0);
	for (size_t i = 0; i < c.n; i++)
		assert_null(strstr(c.items[i].expression, "cycles"));
}

static void a_plain_list_has_metrics_only_beside_a_core_pmu(void **state)
{
	_cleanup_(catalog_done) struct catalog without = { 0 }, with = { 0 };
	struct machine *m = *state;

	gather(m, &without, (struct catalog_query){ 0 });
	for (size_t i = 0; i < without.n; i++)
		assert_true(without.items[i].kind < CATALOG_METRIC);
	event_env_free(m->env);
	m->env = NULL;
	fill(m);
	gather(m, &with, (struct catalog_query){ 0 });
	assert_int_equal(with.items[with.n - 1].kind, CATALOG_METRIC);
	assert_non_null(with.items[with.n - 1].group);
}

static void a_search_without_metrics_asks_for_no_title(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };

	fill(*state);
	gather(*state, &c, (struct catalog_query){ .selector = "wakeup" });
	assert_int_equal(c.n, 1);
	assert_false(c.kinds & 1u << CATALOG_METRIC);
}

static void the_nearest_names_are_found_without_their_system(void **state)
{
	_cleanup_(catalog_done) struct catalog c = { 0 };
	struct similar near = { .typed = "sched_swich" };

	fill(*state);
	gather(*state, &c, (struct catalog_query){ 0 });
	catalog_suggest(&c, &near);
	assert_string_equal(near.best[0].name, "sched_switch");
}

static void classes_and_patterns_are_told_from_words(void **state)
{
	(void)state;
	assert_true(catalog_is_class("hwcache"));
	assert_false(catalog_is_class("block"));
	assert_true(catalog_is_pattern("sched:*"));
	assert_false(catalog_is_pattern("sched:sched_switch"));
}

#define machine_test(f) cmocka_unit_test_setup_teardown(f, machine_open, machine_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		machine_test(events_that_cannot_be_counted_are_left_out),
		machine_test(classes_have_their_kinds_sorted_by_name),
		machine_test(software_includes_the_tool_events),
		machine_test(a_colon_selects_tracepoints_by_system_and_name),
		machine_test(a_word_is_searched_in_the_names_of_events),
		machine_test(the_core_comes_before_other_pmus_and_parameters_are_part_of_the_name),
		machine_test(a_pmu_event_has_its_encoding_and_scale),
		machine_test(pmu_names_match_in_either_case),
		machine_test(vendor_events_replace_those_of_sysfs),
		machine_test(a_topic_selects_its_events),
		machine_test(one_pmu_alone_can_be_asked_for),
		machine_test(kinds_that_are_pmus_can_be_asked_for_by_them),
		machine_test(formats_are_read_when_asked_for),
		cmocka_unit_test(missing_tracefs_is_reported_and_the_rest_is_there),
		machine_test(probes_in_the_build_id_cache_are_sdt_events),
		machine_test(markers_are_found_by_every_glob_over_their_systems),
		machine_test(metrics_need_their_events),
		machine_test(a_plain_list_has_metrics_only_beside_a_core_pmu),
		machine_test(a_search_without_metrics_asks_for_no_title),
		machine_test(the_nearest_names_are_found_without_their_system),
		cmocka_unit_test(classes_and_patterns_are_told_from_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
