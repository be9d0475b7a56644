/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "fake-tree.h"
#include "kernel/hwmon.h"

static void inputs_of_a_chip_are_events(void **state)
{
	_cleanup_(hwmon_list_done) struct hwmon_list l = { 0 };

	fake_file(*state, "hwmon1/name", "nct-6775\n");
	fake_file(*state, "hwmon1/fan2_input", "1200\n");
	fake_file(*state, "hwmon1/power1_input", "5000000\n");
	fake_file(*state, "hwmon1/power1_max", "30000000\n");
	hwmon_list_read(*state, &l);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.items[0].directory, "hwmon1");
	assert_string_equal(l.items[0].pmu, "hwmon_nct_6775");
	assert_int_equal(l.items[0].n, 2);

	const struct hwmon_event *fan = &l.items[0].items[0], *power = &l.items[0].items[1];

	assert_string_equal(fan->name, "fan2");
	assert_null(fan->alias);
	assert_string_equal(fan->unit, "rpm");
	assert_int_equal(fan->config, 0x40002);
	assert_string_equal(fan->brief, "Fan in unit nct-6775 named fan2.");
	assert_non_null(strstr(fan->file, "hwmon1/fan2_input"));
	assert_string_equal(power->brief, "Power use in unit nct-6775 named power1. max=30W");
	assert_true(fabs(power->scale - 1e-6) < 1e-12); /* the kernel shows microwatts */
}

static void an_input_with_a_label_is_called_by_it(void **state)
{
	_cleanup_(hwmon_list_done) struct hwmon_list l = { 0 };

	fake_file(*state, "hwmon0/name", "coretemp\n");
	fake_file(*state, "hwmon0/temp1_input", "45500\n");
	fake_file(*state, "hwmon0/temp1_label", "Package id 0\n");
	fake_file(*state, "hwmon0/temp1_crit", "100000\n");
	fake_file(*state, "hwmon0/temp1_max", "none\n");
	hwmon_list_read(*state, &l);
	assert_int_equal(l.items[0].n, 1);
	assert_string_equal(l.items[0].items[0].name, "temp_package_id_0");
	assert_string_equal(l.items[0].items[0].alias, "temp1");
	assert_string_equal(l.items[0].items[0].brief,
			    "Temperature in unit coretemp named Package id 0. crit=100'C");
}

static void what_is_no_input_is_passed_over(void **state)
{
	static const char *const files[] = { "temp_input",       "temp1_inputs",
					     "temp1_crit",       "pwm1",
					     "intrusion0_alarm", "temp12345_input",
					     "temp1000_input",   "input",
					     "tempx1_input" };
	_cleanup_(hwmon_list_done) struct hwmon_list l = { 0 };

	fake_file(*state, "hwmon0/name", "x\n");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_(freep) char *path = xasprintf("hwmon0/%s", files[i]);

		fake_file(*state, path, "1\n");
	}
	hwmon_list_read(*state, &l);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.items[0].n, 0);
}

static void a_device_without_a_name_is_none(void **state)
{
	_cleanup_(hwmon_list_done) struct hwmon_list l = { 0 };

	fake_file(*state, "hwmon0/temp1_input", "1\n");
	fake_file(*state, "hwmon1/name", "\n");
	fake_file(*state, "other/name", "x\n");
	hwmon_list_read(*state, &l);
	assert_int_equal(l.n, 0);
}

static void a_machine_without_sensors_has_none(void **state)
{
	_cleanup_(hwmon_list_done) struct hwmon_list l = { 0 };
	_cleanup_(freep) char *path = xasprintf("%s/missing", (char *)*state);

	hwmon_list_read(path, &l);
	assert_int_equal(l.n, 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)
	const struct CMUnitTest tests[] = {
		TEST(inputs_of_a_chip_are_events),
		TEST(an_input_with_a_label_is_called_by_it),
		TEST(what_is_no_input_is_passed_over),
		TEST(a_device_without_a_name_is_none),
		TEST(a_machine_without_sensors_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
