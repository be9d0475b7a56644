/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "event/catalog.h"
#include "tools/list/catalog-search-model.h"
#include "tracepoint/format.h"

static struct tracepoint_field fields[] = {
	{ .name = "common_pid", .is_common = true },
	{ .name = "prev_comm" },
};
static struct tracepoint_format format = { .fields = fields, .n_fields = ARRAY_SIZE(fields) };
static struct catalog_entry some[] = {
	{ .kind = CATALOG_HARDWARE, .name = "cycles", .alias = "cpu-cycles" },
	{ .kind = CATALOG_PMU,
	  .name = "stall",
	  .brief = "Cycles without work",
	  .topic = "pipeline" },
};
static struct catalog_entry others[] = {
	{ .kind = CATALOG_TRACEPOINT, .name = "sched:sched_switch", .format = &format },
	{ .kind = CATALOG_TRACEPOINT, .name = "irq:cycles_lost" },
};
static const struct catalog catalogs[] = {
	{ .items = some, .n = ARRAY_SIZE(some) },
	{ .items = others, .n = ARRAY_SIZE(others) },
};

/* Checks that these are found, in this order. */
static void finds(const char *typed, const char *const *names, size_t n)
{
	_cleanup_(catalog_rows_done) struct catalog_rows rows = { 0 };

	catalog_search(catalogs, ARRAY_SIZE(catalogs), typed, &rows);
	assert_int_equal(rows.n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(rows.items[i]->name, names[i]);
}
#define FINDS(typed, ...)                                                                          \
	finds(typed, (const char *const[]){ __VA_ARGS__ },                                         \
	      ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ })))

static void nothing_typed_finds_all_once(void **state)
{
	(void)state;
	FINDS("", "cycles", "stall", "sched:sched_switch", "irq:cycles_lost");
	FINDS("  ", "cycles", "stall", "sched:sched_switch", "irq:cycles_lost");
}

static void names_come_before_descriptions(void **state)
{
	(void)state;
	FINDS("cycles", "cycles", "irq:cycles_lost", "stall");
	FINDS("CPU-", "cycles");
}

static void all_words_must_be_there(void **state)
{
	(void)state;
	FINDS("lost irq", "irq:cycles_lost");
	FINDS("work pipeline", "stall");
	finds("lost pipeline", NULL, 0);
}

static void kinds_and_fields_are_searched(void **state)
{
	(void)state;
	FINDS("tracepoint", "sched:sched_switch", "irq:cycles_lost");
	FINDS("prev_comm", "sched:sched_switch");
	finds("common_pid", NULL, 0);
}

static void patterns_are_for_whole_names(void **state)
{
	(void)state;
	FINDS("*:*", "sched:sched_switch", "irq:cycles_lost");
	FINDS("cpu*", "cycles");
	finds("ched*", NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_typed_finds_all_once),
		cmocka_unit_test(names_come_before_descriptions),
		cmocka_unit_test(all_words_must_be_there),
		cmocka_unit_test(kinds_and_fields_are_searched),
		cmocka_unit_test(patterns_are_for_whole_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
