/* SPDX-License-Identifier: MIT */
#include "feature-text.h"

#include <time.h>

static void the_command_line_is_repeated_with_its_quotes_escaped(void **state)
{
	(void)state;
	char *words[] = { (char *)"/usr/bin/perf", (char *)"record", (char *)"it's 'it'",
			  (char *)"" };
	struct features f = { .cmdline = LIST(words), .version = (char *)"6.1" };

	assert_feature(&f, FEATURE_CMDLINE, "# cmdline : /usr/bin/perf record it\\'s \\'it\\'  \n");
	assert_feature(&f, FEATURE_VERSION, "# perf version : 6.1\n");
}

static void events_have_names_ids_and_settings(void **state)
{
	(void)state;
	uint64_t ids[] = { 100, 101 };
	struct event_desc events[] = {
		{ { .type = 1, .size = 128 }, (char *)"cpu-clock", ids, 2 },
		{ { .type = 2, .size = 128, .config = 0xd0 }, (char *)"sched:x", NULL, 0 },
	};
	struct features f = { .event_descs = LIST(events) };

	assert_feature(&f, FEATURE_EVENT_DESC,
		       "# event : name = cpu-clock, , id = { 100, 101 }, type = 1, size = 128\n"
		       "# event : name = sched:x, , type = 2, size = 128, config = 0xd0\n");
}

static void groups_name_their_events(void **state)
{
	(void)state;
	struct event_desc events[] = { { .name = (char *)"a" }, { .name = (char *)"b" } };
	struct group_desc groups[] = { { (char *)"{anon_group}", 0, 2 }, { (char *)"mine", 1, 1 } };
	struct features f = { .event_descs = LIST(events), .group_descs = LIST(groups) };

	assert_feature(&f, FEATURE_GROUP_DESC, "# group: {a,b}\n# group: mine{b}\n");
}

static void a_group_that_reaches_too_far_is_left_out(void **state)
{
	(void)state;
	struct event_desc events[] = { { .name = (char *)"a" } };
	struct group_desc groups[] = { { (char *)"x", 0, 2 },
				       { (char *)"y", UINT32_MAX, UINT32_MAX } };
	struct features f = { .event_descs = LIST(events), .group_descs = LIST(groups) };

	assert_feature(&f, FEATURE_GROUP_DESC, "");
}

static void times_are_those_of_the_samples(void **state)
{
	(void)state;
	struct features f = { .sample_time = { 1234567890123, 2234567890123 } };

	assert_feature(&f, FEATURE_SAMPLE_TIME,
		       "# time of first sample : 1234.567890\n"
		       "# time of last sample : 2234.567890\n"
		       "# sample duration : 1000000.000 ms\n");
}

static void the_clock_has_a_name_and_a_date(void **state)
{
	(void)state;
	struct features f = { .clockid_res_ns = 1,
			      .clock_data = { 1, 1, 1700000000123456789, 55123456789 } };

	setenv("TZ", "UTC", 1);
	tzset();
	assert_feature(&f, FEATURE_CLOCKID, "# clockid frequency: 1000 MHz\n");
	assert_feature(&f, FEATURE_CLOCK_DATA,
		       "# clockid: monotonic (1)\n"
		       "# reference time: 2023-11-14 22:13:20.123456 = 1700000000.123456 (TOD) = "
		       "55.123456789 (monotonic)\n");
	f.clock_data.clockid = 2;
	f.clock_data.wall_clock_ns = f.clock_data.clockid_ns = 0;
	assert_feature(&f, FEATURE_CLOCK_DATA,
		       "# clockid: (not found) (2)\n"
		       "# reference time: 1970-01-01 00:00:00.000000 = 0.000000 (TOD) = "
		       "0.000000000 ((not found))\n");
}

static void what_else_is_in_it_is_said(void **state)
{
	(void)state;
	struct bpf_btf btf[] = { { 5, 0, NULL } };
	struct features f = { .dir_format = 1,
			      .compressed = { 0, 1, 3, 12, 4096 },
			      .bpf_btfs = LIST(btf) };

	assert_feature(&f, FEATURE_BRANCH_STACK, "# contains samples with branch stack\n");
	assert_feature(&f, FEATURE_AUXTRACE, "# contains AUX area data (e.g. instruction trace)\n");
	assert_feature(&f, FEATURE_STAT, "# contains stat data\n");
	assert_feature(&f, FEATURE_DIR_FORMAT, "# directory data version : 1\n");
	assert_feature(&f, FEATURE_COMPRESSED, "# compressed : Zstd, level = 3, ratio = 12\n");
	assert_feature(&f, FEATURE_BPF_BTF, "# btf info of id 5\n");
	f.compressed.type = 0;
	assert_feature(&f, FEATURE_COMPRESSED, "# compressed : Unknown, level = 3, ratio = 12\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_command_line_is_repeated_with_its_quotes_escaped),
		cmocka_unit_test(events_have_names_ids_and_settings),
		cmocka_unit_test(groups_name_their_events),
		cmocka_unit_test(a_group_that_reaches_too_far_is_left_out),
		cmocka_unit_test(times_are_those_of_the_samples),
		cmocka_unit_test(the_clock_has_a_name_and_a_date),
		cmocka_unit_test(what_else_is_in_it_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
