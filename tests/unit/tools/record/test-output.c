/* SPDX-License-Identifier: MIT */
#include "options/parse.h"

#include "tools/record/output.h"

static void files_are_switched_by_signal_size_or_time(void **state)
{
	(void)state;
	struct output_request o = { 0 };

	assert_int_equal(PARSE(output_options, &o, "--switch-output"), 0);
	assert_int_equal(o.rotate.kind, SWITCH_ON_SIGNAL);
	assert_int_equal(PARSE(output_options, &o, "--switch-output=5M"), 0);
	assert_int_equal(o.rotate.kind, SWITCH_ON_SIZE);
	assert_int_equal(o.rotate.bytes, 5 << 20);
	assert_int_equal(PARSE(output_options, &o, "--switch-output=5m"), 0);
	assert_int_equal(o.rotate.kind, SWITCH_ON_TIME);
	assert_int_equal(o.rotate.seconds, 300);
	assert_int_equal(PARSE(output_options, &o, "--switch-output=1d"), 0);
	assert_int_equal(o.rotate.seconds, 86400);
}

static void other_switches_are_refused(void **state)
{
	(void)state;
	struct output_request o = { 0 };
	static const char *const wrong[] = { "1",    "",   "10x", "-1s", "1w",
					     "1.5M", "1k", "si",  "bad", "99999999999999999999s" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		char word[64];

		snprintf(word, sizeof(word), "--switch-output=%s", wrong[i]);
		if (PARSE(output_options, &o, word) != -EINVAL)
			fail_msg("'%s' was taken", wrong[i]);
	}
	assert_true(says("SIGUSR2"));
	assert_int_equal(o.rotate.kind, SWITCH_NEVER);
}

static void switching_files_implies_times_in_names_and_no_build_ids(void **state)
{
	(void)state;
	struct output_request a = { 0 }, b = { 0 };

	assert_int_equal(PARSE(output_options, &a, "--switch-output-event", "e"), 0);
	output_options_settle(&a);
	assert_int_equal(a.rotate.kind, SWITCH_ON_SIGNAL);
	assert_true(a.timestamp_filename);
	assert_int_equal(a.no_buildid, CHOICE_YES);
	assert_int_equal(PARSE(output_options, &b, "--switch-output", "--no-no-buildid"), 0);
	output_options_settle(&b);
	assert_int_equal(b.no_buildid, CHOICE_NO);
	assert_int_equal(b.no_buildid_cache, CHOICE_YES);
}

static void one_file_has_its_plain_name(void **state)
{
	(void)state;
	struct output_request o = { 0 };

	assert_int_equal(PARSE(output_options, &o, "-o", "-"), 0);
	output_options_settle(&o);
	assert_false(o.timestamp_filename);
	assert_int_equal(o.no_buildid, CHOICE_UNSAID);
	assert_string_equal(o.path, "-");
}

static void maps_have_build_ids_unless_told_otherwise(void **state)
{
	(void)state;
	struct output_request o = { 0 }, only = { 0 }, none = { 0 };

	output_options_settle(&o);
	assert_true(o.map_build_ids);
	assert_int_equal(o.no_buildid, CHOICE_UNSAID);
	assert_int_equal(PARSE(output_options, &only, "--buildid-mmap"), 0);
	output_options_settle(&only);
	assert_true(only.map_build_ids);
	assert_int_equal(only.no_buildid, CHOICE_YES);
	assert_int_equal(PARSE(output_options, &none, "--no-buildid-mmap"), 0);
	output_options_settle(&none);
	assert_false(none.map_build_ids);
	assert_int_equal(none.no_buildid, CHOICE_UNSAID);
}

static void compression_has_levels(void **state)
{
	(void)state;
	struct output_request o = { 0 };

	assert_int_equal(PARSE(output_options, &o, "-z"), 0);
	assert_int_equal(o.compression_level, 1);
	assert_int_equal(PARSE(output_options, &o, "-z30"), 0);
	assert_int_equal(o.compression_level, COMPRESSION_LEVEL_MAX);
	assert_int_equal(PARSE(output_options, &o, "--compress-aligned", "-z5"), 0);
	assert_true(o.compress_aligned);
	assert_int_equal(PARSE(output_options, &o, "-zx"), -EINVAL);
	assert_int_equal(PARSE(output_options, &o, "-z", "3"), 0); /* a command called 3 */
	assert_int_equal(parsed.argc, 1);
}

static void the_size_of_a_file_has_a_limit(void **state)
{
	(void)state;
	struct output_request o = { 0 };

	assert_int_equal(PARSE(output_options, &o, "--max-size=1M"), 0);
	assert_int_equal(o.max_bytes, 1 << 20);
	assert_int_equal(PARSE(output_options, &o, "--max-size=5"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_switched_by_signal_size_or_time),
		cmocka_unit_test(other_switches_are_refused),
		cmocka_unit_test(switching_files_implies_times_in_names_and_no_build_ids),
		cmocka_unit_test(one_file_has_its_plain_name),
		cmocka_unit_test(maps_have_build_ids_unless_told_otherwise),
		cmocka_unit_test(compression_has_levels),
		cmocka_unit_test(the_size_of_a_file_has_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
