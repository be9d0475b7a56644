/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/names.h"
#include "wire/abi.h"

static void generic_events_have_their_kernel_numbers(void **state)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config;
	} cases[] = {
		{ "cpu-cycles", 0, 0 },
		{ "cycles", 0, 0 },
		{ "instructions", 0, 1 },
		{ "cache-references", 0, 2 },
		{ "cache-misses", 0, 3 },
		{ "branch-instructions", 0, 4 },
		{ "branches", 0, 4 },
		{ "branch-misses", 0, 5 },
		{ "bus-cycles", 0, 6 },
		{ "stalled-cycles-frontend", 0, 7 },
		{ "idle-cycles-frontend", 0, 7 },
		{ "stalled-cycles-backend", 0, 8 },
		{ "idle-cycles-backend", 0, 8 },
		{ "ref-cycles", 0, 9 },
		{ "cpu-clock", 1, 0 },
		{ "task-clock", 1, 1 },
		{ "page-faults", 1, 2 },
		{ "faults", 1, 2 },
		{ "context-switches", 1, 3 },
		{ "cs", 1, 3 },
		{ "cpu-migrations", 1, 4 },
		{ "migrations", 1, 4 },
		{ "minor-faults", 1, 5 },
		{ "major-faults", 1, 6 },
		{ "alignment-faults", 1, 7 },
		{ "emulation-faults", 1, 8 },
		{ "dummy", 1, 9 },
		{ "bpf-output", 1, 10 },
		{ "cgroup-switches", 1, 11 },
	};
	size_t names = 0, n;
	const struct named_event *all = named_events(&n);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct named_event *e = named_event_find(cases[i].name);

		assert_non_null(e);
		assert_int_equal(e->type, cases[i].type);
		assert_int_equal(e->config, cases[i].config);
	}
	for (size_t i = 0; i < n; i++)
		names += all[i].alias ? 2 : 1;
	assert_int_equal(names, ARRAY_SIZE(cases));
}

/* The old spelling with capitals is not supported any more. */
static void names_are_found_whole_and_in_their_own_case(void **state)
{
	(void)state;
	assert_null(named_event_find("CYCLES"));
	assert_null(named_event_find("CPU-migrations"));
	assert_null(named_event_find("cycle"));
	assert_null(named_event_find("cycles-"));
	assert_null(named_event_find(""));
}

static void perf_has_three_counters_of_its_own(void **state)
{
	(void)state;
	assert_int_equal(event_tool_find("duration_time"), EVENT_TOOL_DURATION_TIME);
	assert_int_equal(event_tool_find("user_time"), EVENT_TOOL_USER_TIME);
	assert_int_equal(event_tool_find("system_time"), EVENT_TOOL_SYSTEM_TIME);
	assert_int_equal(event_tool_find("time"), EVENT_TOOL_NONE);
	assert_int_equal(event_tool_find(""), EVENT_TOOL_NONE);
	for (int i = EVENT_TOOL_NONE + 1; i < EVENT_TOOLS; i++)
		assert_int_equal(event_tool_find(event_tool_name((enum event_tool)i)), i);
}

#define CONFIG(cache, op, result) ((cache) | (op) << 8 | (result) << 16)

static void every_spelling_of_a_cache_is_known(void **state)
{
	static const struct {
		const char *name;
		unsigned cache;
	} cases[] = {
		{ "L1-dcache", 0 }, { "l1-d", 0 }, { "l1d", 0 },   { "L1-data", 0 },
		{ "L1-icache", 1 }, { "l1-i", 1 }, { "l1i", 1 },   { "L1-instruction", 1 },
		{ "LLC", 2 },       { "L2", 2 },   { "dTLB", 3 },  { "d-tlb", 3 },
		{ "Data-TLB", 3 },  { "iTLB", 4 }, { "i-tlb", 4 }, { "Instruction-TLB", 4 },
		{ "branch", 5 },    { "bpu", 5 },  { "btb", 5 },   { "bpc", 5 },
		{ "node", 6 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char name[64];
		uint64_t config;

		assert_int_equal(cache_event_parse(cases[i].name, &config), 0);
		assert_int_equal(config, cases[i].cache);
		snprintf(name, sizeof(name), "%s-load-misses", cases[i].name);
		assert_int_equal(cache_event_parse(name, &config), 0);
		assert_int_equal(config, CONFIG(cases[i].cache, 0, 1));
	}
}

/* L1-dcache-load-misses, and its other spellings. */
static void operations_and_results_come_in_either_order(void **state)
{
	static const struct {
		const char *name;
		unsigned op, result;
	} cases[] = {
		{ "LLC-load", 0, 0 },
		{ "LLC-loads", 0, 0 },
		{ "LLC-read", 0, 0 },
		{ "LLC-store", 1, 0 },
		{ "LLC-stores", 1, 0 },
		{ "LLC-write", 1, 0 },
		{ "LLC-prefetch", 2, 0 },
		{ "LLC-prefetches", 2, 0 },
		{ "LLC-speculative-read", 2, 0 },
		{ "LLC-speculative-load", 2, 0 },
		{ "LLC-refs", 0, 0 },
		{ "LLC-Reference", 0, 0 },
		{ "LLC-ops", 0, 0 },
		{ "LLC-access", 0, 0 },
		{ "LLC-misses", 0, 1 },
		{ "LLC-miss", 0, 1 },
		{ "LLC-load-misses", 0, 1 },
		{ "LLC-misses-load", 0, 1 },
		{ "LLC-store-access", 1, 0 },
		{ "LLC-miss-write", 1, 1 },
		{ "LLC-speculative-read-misses", 2, 1 },
		{ "LLC-misses-speculative-load", 2, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t config = 0;

		if (cache_event_parse(cases[i].name, &config) != 0)
			fail_msg("%s", cases[i].name);
		assert_int_equal(config, CONFIG(2, cases[i].op, cases[i].result));
	}
}

static void what_is_not_a_cache_events_name_is_none(void **state)
{
	static const char *const names[] = {
		"",
		"cycles",
		"l1-dcache",
		"llc-loads",
		"L1",
		"L1-",
		"LLC-",
		"LLC-load-",
		"LLC--load",
		"LLCload",
		"LLC-loadx",
		"LLC-speculative",
		"LLC-load-misses-refs",
		"LLC-load-foo",
		"branches",
		"node-",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t config = 7;

		if (cache_event_parse(names[i], &config) != -ENOENT)
			fail_msg("%s", names[i]);
		assert_int_equal(config, 7);
	}
}

static void operations_that_a_cache_cannot_have_are_refused(void **state)
{
	static const char *const names[] = {
		"L1-icache-stores", "L1-icache-store-misses", "iTLB-stores",
		"iTLB-prefetches",  "branch-stores",          "branch-prefetch-misses",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t config = 7;

		if (cache_event_parse(names[i], &config) != -EINVAL)
			fail_msg("%s", names[i]);
		assert_int_equal(config, 7);
	}
}

static void the_listed_name_of_a_cache_event_parses_to_its_parts(void **state)
{
	size_t possible = 0;

	(void)state;
	for (unsigned c = 0; c < PERF_COUNT_HW_CACHE_MAX; c++)
		for (unsigned o = 0; o < PERF_COUNT_HW_CACHE_OP_MAX; o++)
			for (unsigned r = 0; r < PERF_COUNT_HW_CACHE_RESULT_MAX; r++) {
				_cleanup_(freep) char *name = cache_event_name(c, o, r);
				uint64_t config;

				if (!name)
					continue;
				possible++;
				assert_int_equal(cache_event_parse(name, &config), 0);
				assert_int_equal(config, CONFIG(c, o, r));
			}
	assert_int_equal(possible, 2 * (3 + 2 + 3 + 3 + 1 + 1 + 3));
}

static void listed_names_are_the_usual_ones(void **state)
{
	(void)state;
	_cleanup_(freep) char *loads = cache_event_name(0, 0, 0);
	_cleanup_(freep) char *misses = cache_event_name(0, 0, 1);
	_cleanup_(freep) char *prefetches = cache_event_name(2, 2, 0);

	assert_string_equal(loads, "L1-dcache-loads");
	assert_string_equal(misses, "L1-dcache-load-misses");
	assert_string_equal(prefetches, "LLC-prefetches");
	assert_null(cache_event_name(4, 1, 0)); /* iTLB-stores */
}

static void r_and_hexadecimal_digits_are_a_raw_code(void **state)
{
	static const struct {
		const char *name;
		uint64_t config;
	} cases[] = {
		{ "r003c", 0x3c },
		{ "r80a2", 0x80a2 },
		{ "r1A8", 0x1a8 },
		{ "r0", 0 },
		{ "r0x1a8", 0x1a8 },
		{ "rdead", 0xdead },
		{ "rffffffffffffffff", UINT64_MAX },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t config = 7;

		assert_true(raw_event_parse(cases[i].name, &config));
		assert_int_equal(config, cases[i].config);
	}
}

static void what_is_not_a_raw_code_is_none(void **state)
{
	static const char *const names[] = { "",           "r",   "R1a8",
					     "1a8",        "r1g", "r0x",
					     "ref-cycles", "r-1", "r10000000000000000" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t config = 7;

		if (raw_event_parse(names[i], &config))
			fail_msg("%s", names[i]);
		assert_int_equal(config, 7);
	}
}

static void every_generic_event_says_what_it_counts(void **state)
{
	size_t n;
	const struct named_event *all = named_events(&n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		assert_true(strlen(all[i].brief) > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generic_events_have_their_kernel_numbers),
		cmocka_unit_test(names_are_found_whole_and_in_their_own_case),
		cmocka_unit_test(perf_has_three_counters_of_its_own),
		cmocka_unit_test(every_spelling_of_a_cache_is_known),
		cmocka_unit_test(operations_and_results_come_in_either_order),
		cmocka_unit_test(what_is_not_a_cache_events_name_is_none),
		cmocka_unit_test(operations_that_a_cache_cannot_have_are_refused),
		cmocka_unit_test(the_listed_name_of_a_cache_event_parses_to_its_parts),
		cmocka_unit_test(listed_names_are_the_usual_ones),
		cmocka_unit_test(r_and_hexadecimal_digits_are_a_raw_code),
		cmocka_unit_test(what_is_not_a_raw_code_is_none),
		cmocka_unit_test(every_generic_event_says_what_it_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
