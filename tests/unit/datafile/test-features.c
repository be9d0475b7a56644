/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "feature-round.h"

static void what_is_marked_is_there_until_it_is_dropped(void **state)
{
	(void)state;
	struct features f = { 0 };

	features_mark(&f, FEATURE_HOSTNAME);
	features_mark(&f, 255);
	assert_true(features_have(&f, FEATURE_HOSTNAME));
	assert_true(features_have(&f, 255));
	features_drop(&f, 255);
	assert_false(features_have(&f, 255));
	assert_false(features_have(&f, 100000));
}

static void features_of_newer_versions_are_carried_as_bytes(void **state)
{
	(void)state;
	struct features f = { 0 };
	struct bytes b = { 0 };

	assert_int_equal(features_decode(&f, 200, cursor_over("xyz", 3, false)), 0);
	features_encode(&f, 200, &b);
	assert_int_equal(b.n, 3);
	assert_memory_equal(b.data, "xyz", 3);
	bytes_done(&b);
	features_done(&f);
}

static void a_damaged_payload_leaves_what_was_there(void **state)
{
	(void)state;
	static const uint8_t good[] = { 2, 0, 0, 0, 'a', 0 }, bad[] = { 9, 0, 0, 0, 'b' };
	struct features f = { 0 };

	features_decode(&f, FEATURE_HOSTNAME, cursor_over(good, sizeof(good), false));
	assert_int_not_equal(
		features_decode(&f, FEATURE_HOSTNAME, cursor_over(bad, sizeof(bad), false)), 0);
	assert_string_equal(f.hostname, "a");
	features_done(&f);
}

static void names_are_those_of_perf(void **state)
{
	(void)state;
	assert_string_equal(feature_name(FEATURE_BPF_PROG_INFO), "BPF_PROG_INFO");
	assert_string_equal(feature_name(FEATURE_CPU_DOMAIN_INFO), "CPU_DOMAIN_INFO");
	assert_null(feature_name(0));
	assert_null(feature_name(FEATURE_KNOWN));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_marked_is_there_until_it_is_dropped),
		cmocka_unit_test(features_of_newer_versions_are_carried_as_bytes),
		cmocka_unit_test(a_damaged_payload_leaves_what_was_there),
		cmocka_unit_test(names_are_those_of_perf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
