/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "event/catalog.h"
#include "tools/list/event-list-view.h"
#include "tracepoint/format.h"
#include "view/printed.h"

static void assert_json(struct catalog_entry *items, size_t n, unsigned kinds, const char *wanted)
{
	const struct catalog c = { .items = items, .n = n, .kinds = kinds };
	struct printed p;

	printed_open(&p);
	event_list_print_json(&c, 1, p.out);
	assert_printed(&p, wanted);
}

static void an_event_has_the_keys_that_are_known(void **state)
{
	struct catalog_entry items[] = {
		{ .kind = CATALOG_HARDWARE, .name = "cpu-cycles", .alias = "cycles" },
		{ .kind = CATALOG_PMU,
		  .name = "e",
		  .pmu = "cpu",
		  .topic = "cache",
		  .brief = "B",
		  .description = "D",
		  .encoding = "cpu/event=1/",
		  .scale_unit = "2B",
		  .deprecated = true },
	};

	(void)state;
	assert_json(
		items, 2, 1u << CATALOG_HARDWARE,
		"[\n\t{\n\t\t\"EventName\": \"cpu-cycles\",\n\t\t\"EventAlias\": \"cycles\",\n"
		"\t\t\"EventType\": \"Hardware event\"\n\t},\n\t{\n\t\t\"Unit\": \"cpu\",\n"
		"\t\t\"Topic\": \"cache\",\n\t\t\"EventName\": \"e\",\n"
		"\t\t\"EventType\": \"Kernel PMU event\",\n\t\t\"Deprecated\": \"1\",\n"
		"\t\t\"ScaleUnit\": \"2B\",\n\t\t\"BriefDescription\": \"B\",\n"
		"\t\t\"PublicDescription\": \"D\",\n\t\t\"Encoding\": \"cpu/event=1/\"\n\t}\n]\n");
}

static void a_tracepoint_has_its_fields(void **state)
{
	struct tracepoint_field fields[] = {
		{ .name = (char *)"pid",
		  .type = (char *)"pid_t",
		  .offset = 8,
		  .size = 4,
		  .is_signed = true },
	};
	struct tracepoint_format format = { .fields = fields,
					    .n_fields = 1,
					    .print_fmt = (char *)"\"%d\", REC->pid" };
	struct catalog_entry items[] = {
		{ .kind = CATALOG_TRACEPOINT, .name = "s:e", .format = &format },
	};

	(void)state;
	assert_json(
		items, 1, 1u << CATALOG_TRACEPOINT,
		"[\n\t{\n\t\t\"EventName\": \"s:e\",\n\t\t\"EventType\": \"Tracepoint event\",\n"
		"\t\t\"Fields\": [\n\t\t\t{\n\t\t\t\t\"Name\": \"pid\",\n"
		"\t\t\t\t\"Type\": \"pid_t\",\n\t\t\t\t\"Offset\": 8,\n\t\t\t\t\"Size\": 4,\n"
		"\t\t\t\t\"Signed\": true\n\t\t\t}\n\t\t],\n"
		"\t\t\"PrintFormat\": \"\\\"%d\\\", REC->pid\"\n\t}\n]\n");
}

static void a_metric_of_two_groups_is_one_entry(void **state)
{
	struct catalog_entry items[] = {
		{ .kind = CATALOG_METRIC_GROUP, .name = "A" },
		{ .kind = CATALOG_METRIC,
		  .name = "m",
		  .groups = "AB;A",
		  .group = "A",
		  .expression = "x",
		  .brief = "B" },
		{ .kind = CATALOG_METRIC_GROUP, .name = "AB" },
		{ .kind = CATALOG_METRIC,
		  .name = "m",
		  .groups = "AB;A",
		  .group = "AB",
		  .expression = "x",
		  .brief = "B" },
	};

	(void)state;
	assert_json(items, 4, 1u << CATALOG_METRIC | 1u << CATALOG_METRIC_GROUP,
		    "[\n\t{\n\t\t\"MetricGroup\": \"AB;A\",\n\t\t\"MetricName\": \"m\",\n"
		    "\t\t\"MetricExpr\": \"x\",\n\t\t\"BriefDescription\": \"B\"\n\t}\n]\n");
	assert_json(items, 1, 1u << CATALOG_METRIC_GROUP,
		    "[\n\t{\n\t\t\"MetricGroup\": \"A\"\n\t}\n]\n");
}

static void nothing_is_an_empty_array(void **state)
{
	(void)state;
	assert_json(NULL, 0, 0, "[]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_has_the_keys_that_are_known),
		cmocka_unit_test(a_tracepoint_has_its_fields),
		cmocka_unit_test(a_metric_of_two_groups_is_one_entry),
		cmocka_unit_test(nothing_is_an_empty_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
