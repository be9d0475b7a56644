/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/memory-events.h"
#include "kernel/fake-tree.h"
#include "kernel/pmu.h"

static void fake_intel(void **state, const char *pmu, bool aux)
{
	char path[64];

#define FAKE(file, content)                                                                        \
	(snprintf(path, sizeof(path), "%s/" file, pmu), fake_file(*state, path, content))
	FAKE("type", "4\n");
	FAKE("cpus", "0-3\n");
	FAKE("format/ldlat", "config1:0-15\n");
	FAKE("format/event", "config:0-7\n");
	FAKE("events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
	FAKE("events/mem-stores", "event=0xd0,umask=0x82\n");
	if (aux)
		FAKE("events/mem-loads-aux", "event=0x03,umask=0x82\n");
}

/* Checks the events that are chosen on the machine in *@state for @accesses, one line each. */
static void check(void **state, unsigned accesses, const uint64_t *latency, const char *expected)
{
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	_cleanup_(memory_events_done) struct memory_events e = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	_cleanup_(freep) bool *picked = NULL;

	memory_events_find(&e, l, latency);
	assert_int_equal(memory_events_pick(&e, accesses, &picked, &diag), 0);
	for (size_t i = 0; i < e.n; i++)
		if (picked[i])
			text_addf(&t, "%s %s\n", e.items[i].tag, e.items[i].words);
	assert_string_equal(t.chars, expected);
}

static void intel_has_loads_and_stores(void **state)
{
	const uint64_t latency = 100;

	fake_intel(state, "cpu", false);
	check(state, MEMORY_ACCESSES, NULL,
	      "ldlat-loads cpu/mem-loads,ldlat=30/P\nldlat-stores cpu/mem-stores/P\n");
	check(state, MEMORY_LOADS, &latency, "ldlat-loads cpu/mem-loads,ldlat=100/P\n");
	check(state, MEMORY_STORES, NULL, "ldlat-stores cpu/mem-stores/P\n");
}

static void loads_may_need_a_leader(void **state)
{
	fake_intel(state, "cpu", true);
	check(state, MEMORY_LOADS, NULL,
	      "ldlat-loads {cpu/mem-loads-aux/,cpu/mem-loads,ldlat=30/}:P\n");
}

static void each_kind_of_cores_has_its_events(void **state)
{
	fake_intel(state, "cpu_core", true);
	fake_intel(state, "cpu_atom", false);
	check(state, MEMORY_LOADS, NULL,
	      "ldlat-loads cpu_atom/mem-loads,ldlat=30/P\n"
	      "ldlat-loads {cpu_core/mem-loads-aux/,cpu_core/mem-loads,ldlat=30/}:P\n");
}

static void amd_cannot_choose_between_loads_and_stores(void **state)
{
	fake_file(*state, "ibs_op/type", "11\n");
	check(state, MEMORY_ACCESSES, NULL, "mem-ldst ibs_op//\n");
	check(state, MEMORY_LOADS, NULL, "mem-ldst ibs_op//\n");
}

static void newer_amd_chooses_by_latency_if_asked(void **state)
{
	const uint64_t latency = 150;

	fake_file(*state, "ibs_op/type", "11\n");
	fake_file(*state, "ibs_op/format/ldlat", "config1:0-11\n");
	check(state, MEMORY_ACCESSES, NULL, "mem-ldst ibs_op/ldlat=0/\n");
	check(state, MEMORY_ACCESSES, &latency, "mem-ldst ibs_op/ldlat=150/\n");
}

static void arm_has_one_event_at_a_time(void **state)
{
	fake_file(*state, "arm_spe_0/type", "12\n");
	check(state, MEMORY_ACCESSES, NULL,
	      "spe-ldst arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,"
	      "min_latency=30/\n");
	check(state, MEMORY_LOADS, NULL,
	      "spe-load arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,min_latency=30/\n");
	check(state, MEMORY_STORES, NULL,
	      "spe-store arm_spe_0/ts_enable=1,pa_enable=1,store_filter=1/\n");
}

static void a_machine_without_any_is_told_so(void **state)
{
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);
	_cleanup_(memory_events_done) struct memory_events e = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	bool *picked = NULL;

	memory_events_find(&e, l, NULL);
	assert_int_equal(memory_events_pick(&e, MEMORY_LOADS, &picked, &diag), -ENODEV);
	assert_null(picked);
	assert_string_equal(diag.message, "failed: no PMU supports the memory events");
}

static void events_are_picked_by_a_part_of_their_name(void **state)
{
	_cleanup_(memory_events_done) struct memory_events e = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	bool picked[2] = { false };

	fake_intel(state, "cpu", false);
	_cleanup_(pmu_list_freep) struct pmu_list *l = pmu_list_open(*state);

	memory_events_find(&e, l, NULL);
	assert_int_equal(memory_events_pick_named(&e, "stores", picked, &diag), 0);
	assert_false(picked[0]);
	assert_true(picked[1]);
	assert_int_equal(memory_events_pick_named(&e, "", picked, &diag), -ENOENT);
	diag_done(&diag);
	diag = (struct diag){ 0 };
	assert_int_equal(memory_events_pick_named(&e, "spe", picked, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "'spe' not found"));
}

#define in_tree(test) cmocka_unit_test_setup_teardown(test, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_tree(intel_has_loads_and_stores),
		in_tree(loads_may_need_a_leader),
		in_tree(each_kind_of_cores_has_its_events),
		in_tree(amd_cannot_choose_between_loads_and_stores),
		in_tree(newer_amd_chooses_by_latency_if_asked),
		in_tree(arm_has_one_event_at_a_time),
		in_tree(a_machine_without_any_is_told_so),
		in_tree(events_are_picked_by_a_part_of_their_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
