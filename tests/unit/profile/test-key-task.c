/* SPDX-License-Identifier: MIT */
#include "example-keys.h"

static void a_command_is_its_text(void **state)
{
	struct example_keys m;
	struct key_sample a = { .comm = "cat" }, b = { .comm = "ls" };
	const struct key *k;

	(void)state;
	example_keys_init(&m, false);
	k = example_key(&m, REPORT_NORMAL, "comm");
	assert_above(&m, k, example_value(&m, k, &a), example_value(&m, k, &b));
	assert_string_equal(example_text(&m, k, example_value(&m, k, &a), 1), "cat");
	example_keys_done(&m);
}

static void a_thread_has_the_last_name_it_had(void **state)
{
	struct sample known = { .pid = 7, .tid = 8 }, unknown = { .pid = 9, .tid = 9 };
	struct sample none = { .pid = UINT32_MAX, .tid = UINT32_MAX };
	struct key_sample a = { .sample = &known }, b = { .sample = &unknown },
			  c = { .sample = &none };
	struct example_keys m;
	const struct key *k;

	(void)state;
	example_keys_init(&m, false);
	k = example_key(&m, REPORT_NORMAL, "pid");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &a), 1), "7:8:worker");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &b), 1), "9:9::9");
	assert_above(&m, k, example_value(&m, k, &a), example_value(&m, k, &b));
	assert_above(&m, k, example_value(&m, k, &c), example_value(&m, k, &a));
	example_keys_done(&m);
}

static void a_cgroup_that_was_not_recorded_is_not_known(void **state)
{
	struct sample none = { 0 }, some = { .pid = 7, .cgroup = 55 };
	struct key_sample a = { .sample = &none }, b = { .sample = &some };
	struct example_keys m;
	const struct key *k;

	(void)state;
	example_keys_init(&m, false);
	k = example_key(&m, REPORT_NORMAL, "cgroup");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &a), 1), "");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &b), 1), "");
	k = example_key(&m, REPORT_NORMAL, "cgroup_id");
	assert_string_equal(example_text(&m, k, example_value(&m, k, &b), 1), "0:0");
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_is_its_text),
		cmocka_unit_test(a_thread_has_the_last_name_it_had),
		cmocka_unit_test(a_cgroup_that_was_not_recorded_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
