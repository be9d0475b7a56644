/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "fake-tree.h"
#include "kernel/drm.h"

/*
 * /dev/null takes the place of /dev/dri/renderD128: it exists on every machine, and needs no
 * mknod().
 */
#define NULL_MAJOR 1

#define CLIENT(driver, pdev, id)                                                                   \
	"pos:\t0\ndrm-driver:\t" driver "\ndrm-client-id:\t" id "\ndrm-pdev:\t" pdev "\n"
#define I915(id) CLIENT("i915", "0000:00:02.0", id)

static void fake_fd(const char *root, const char *pid, const char *fd, const char *target,
		    const char *fdinfo)
{
	_cleanup_(freep) char *dir = xasprintf("%s/fd/", pid);
	_cleanup_(freep) char *link = xasprintf("%s/%s/fd/%s", root, pid, fd);
	_cleanup_(freep) char *info = xasprintf("%s/fdinfo/%s", pid, fd);

	fake_file(root, dir, "");
	fake_file(root, info, fdinfo);
	assert_int_equal(symlink(target, link), 0);
}

static void read_fake(const char *root, const pid_t *tasks, size_t n, struct drm_list *ret)
{
	drm_list_read(&(struct drm_source){ root, NULL_MAJOR }, tasks, n, ret);
}

static void keys_of_a_driver_are_events(void **state)
{
	_cleanup_(drm_list_done) struct drm_list l = { 0 };

	fake_fd(*state, "12", "3", "/dev/null",
		I915("7") "drm-engine-render:\t9288864723 ns\ndrm-engine-capacity-video:\t2\n"
			  "drm-cycles-rcs:\t77\ndrm-total-cycles-rcs:\t999\n"
			  "drm-maxfreq-gt0:\t1100 MHz\ndrm-total-system:\t3 MiB\n"
			  "drm-shared-system:\t2 KiB\ndrm-resident-system:\t5\n"
			  "drm-purgeable-system:\t0\ndrm-active-system:\t1 KiB\n");
	read_fake(*state, NULL, 0, &l);
	assert_int_equal(l.n, 1);
	assert_string_equal(l.items[0].name, "drm_i915");
	assert_int_equal(l.items[0].n, 10);
	assert_string_equal(l.items[0].items[0].name, "drm-active-system");
	assert_int_equal(l.items[0].items[0].config, 9);
	assert_string_equal(l.items[0].items[0].unit, "bytes");
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-engine-render"), 9288864723);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-engine-capacity-video"), 2);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-cycles-rcs"), 77);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-total-cycles-rcs"), 999);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-maxfreq-gt0"), 1100000000);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-total-system"), 3 << 20);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-shared-system"), 2048);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-resident-system"), 5);
	assert_int_equal(drm_list_value(&l, "drm_xe", "drm-resident-system"), 0);
	for (size_t i = 0; i < l.items[0].n; i++)
		if (!strcmp(l.items[0].items[i].name, "drm-total-cycles-rcs"))
			assert_string_equal(l.items[0].items[i].unit, "cycles");
}

static void a_client_counts_once(void **state)
{
	_cleanup_(drm_list_done) struct drm_list l = { 0 };

	fake_fd(*state, "12", "3", "/dev/null", I915("7") "drm-engine-render:\t100 ns\n");
	fake_fd(*state, "12", "4", "/dev/null", I915("7") "drm-engine-render:\t100 ns\n");
	fake_fd(*state, "13", "9", "/dev/null", I915("7") "drm-engine-render:\t100 ns\n");
	fake_fd(*state, "13", "10", "/dev/null", I915("8") "drm-engine-render:\t20 ns\n");
	/* The same number on another device is another client. */
	fake_fd(*state, "13", "11", "/dev/null",
		CLIENT("i915", "0000:03:00.0", "7") "drm-engine-render:\t3 ns\n");
	read_fake(*state, NULL, 0, &l);
	assert_int_equal(l.processes, 2);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-engine-render"), 123);
}

static void only_the_tasks_asked_for_count(void **state)
{
	static const pid_t tasks[] = { 13, 99 };
	_cleanup_(drm_list_done) struct drm_list l = { 0 }, gone = { 0 };

	fake_fd(*state, "12", "3", "/dev/null", I915("7") "drm-engine-render:\t100 ns\n");
	fake_fd(*state, "13", "3", "/dev/null", I915("8") "drm-engine-render:\t20 ns\n");
	read_fake(*state, tasks, 2, &l);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-engine-render"), 20);
	assert_int_equal(l.processes, 1);
	read_fake(*state, &tasks[1], 1, &gone);
	assert_int_equal(gone.processes, 0);
}

static void what_describes_an_engine_is_not_added_up(void **state)
{
	_cleanup_(drm_list_done) struct drm_list l = { 0 };

	fake_fd(*state, "12", "3", "/dev/null",
		I915("7") "drm-maxfreq-gt0:\t1100 MHz\ndrm-engine-capacity-video:\t2\n");
	fake_fd(*state, "12", "4", "/dev/null",
		I915("8") "drm-maxfreq-gt0:\t1200000 KHz\ndrm-engine-capacity-video:\t2\n");
	read_fake(*state, NULL, 0, &l);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-maxfreq-gt0"), 1200000000);
	assert_int_equal(drm_list_value(&l, "drm_i915", "drm-engine-capacity-video"), 2);
}

static void each_driver_is_a_pmu(void **state)
{
	_cleanup_(drm_list_done) struct drm_list l = { 0 };

	fake_fd(*state, "12", "3", "/dev/null",
		CLIENT("xe", "0000:03:00.0", "1") "drm-engine-render:\t5 ns\n");
	/* The device is not on a PCI bus. */
	fake_fd(*state, "12", "4", "/dev/null",
		"drm-driver:\tmsm-dpu\ndrm-client-id:\t1\ndrm-engine-gpu:\t6 ns\n");
	read_fake(*state, NULL, 0, &l);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[0].name, "drm_msm_dpu");
	assert_string_equal(l.items[1].name, "drm_xe");
	assert_int_equal(drm_list_value(&l, "drm_msm_dpu", "drm-engine-gpu"), 6);
}

static void what_makes_no_sense_is_passed_over(void **state)
{
	_cleanup_(drm_list_done) struct drm_list l = { 0 };

	fake_fd(*state, "12", "3", "/dev/null",
		I915("7") "drm-engine-render\ndrm-engine-a:\tx ns\ndrm-engine-b:\t5 KiB\n"
			  "drm-engine-:\t5 ns\ndrm-memory-vram:\t5 KiB\ndrm-other:\t5\n"
			  "drm-total-c:\t99999999999999999999 KiB\n"
			  "drm-total-d:\t18446744073709551615 KiB\n:\t1\n");
	/*
	 * A file that is not a DRM device, whatever its fdinfo says; a client without a driver; a
	 * process without fdinfo.
	 */
	fake_fd(*state, "12", "4", "/etc/passwd", I915("8") "drm-engine-render:\t5 ns\n");
	fake_fd(*state, "12", "5", "/dev/null", "drm-engine-render:\t5 ns\n");
	fake_file(*state, "other/fd/", "");
	read_fake(*state, NULL, 0, &l);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.items[0].n, 0);
}

static void a_machine_without_processes_has_none(void **state)
{
	_cleanup_(drm_list_done) struct drm_list l = { 0 };
	_cleanup_(freep) char *path = xasprintf("%s/missing", (char *)*state);

	read_fake(path, NULL, 0, &l);
	assert_int_equal(l.n, 0);
	assert_int_equal(l.processes, 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)
	const struct CMUnitTest tests[] = {
		TEST(keys_of_a_driver_are_events),
		TEST(a_client_counts_once),
		TEST(only_the_tasks_asked_for_count),
		TEST(what_describes_an_engine_is_not_added_up),
		TEST(each_driver_is_a_pmu),
		TEST(what_makes_no_sense_is_passed_over),
		TEST(a_machine_without_processes_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
