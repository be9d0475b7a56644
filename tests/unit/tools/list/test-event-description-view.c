/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/catalog.h"
#include "tools/list/event-description-view.h"
#include "tracepoint/format.h"

static void is_described_as(const struct catalog_entry *e, unsigned width, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	event_describe(e, width, &t);
	assert_string_equal(t.chars, wanted);
}

static void words_are_broken_into_lines(void **state)
{
	const struct catalog_entry e = {
		.kind = CATALOG_PMU,
		.name = "stall",
		.alias = "s",
		.brief = "Not used where there is more.",
		.description = "Cycles in which the pipeline had nothing to do.",
		.topic = "pipeline",
		.encoding = "cpu/event=0x1/",
	};

	(void)state;
	is_described_as(&e, 24,
			"stall OR s  [Kernel PMU event]\n"
			"Cycles in which the\n"
			"pipeline had nothing to\n"
			"do.\n"
			"Topic:      pipeline\n"
			"Encoding:   cpu/event=0x1/\n");
}

static void fields_of_tracepoints_are_listed(void **state)
{
	struct tracepoint_field fields[] = {
		{ .name = "common_pid", .type = "int", .is_common = true },
		{ .name = "pid", .type = "int" },
		{ .name = "comm", .type = "char[16]" },
	};
	struct tracepoint_format format = { .fields = fields,
					    .n_fields = ARRAY_SIZE(fields),
					    .print_fmt = "\"%d\", REC->pid" };
	const struct catalog_entry e = { .kind = CATALOG_TRACEPOINT,
					 .name = "a:b",
					 .format = &format };

	(void)state;
	is_described_as(&e, 80,
			"a:b  [Tracepoint event]\n"
			"Fields:     pid   int\n"
			"            comm  char[16]\n"
			"Printed as: \"%d\", REC->pid\n");
}

static void what_the_kernel_does_not_describe_is_described(void **state)
{
	const struct catalog_entry raw = { .kind = CATALOG_RAW, .name = "rNNN" };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	event_describe(&raw, 80, &t);
	assert_non_null(t.chars);
	assert_true(t.length > 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_broken_into_lines),
		cmocka_unit_test(fields_of_tracepoints_are_listed),
		cmocka_unit_test(what_the_kernel_does_not_describe_is_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
