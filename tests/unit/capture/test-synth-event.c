/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/memory.h"
#include "capture/recorded-event.h"
#include "capture/synth-internal.h"
#include "capture/task-list.h"
#include "records.h"

static void ids_say_where_they_were_opened(void **state)
{
	static const struct synth_id ids[] = {
		{ .id = 9, .ring = 0, .cpu = 0, .tid = 700 },
		{ .id = 10, .ring = 1, .cpu = -1, .tid = -1 },
	};
	const struct synth_plan p = { .ids = ids, .n_ids = 2 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_id_index(&p, &b);
	assert_int_equal(b.n, 80);

	struct record r = record_at(&b, NULL, PERF_RECORD_ID_INDEX, 0);
	assert_int_equal(r.id_index.entries.n, 8);
	assert_int_equal(words_get(&r.id_index.entries, 0), 9);
	assert_int_equal(words_get(&r.id_index.entries, 3), 700);
	assert_int_equal(words_get(&r.id_index.entries, 6), UINT64_MAX);
	assert_int_equal(words_get(&r.id_index.entries, 7), UINT64_MAX);
}

static void many_ids_take_several_records(void **state)
{
	const size_t n = 5000;
	_cleanup_(freep) struct synth_id *ids = xcalloc(n, sizeof(*ids));
	const struct synth_plan p = { .ids = ids, .n_ids = n };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	size_t entries = 0, records;

	(void)state;
	synth_id_index(&p, &b);
	records = record_count(&b, NULL, PERF_RECORD_ID_INDEX);
	assert_int_equal(records, 3);
	for (size_t i = 0; i < records; i++)
		entries += record_at(&b, NULL, PERF_RECORD_ID_INDEX, i).id_index.entries.n / 4;
	assert_int_equal(entries, n);
}

static void no_ids_make_no_record(void **state)
{
	const struct synth_plan p = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_id_index(&p, &b);
	assert_int_equal(b.n, 0);
}

static void cpus_that_follow_each_other_are_a_range(void **state)
{
	unsigned cpus[] = { 2, 3, 4 };
	const struct cpu_list list = { .items = cpus, .n = 3 };
	const struct synth_plan p = { .cpus = &list };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_cpu_map(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_CPU_MAP, 0);
	assert_int_equal(r.cpu_map.kind, 2);
	assert_int_equal(r.cpu_map.first, 2);
	assert_int_equal(r.cpu_map.last, 4);
}

static void sum_cpus(void *arg, int cpu)
{
	*(int *)arg += cpu;
}

static void cpus_with_gaps_are_a_list(void **state)
{
	unsigned cpus[] = { 0, 5, 300 };
	const struct cpu_list list = { .items = cpus, .n = 3 };
	const struct synth_plan p = { .cpus = &list };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	int sum = 0;

	(void)state;
	synth_cpu_map(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_CPU_MAP, 0);
	assert_int_equal(r.cpu_map.kind, 0);
	assert_int_equal(r.cpu_map.n, 3);
	record_cpu_map_for_each(&r.cpu_map, sum_cpus, &sum);
	assert_int_equal(sum, 305);
}

static void per_thread_recordings_have_any_cpu(void **state)
{
	const struct synth_plan p = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	int sum = 0;

	(void)state;
	synth_cpu_map(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_CPU_MAP, 0);
	record_cpu_map_for_each(&r.cpu_map, sum_cpus, &sum);
	assert_int_equal(sum, -1);
}

static void units_scales_places_and_names_are_updates(void **state)
{
	unsigned cpus[] = { 0 };
	const struct cpu_list own = { .items = cpus, .n = 1 };
	const uint64_t ids[] = { 31, 32 };
	const struct recorded_event events[] = {
		{ .name = "cycles", .unit = "", .scale = 1, .ids = ids, .n_ids = 2 },
		{ .name = "power/energy/",
		  .unit = "Joules",
		  .scale = 2.5,
		  .own_cpus = &own,
		  .ids = ids + 1,
		  .n_ids = 1 },
	};
	struct synth_plan p = { .events = events, .n_events = 2 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_event_updates(&p, &b);
	assert_int_equal(record_count(&b, NULL, 0), 3);

	struct record r = record_at(&b, NULL, PERF_RECORD_EVENT_UPDATE, 0);
	assert_int_equal(r.event_update.kind, EVENT_UPDATE_UNIT);
	assert_int_equal(r.event_update.id, 32);
	assert_string_equal(r.event_update.text, "Joules");
	r = record_at(&b, NULL, PERF_RECORD_EVENT_UPDATE, 1);
	assert_true(r.event_update.scale == 2.5);
	r = record_at(&b, NULL, PERF_RECORD_EVENT_UPDATE, 2);
	assert_int_equal(r.event_update.kind, EVENT_UPDATE_CPUS);

	bytes_done(&b);
	p.event_names = true;
	synth_event_updates(&p, &b);
	assert_int_equal(record_count(&b, NULL, 0), 5);
	r = record_at(&b, NULL, PERF_RECORD_EVENT_UPDATE, 0);
	assert_int_equal(r.event_update.kind, EVENT_UPDATE_NAME);
	assert_string_equal(r.event_update.text, "cycles");
}

static void threads_are_listed_or_everybody_is(void **state)
{
	struct target_task tasks[] = { { .tid = 7, .comm = "x" }, { .tid = 8 } };
	const struct task_list list = { .items = tasks, .n = 2 };
	const struct synth_plan some = { .tasks = &list }, all = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_thread_map(&some, &b);
	synth_thread_map(&all, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_THREAD_MAP, 0);
	assert_int_equal(r.thread_map.n, 2);
	assert_int_equal(record_thread_map_get(&r.thread_map, 1).pid, 8);
	assert_string_equal(record_thread_map_get(&r.thread_map, 0).comm, "");
	r = record_at(&b, NULL, PERF_RECORD_THREAD_MAP, 1);
	assert_int_equal(r.thread_map.n, 1);
	assert_int_equal(record_thread_map_get(&r.thread_map, 0).pid, UINT64_MAX);
}

static void counts_have_all_scales_and_single_cpus(void **state)
{
	unsigned cpus[] = { 2, 3 };
	const struct cpu_list list = { .items = cpus, .n = 2 };
	const uint64_t id = 31;
	const struct recorded_event events[] = {
		{ .name = "a", .unit = "", .scale = 2, .ids = &id, .n_ids = 1 },
		{ .name = "b", .unit = "ns", .scale = 1, .ids = &id, .n_ids = 1 },
		{ .name = "nowhere open", .unit = "ns", .scale = 2 },
	};
	const struct synth_plan p = {
		.events = events, .n_events = 3, .cpus = &list, .counts = true
	};
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_event_updates(&p, &b);
	assert_int_equal(record_count(&b, NULL, 0), 2);

	struct record r = record_at(&b, NULL, PERF_RECORD_EVENT_UPDATE, 0);
	assert_int_equal(r.event_update.kind, EVENT_UPDATE_SCALE);
	r = record_at(&b, NULL, PERF_RECORD_EVENT_UPDATE, 1);
	assert_int_equal(r.event_update.kind, EVENT_UPDATE_UNIT);
	synth_cpu_map(&p, &b);
	r = record_at(&b, NULL, PERF_RECORD_CPU_MAP, 0);
	assert_int_equal(r.cpu_map.kind, 0);
	assert_int_equal(r.cpu_map.n, 2);
}

static void threads_have_names_where_they_are_wanted(void **state)
{
	struct target_task task = { .tid = 7, .comm = "a name that is too long" };
	const struct task_list list = { .items = &task, .n = 1 };
	const struct synth_plan p = { .tasks = &list, .task_names = true };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	synth_thread_map(&p, &b);

	struct record r = record_at(&b, NULL, PERF_RECORD_THREAD_MAP, 0);
	assert_string_equal(record_thread_map_get(&r.thread_map, 0).comm, "a name that is ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_say_where_they_were_opened),
		cmocka_unit_test(many_ids_take_several_records),
		cmocka_unit_test(no_ids_make_no_record),
		cmocka_unit_test(cpus_that_follow_each_other_are_a_range),
		cmocka_unit_test(cpus_with_gaps_are_a_list),
		cmocka_unit_test(per_thread_recordings_have_any_cpu),
		cmocka_unit_test(units_scales_places_and_names_are_updates),
		cmocka_unit_test(threads_are_listed_or_everybody_is),
		cmocka_unit_test(counts_have_all_scales_and_single_cpus),
		cmocka_unit_test(threads_have_names_where_they_are_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
