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

#define KIND(x) (1u << CATALOG_##x)

static const struct event_list_style plain = { .brief = true, .width = 80 };

static void assert_text(struct catalog_entry *items, size_t n, unsigned kinds,
			const struct event_list_style *style, const char *wanted)
{
	const struct catalog c = { .items = items, .n = n, .kinds = kinds };
	struct printed p;

	printed_open(&p);
	event_list_print_text(&c, style, p.out);
	assert_printed(&p, wanted);
}

static void assert_names(struct catalog_entry *items, size_t n, unsigned kinds, const char *wanted)
{
	const struct catalog c = { .items = items, .n = n, .kinds = kinds };
	struct printed p;

	printed_open(&p);
	event_list_print_names(&c, p.out);
	assert_printed(&p, wanted);
}

static void a_row_is_the_name_its_alias_and_its_kind(void **state)
{
	struct catalog_entry items[] = {
		{ .kind = CATALOG_HARDWARE, .name = "cpu-cycles", .alias = "cycles" },
		{ .kind = CATALOG_TRACEPOINT,
		  .name = "a_rather_long_system_name:and_a_rather_long_event_name" },
	};

	(void)state;
	assert_text(
		items, ARRAY_SIZE(items), KIND(HARDWARE), &plain,
		"  cpu-cycles OR cycles                               [Hardware event]\n"
		"  a_rather_long_system_name:and_a_rather_long_event_name [Tracepoint event]\n");
}

static void a_core_event_has_its_short_name_first(void **state)
{
	struct catalog_entry items[] = {
		{ .kind = CATALOG_PMU, .name = "cpu/mem-loads/", .alias = "mem-loads" },
	};

	(void)state;
	assert_text(items, 1, KIND(PMU), &plain,
		    "  mem-loads OR cpu/mem-loads/                        [Kernel PMU event]\n");
	assert_names(items, 1, KIND(PMU), "cpu/mem-loads/ ");
}

static struct catalog_entry vendor = {
	.kind = CATALOG_PMU,
	.name = "cid_write_retired",
	.topic = "instruction",
	.brief = "Instruction architecturally executed, condition code check pass, write "
		 "to CONTEXTIDR",
	.description = "Long.",
	.encoding = "armv8_pmuv3/event=0xb/",
};

static void a_described_event_stands_under_its_topic_in_wrapped_lines(void **state)
{
	(void)state;
	assert_text(
		&vendor, 1, KIND(PMU), &plain,
		"\ninstruction:\n"
		"  cid_write_retired                                 \n"
		"       [Instruction architecturally executed, condition code check pass, write\n"
		"        to CONTEXTIDR]\n");
}

static void descriptions_can_be_long_or_absent(void **state)
{
	const struct event_list_style lengthy = {
		.brief = true, .description = true, .details = true, .width = 80
	};
	const struct event_list_style bare = { .width = 80 };

	(void)state;
	assert_text(&vendor, 1, KIND(PMU), &lengthy,
		    "\ninstruction:\n"
		    "  cid_write_retired                                 \n"
		    "       [Long.]\n"
		    "        armv8_pmuv3/event=0xb/ \n");
	assert_text(&vendor, 1, KIND(PMU), &bare,
		    "  cid_write_retired                                  [Kernel PMU event]\n");
}

static void the_fields_of_a_tracepoint_follow_it(void **state)
{
	struct tracepoint_field fields[] = {
		{ .name = (char *)"common_pid", .type = (char *)"int", .is_common = true },
		{ .name = (char *)"comm", .type = (char *)"char[16]" },
		{ .name = (char *)"target_cpu", .type = (char *)"int" },
	};
	struct tracepoint_format format = { .fields = fields,
					    .n_fields = 3,
					    .print_fmt = (char *)"\"%s\", REC->comm" };
	struct catalog_entry items[] = {
		{ .kind = CATALOG_TRACEPOINT, .name = "s:e", .format = &format },
	};

	(void)state;
	assert_text(items, 1, KIND(TRACEPOINT), &plain,
		    "  s:e                                                [Tracepoint event]\n"
		    "        comm       char[16]\n"
		    "        target_cpu int\n"
		    "        print fmt: \"%s\", REC->comm\n");
}

static void a_probe_in_two_programs_names_them(void **state)
{
	struct catalog_entry items[] = {
		{ .kind = CATALOG_SDT,
		  .name = "sdt_x:a",
		  .image = "/bin/x",
		  .build_id = "0123456789abcdef" },
		{ .kind = CATALOG_SDT, .name = "sdt_x:a", .image = "/y\x1b", .build_id = "ab" },
		{ .kind = CATALOG_SDT, .name = "sdt_x:b", .image = "/bin/x", .build_id = "01" },
	};

	(void)state;
	assert_text(items, 3, KIND(SDT), &plain,
		    "  sdt_x:a@/bin/x(0123456789ab)                       [SDT event]\n"
		    "  sdt_x:a@/y\\x1b(ab)                                 [SDT event]\n"
		    "  sdt_x:b                                            [SDT event]\n");
}

static struct catalog_entry metrics[] = {
	{ .kind = CATALOG_METRIC_GROUP, .name = "Summary" },
	{ .kind = CATALOG_METRIC, .name = "CPI", .brief = "Cycles", .expression = "c / i" },
	{ .kind = CATALOG_METRIC, .name = "IPC", .brief = "Work", .expression = "i / c" },
	{ .kind = CATALOG_METRIC_GROUP, .name = "TLB" },
	{ .kind = CATALOG_METRIC, .name = "walks", .brief = "Walks", .expression = "w" },
};

static void metrics_stand_under_their_groups(void **state)
{
	const struct event_list_style details = { .brief = true, .details = true, .width = 80 };

	(void)state;
	assert_text(metrics, 2, KIND(METRIC_GROUP) | KIND(METRIC), &details,
		    "\nMetric Groups:\n\nSummary:\n  CPI\n       [Cycles]\n       [c / i]\n");
	assert_text(metrics + 1, 1, KIND(METRIC), &plain, "\nMetrics:\n\n  CPI\n       [Cycles]\n");
	assert_text(metrics, 1, KIND(METRIC_GROUP), &plain, "\nMetric Groups:\n\nSummary\n");
}

static void titles_of_metrics_stand_above_nothing_too(void **state)
{
	(void)state;
	assert_text(NULL, 0, KIND(METRIC), &plain, "\nMetrics:\n\n");
	assert_text(NULL, 0, KIND(METRIC) | KIND(METRIC_GROUP), &plain, "\nMetric Groups:\n\n");
	assert_text(NULL, 0, KIND(HARDWARE), &plain, "");
}

static void bare_names_have_a_blank_after_each(void **state)
{
	struct catalog_entry items[] = {
		{ .kind = CATALOG_HARDWARE, .name = "cpu-cycles", .alias = "cycles" },
		{ .kind = CATALOG_RAW, .name = "rNNN" },
		{ .kind = CATALOG_BREAKPOINT, .name = "mem:<addr>" },
		{ .kind = CATALOG_TRACEPOINT, .name = "s:e" },
	};

	(void)state;
	assert_names(items, 4, KIND(HARDWARE), "cpu-cycles s:e ");
}

static void bare_metrics_end_their_line(void **state)
{
	(void)state;
	assert_names(metrics, 5, KIND(METRIC) | KIND(METRIC_GROUP), "Summary CPI IPC\nTLB walks\n");
	assert_names(NULL, 0, KIND(METRIC), "\n");
	assert_names(NULL, 0, KIND(METRIC) | KIND(METRIC_GROUP), "");
	assert_names(metrics, 1, KIND(METRIC_GROUP), "Summary ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_the_name_its_alias_and_its_kind),
		cmocka_unit_test(a_core_event_has_its_short_name_first),
		cmocka_unit_test(a_described_event_stands_under_its_topic_in_wrapped_lines),
		cmocka_unit_test(descriptions_can_be_long_or_absent),
		cmocka_unit_test(the_fields_of_a_tracepoint_follow_it),
		cmocka_unit_test(a_probe_in_two_programs_names_them),
		cmocka_unit_test(metrics_stand_under_their_groups),
		cmocka_unit_test(titles_of_metrics_stand_above_nothing_too),
		cmocka_unit_test(bare_names_have_a_blank_after_each),
		cmocka_unit_test(bare_metrics_end_their_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
