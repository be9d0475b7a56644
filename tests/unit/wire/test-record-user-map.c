/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "bytes-of.h"
#include "wire/record.h"

static void the_index_of_ids_has_four_words_each(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_ID_INDEX, 0,
								"qqqqq", 1UL, 2UL, 3UL, 4UL, 5UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.id_index.entries.n, 4);
		assert_int_equal(r.id_index.machines.n, 0);
		assert_int_equal(words_get(&r.id_index.entries, 3), 5);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void the_index_of_ids_may_name_guests(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_ID_INDEX, 0,
								"qqqqqqq", 1UL, 2UL, 3UL, 4UL, 5UL,
								6UL, 7UL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.id_index.entries.n, 4);
		assert_int_equal(r.id_index.machines.n, 2);
		assert_int_equal(words_get(&r.id_index.machines, 1), 7);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
	}
}

static void more_ids_than_there_are_is_refused(void **state)
{
	(void)state;
	static const uint64_t counts[] = { 2, 0x4000000000000000, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		_cleanup_(bytes_done) struct bytes b = bytes_of(
			false, PERF_RECORD_ID_INDEX, 0, "qqqqq", counts[i], 1UL, 2UL, 3UL, 4UL);
		struct record r;

		assert_int_equal(record_decode(b.data, b.n, false, NULL, &r), -EBADMSG);
	}
}

static void threads_have_numbers_and_names_of_up_to_16_characters(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b =
			bytes_of(swap, PERF_RECORD_THREAD_MAP, 0, "qqsqqbbbbbbbbbbbbbbbb", 2UL, 5UL,
				 "sh", 0UL, UINT64_MAX, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i',
				 'j', 'k', 'l', 'm', 'n', 'o', 'p');
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.thread_map.n, 2);
		assert_int_equal(record_thread_map_get(&r.thread_map, 0).pid, 5);
		assert_string_equal(record_thread_map_get(&r.thread_map, 0).comm, "sh");
		assert_true(record_thread_map_get(&r.thread_map, 1).pid == UINT64_MAX);
		assert_string_equal(record_thread_map_get(&r.thread_map, 1).comm,
				    "abcdefghijklmnop");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

struct cpus {
	int cpu[8];
	size_t n;
};

static void collect(void *arg, int cpu)
{
	struct cpus *c = arg;

	assert_in_range(c->n, 0, ARRAY_SIZE(c->cpu) - 1);
	c->cpu[c->n++] = cpu;
}

static void assert_cpus(const struct record_cpu_map *m, size_t n, const int *expected)
{
	struct cpus c = { 0 };

	record_cpu_map_for_each(m, collect, &c);
	assert_int_equal(c.n, n);
	assert_memory_equal(c.cpu, expected, n * sizeof(int));
}

static void cpus_come_as_a_list(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_CPU_MAP, 0,
								"hhhh", 0, 2, 3, 0xffff);
		struct record r = decoded(&b, swap, NULL);

		assert_cpus(&r.cpu_map, 2, (const int[]){ 3, -1 });
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void cpus_come_as_a_mask_of_either_width(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes narrow = bytes_of(swap, PERF_RECORD_CPU_MAP, 0,
								     "hhhwwh", 1, 2, 4, 5, 2, 0);
		_cleanup_(bytes_done) struct bytes wide = bytes_of(
			swap, PERF_RECORD_CPU_MAP, 0, "hhhwqqwh", 1, 2, 8, 0, 5UL, 2UL, 0, 0);
		struct record r = decoded(&narrow, swap, NULL);

		assert_cpus(&r.cpu_map, 3, (const int[]){ 0, 2, 33 });
		if (!swap)
			assert_encodes_to(&r, NULL, &narrow);
		if (!swap)
			assert_cut_is_refused(&narrow, 8 + 14, NULL);
		r = decoded(&wide, swap, NULL);
		assert_cpus(&r.cpu_map, 3, (const int[]){ 0, 2, 65 });
		if (!swap)
			assert_encodes_to(&r, NULL, &wide);
		if (!swap)
			assert_cut_is_refused(&wide, 8 + 26, NULL);
	}
}

static void cpus_come_as_a_range(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_CPU_MAP, 0,
								"hbbhh", 2, 1, 0, 2, 4);
		struct record r = decoded(&b, swap, NULL);

		assert_cpus(&r.cpu_map, 4, (const int[]){ -1, 2, 3, 4 });
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void a_range_that_runs_backwards_is_empty(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_CPU_MAP, 0, "hbbhh", 2,
							0, 0, 4, 2);
	struct record r = decoded(&b, false, NULL);

	assert_cpus(&r.cpu_map, 0, NULL);
}

static void a_mask_of_odd_words_and_an_unknown_form_are_refused(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes odd = bytes_of(false, PERF_RECORD_CPU_MAP, 0, "hhhqq", 1,
							  1, 3, 0UL, 0UL);
	_cleanup_(bytes_done) struct bytes unknown = bytes_of(false, PERF_RECORD_CPU_MAP, 0, "hhwq",
							      3, 0, 0, 0UL);
	struct record r;

	assert_int_equal(record_decode(odd.data, odd.n, false, NULL, &r), -EBADMSG);
	assert_int_equal(record_decode(unknown.data, unknown.n, false, NULL, &r), -EBADMSG);
}

static void an_update_may_tell_the_scale(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_EVENT_UPDATE, 0,
								"qqq", (uint64_t)EVENT_UPDATE_SCALE,
								9UL, 0x3eb0c6f7a0b5ed8dUL);
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.event_update.id, 9);
		assert_true(r.event_update.scale == 1e-6);
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, b.n, NULL);
	}
}

static void an_update_may_tell_the_cpus(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_EVENT_UPDATE, 0,
							"qqhbbhh", (uint64_t)EVENT_UPDATE_CPUS, 9UL,
							2, 0, 0, 0, 1);
	struct record r = decoded(&b, false, NULL);

	assert_cpus(&r.event_update.cpus, 2, (const int[]){ 0, 1 });
	assert_encodes_to(&r, NULL, &b);
	assert_cut_is_refused(&b, b.n, NULL);
}

static void an_update_of_an_unknown_kind_has_nothing_to_say(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = bytes_of(false, PERF_RECORD_EVENT_UPDATE, 0, "qqq",
							99UL, 9UL, UINT64_MAX);
	struct record r = decoded(&b, false, NULL);

	assert_int_equal(r.event_update.kind, 99);
	assert_null(r.event_update.text);
}

static void an_update_may_tell_the_unit(void **state)
{
	(void)state;
	EITHER_ORDER(swap)
	{
		_cleanup_(bytes_done) struct bytes b = bytes_of(swap, PERF_RECORD_EVENT_UPDATE, 0,
								"qqs", (uint64_t)EVENT_UPDATE_UNIT,
								9UL, "msec");
		struct record r = decoded(&b, swap, NULL);

		assert_int_equal(r.event_update.kind, EVENT_UPDATE_UNIT);
		assert_string_equal(r.event_update.text, "msec");
		if (!swap)
			assert_encodes_to(&r, NULL, &b);
		if (!swap)
			assert_cut_is_refused(&b, 8 + 16 + 5, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_index_of_ids_has_four_words_each),
		cmocka_unit_test(the_index_of_ids_may_name_guests),
		cmocka_unit_test(more_ids_than_there_are_is_refused),
		cmocka_unit_test(threads_have_numbers_and_names_of_up_to_16_characters),
		cmocka_unit_test(cpus_come_as_a_list),
		cmocka_unit_test(cpus_come_as_a_mask_of_either_width),
		cmocka_unit_test(cpus_come_as_a_range),
		cmocka_unit_test(a_range_that_runs_backwards_is_empty),
		cmocka_unit_test(a_mask_of_odd_words_and_an_unknown_form_are_refused),
		cmocka_unit_test(an_update_may_tell_the_scale),
		cmocka_unit_test(an_update_may_tell_the_cpus),
		cmocka_unit_test(an_update_of_an_unknown_kind_has_nothing_to_say),
		cmocka_unit_test(an_update_may_tell_the_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
