/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "event/env.h"
#include "event/event.h"
#include "kernel/drm.h"
#include "kernel/fake-tree.h"

/* The result of parsing a text, on a machine with two chips that have a temp1 each. */
struct parsed {
	struct event_env *env;
	struct event_list list;
	struct diag diag;
	int result;
};

static void parsed_done(struct parsed *p)
{
	event_list_done(&p->list);
	diag_done(&p->diag);
	event_env_free(p->env);
}

static struct parsed parse(const char *root, const char *text)
{
	_cleanup_(freep) char *devices = xasprintf("%s/devices", root);
	_cleanup_(freep) char *class = xasprintf("%s/class", root);
	struct parsed p = { .env = event_env_new(devices, root) };

	fake_file(root, "class/hwmon0/name", "coretemp\n");
	fake_file(root, "class/hwmon0/temp1_input", "45500\n");
	fake_file(root, "class/hwmon0/temp1_label", "Core 0\n");
	fake_file(root, "class/hwmon1/name", "nct\n");
	fake_file(root, "class/hwmon1/temp1_input", "-5000\n");
	fake_file(root, "class/hwmon1/fan1_input", "1200\n");
	event_env_set_hwmon(p.env, class);
	p.result = event_list_parse(&p.list, text, p.env, EVENT_USE_COUNTING, &p.diag);
	return p;
}

/* /dev/null, major 1, takes the place of a DRM device. */
static struct parsed parse_drm(const char *root, const char *driver, const char *text)
{
	_cleanup_(freep) char *devices = xasprintf("%s/devices", root);
	_cleanup_(freep) char *proc = xasprintf("%s/proc", root);
	_cleanup_(freep) char *link = xasprintf("%s/12/fd/3", proc);
	_cleanup_(freep) char *info = xasprintf("drm-driver:\t%s\ndrm-client-id:\t1\n"
						"drm-engine-render:\t5 ns\n",
						driver);
	struct parsed p = { .env = event_env_new(devices, root) };

	fake_file(root, "proc/12/fd/", "");
	fake_file(root, "proc/12/fdinfo/3", info);
	if (*driver)
		assert_int_equal(symlink("/dev/null", link), 0);
	event_env_set_drm(p.env, &(struct drm_source){ proc, 1 });
	p.result = event_list_parse(&p.list, text, p.env, EVENT_USE_COUNTING, &p.diag);
	return p;
}

static void a_key_of_a_driver_is_an_event(void **state)
{
	_cleanup_(parsed_done) struct parsed p =
		parse_drm(*state, "xe", "drm-engine-render,drm_xe/drm-engine-render/");

	assert_int_equal(p.result, 0);
	assert_int_equal(p.list.n, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(p.list.items[i]->tool, EVENT_TOOL_DRM);
		assert_string_equal(p.list.items[i]->drm_pmu, "drm_xe");
		assert_string_equal(p.list.items[i]->drm_key, "drm-engine-render");
		assert_string_equal(p.list.items[i]->unit, "ns");
		assert_true(p.list.items[i]->snapshot);
	}
	assert_string_equal(p.list.items[0]->name, "drm-engine-render");
	assert_string_equal(p.list.items[1]->name, "drm_xe/drm-engine-render/");
}

static void a_key_that_no_driver_has_is_unknown(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse_drm(*state, "xe",
							   "drm_xe/drm-engine-rendr/");

	assert_int_equal(p.result, -EINVAL);
	assert_non_null(strstr(p.diag.message, "'drm_xe' has no 'drm-engine-rendr'"));
	assert_non_null(strstr(p.diag.hint, "drm-engine-render"));
}

static void without_a_gpu_the_message_says_so(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse_drm(*state, "", "drm-engine-render");

	assert_int_equal(p.result, -EINVAL);
	assert_non_null(strstr(p.diag.message, "no process has a DRM device (GPU) open"));
	assert_non_null(p.diag.hint);
}

static void a_sensor_is_an_event_by_its_name(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse(*state, "fan1,temp_core_0");

	assert_int_equal(p.result, 0);
	assert_int_equal(p.list.n, 2);
	assert_string_equal(p.list.items[0]->name, "fan1");
	assert_string_equal(p.list.items[0]->unit, "rpm");
	assert_int_equal(p.list.items[0]->tool, EVENT_TOOL_FILE);
	assert_true(p.list.items[0]->snapshot);
	assert_non_null(strstr(p.list.items[0]->file, "hwmon1/fan1_input"));
	assert_string_equal(p.list.items[1]->name, "temp_core_0");
}

static void a_name_of_two_chips_is_two_events(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse(*state, "temp1");

	assert_int_equal(p.result, 0);
	assert_int_equal(p.list.n, 2);
	assert_string_equal(p.list.items[0]->name, "hwmon_coretemp/temp1/");
	assert_string_equal(p.list.items[1]->name, "hwmon_nct/temp1/");
}

static void a_chip_is_known_by_its_name_or_number(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse(*state, "hwmon_nct/temp1/,hwmon0/temp1/");

	assert_int_equal(p.result, 0);
	assert_int_equal(p.list.n, 2);
	assert_string_equal(p.list.items[0]->name, "hwmon_nct/temp1/");
	assert_non_null(strstr(p.list.items[0]->file, "hwmon1/temp1_input"));
	assert_non_null(strstr(p.list.items[1]->file, "hwmon0/temp1_input"));
}

static void a_misspelt_sensor_is_marked(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse(*state, "hwmon_nct/fam1/");

	assert_int_equal(p.result, -EINVAL);
	assert_non_null(strstr(p.diag.message, "'hwmon_nct' has no 'fam1'"));
	assert_non_null(strstr(p.diag.hint, "'fan1'"));
	assert_int_equal(p.list.n, 0);
}

static void a_sensor_has_no_terms(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse(*state, "hwmon_nct/fan1,period=1/");

	assert_int_equal(p.result, -EINVAL);
	assert_non_null(strstr(p.diag.message, "takes one name and no terms"));
}

static void an_unknown_chip_is_no_pmu(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse(*state, "hwmon_x/fan1/");

	assert_int_equal(p.result, -ENOENT);
	assert_non_null(strstr(p.diag.message, "no PMU 'hwmon_x'"));
}

static void facts_are_events_with_and_without_their_pmu(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse(*state,
						       "num_cpus,tool/num_cpus/,duration_time");

	assert_int_equal(p.result, 0);
	assert_int_equal(p.list.n, 3);
	assert_int_equal(p.list.items[0]->tool, EVENT_TOOL_NUM_CPUS);
	assert_true(p.list.items[0]->snapshot);
	assert_int_equal(p.list.items[1]->tool, EVENT_TOOL_NUM_CPUS);
	assert_string_equal(p.list.items[1]->name, "tool/num_cpus/");
	assert_false(p.list.items[2]->snapshot);
}

static void a_misspelt_fact_is_marked(void **state)
{
	_cleanup_(parsed_done) struct parsed p = parse(*state, "tool/num_cpux/"),
					     none = parse(*state, "tool//");

	assert_int_equal(p.result, -EINVAL);
	assert_non_null(strstr(p.diag.hint, "num_cpus"));
	assert_int_equal(none.result, -EINVAL);
}

/* On Intel's cores `slots` is a counter; on Arm's it is a number that does not change. */
static void slots_are_a_counter_where_the_core_has_one(void **state)
{
	fake_file(*state, "devices/cpu/type", "4\n");
	fake_file(*state, "devices/cpu/format/event", "config:0-7\n");
	fake_file(*state, "devices/cpu/format/umask", "config:8-15\n");

	_cleanup_(parsed_done) struct parsed before = parse(*state, "slots");

	assert_int_equal(before.list.items[0]->tool, EVENT_TOOL_SLOTS);
	fake_file(*state, "devices/cpu/events/slots", "event=0x00,umask=0x4\n");

	_cleanup_(parsed_done) struct parsed p = parse(*state, "slots");

	assert_int_equal(p.result, 0);
	assert_int_equal(p.list.items[0]->tool, EVENT_TOOL_NONE);
	assert_int_equal(p.list.items[0]->attr.config, 0x400);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)
	const struct CMUnitTest tests[] = {
		TEST(a_key_of_a_driver_is_an_event),
		TEST(a_key_that_no_driver_has_is_unknown),
		TEST(without_a_gpu_the_message_says_so),
		TEST(a_sensor_is_an_event_by_its_name),
		TEST(a_name_of_two_chips_is_two_events),
		TEST(a_chip_is_known_by_its_name_or_number),
		TEST(a_misspelt_sensor_is_marked),
		TEST(a_sensor_has_no_terms),
		TEST(an_unknown_chip_is_no_pmu),
		TEST(facts_are_events_with_and_without_their_pmu),
		TEST(a_misspelt_fact_is_marked),
		TEST(slots_are_a_counter_where_the_core_has_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
