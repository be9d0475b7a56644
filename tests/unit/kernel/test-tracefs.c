/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/resource.h>

#include "base/diag.h"
#include "fake-tree.h"
#include "kernel/tracefs.h"

static struct tracefs *open_tree(const char *path)
{
	struct diag diag = { 0 };
	struct tracefs *t = NULL;

	assert_int_equal(tracefs_open(path, &t, &diag), 0);
	assert_null(diag.message);
	return t;
}

static void fill(const char *root)
{
	fake_file(root, "events/header_page", "field: u64 timestamp;\n");
	fake_file(root, "events/enable", "0\n");
	fake_file(root, "events/sched/enable", "0\n");
	fake_file(root, "events/sched/sched_wakeup/id", "208\n");
	fake_file(root, "events/sched/sched_switch/id", "207\n");
	fake_file(root, "events/sched/sched_switch/format", "name: sched_switch\nID: 207\n");
	fake_file(root, "events/ftrace/function/id", "1\n");
	fake_file(root, "events/ftrace/branch/format", "name: branch\n");
	fake_file(root, "events/odd/garbage/id", "many\n");
	fake_file(root, "secret", "42\n");
}

static void a_directory_without_events_is_refused(void **state)
{
	struct tracefs *t = (struct tracefs *)1;
	struct diag diag = { 0 };

	assert_int_equal(tracefs_open(*state, &t, &diag), -ENOENT);
	assert_non_null(strstr(diag.message, "is not a tracing directory"));
	assert_ptr_equal(t, (struct tracefs *)1);
	diag_done(&diag);
}

/* "not mounted" would be wrong, because the mounts could not be read. */
static void without_a_free_descriptor_nothing_is_said_about_mounts(void **state)
{
	struct tracefs *t = (struct tracefs *)1;
	struct diag diag = { 0 };
	struct rlimit before, none;

	(void)state;
	getrlimit(RLIMIT_NOFILE, &before);
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = before.rlim_max };
	setrlimit(RLIMIT_NOFILE, &none);
	assert_int_equal(tracefs_open(NULL, &t, &diag), -EMFILE);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_string_equal(diag.message, "cannot look for tracepoints: Too many open files");
	assert_ptr_equal(t, (struct tracefs *)1);
	diag_done(&diag);
}

static void the_environment_names_the_directory_first(void **state)
{
	struct diag diag = { 0 };
	_cleanup_(tracefs_freep) struct tracefs *t = NULL;
	char below[256];

	fake_file(*state, "tracing/events/sched/sched_switch/id", "207\n");
	setenv("PERF_DEBUGFS_DIR", *state, 1);
	assert_int_equal(tracefs_open(NULL, &t, &diag), 0);
	unsetenv("PERF_DEBUGFS_DIR");
	snprintf(below, sizeof(below), "%s/tracing", (char *)*state);
	assert_string_equal(tracefs_path(t), below);
}

static void systems_are_the_directories(void **state)
{
	_cleanup_(name_list_done) struct name_list l = { 0 };

	fill(*state);
	_cleanup_(tracefs_freep) struct tracefs *t = open_tree(*state);
	assert_int_equal(tracefs_systems(t, &l), 0);
	name_list_sort(&l);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.items[0], "ftrace");
	assert_string_equal(l.items[1], "odd");
	assert_string_equal(l.items[2], "sched");
}

static void events_need_an_id(void **state)
{
	_cleanup_(name_list_done) struct name_list sched = { 0 }, ftrace = { 0 };

	fill(*state);
	_cleanup_(tracefs_freep) struct tracefs *t = open_tree(*state);
	assert_int_equal(tracefs_events(t, "sched", &sched), 0);
	name_list_sort(&sched);
	assert_int_equal(sched.n, 2);
	assert_string_equal(sched.items[0], "sched_switch");
	assert_string_equal(sched.items[1], "sched_wakeup");
	assert_int_equal(tracefs_events(t, "ftrace", &ftrace), 0);
	assert_int_equal(ftrace.n, 1);
	assert_string_equal(ftrace.items[0], "function");
}

static void unknown_systems_and_events_are_not_there(void **state)
{
	_cleanup_(name_list_done) struct name_list l = { 0 };
	uint64_t id = 7;
	char *format = NULL;

	fill(*state);
	_cleanup_(tracefs_freep) struct tracefs *t = open_tree(*state);
	assert_int_equal(tracefs_events(t, "shed", &l), -ENOENT);
	assert_int_equal(tracefs_events(t, "enable", &l), -ENOENT);
	assert_int_equal(tracefs_event_id(t, "sched", "enable", &id), -ENOENT);
	assert_int_equal(tracefs_event_id(t, "sched", "sched_swich", &id), -ENOENT);
	assert_int_equal(tracefs_event_format(t, "sched", "sched_wakeup", &format), -ENOENT);
	assert_int_equal(id, 7);
	assert_null(format);
}

static void names_do_not_lead_out_of_the_directory(void **state)
{
	_cleanup_(name_list_done) struct name_list l = { 0 };
	uint64_t id;

	fill(*state);
	_cleanup_(tracefs_freep) struct tracefs *t = open_tree(*state);
	assert_int_equal(tracefs_events(t, "..", &l), -ENOENT);
	assert_int_equal(tracefs_events(t, "", &l), -ENOENT);
	assert_int_equal(tracefs_events(t, "sched/sched_switch", &l), -ENOENT);
	assert_int_equal(tracefs_event_id(t, "sched", "..", &id), -ENOENT);
	assert_int_equal(tracefs_event_id(t, "sched/..", "sched", &id), -ENOENT);
}

static void id_and_format_are_read(void **state)
{
	_cleanup_(freep) char *format = NULL;
	uint64_t id;

	fill(*state);
	_cleanup_(tracefs_freep) struct tracefs *t = open_tree(*state);
	assert_int_equal(tracefs_event_id(t, "sched", "sched_switch", &id), 0);
	assert_int_equal(id, 207);
	assert_int_equal(tracefs_event_format(t, "sched", "sched_switch", &format), 0);
	assert_string_equal(format, "name: sched_switch\nID: 207\n");
	assert_int_equal(tracefs_event_id(t, "odd", "garbage", &id), -EINVAL);
	assert_int_equal(id, 207);
}

static void denial_names_the_cure(void **state)
{
	struct diag diag = { 0 };

	fill(*state);
	_cleanup_(tracefs_freep) struct tracefs *t = open_tree(*state);
	assert_int_equal(tracefs_explain_denied(t, &diag), -EACCES);
	assert_non_null(strstr(diag.hint, "sudo mount -o remount"));
	assert_non_null(strstr(diag.hint, *state));
	diag_done(&diag);
}

static void probes_are_those_that_somebody_set(void **state)
{
	_cleanup_(tracefs_freep) struct tracefs *t = NULL;
	_cleanup_(name_list_done) struct name_list probes = { 0 };

	fill(*state);
	t = open_tree(*state);
	assert_int_equal(tracefs_probes(t, &probes), -ENOENT);
	fake_file(*state, "dynamic_events",
		  "r16:probe/z f+0 arg1=$retval\np:probe_x/a /bin/a:b:0x0000000000000040\n"
		  "rubbish\ne:no_slash x\n: \n");
	assert_int_equal(tracefs_probes(t, &probes), 0);
	assert_int_equal(probes.n, 2);
	assert_true(name_list_contains(&probes, "probe:z"));
	assert_true(name_list_contains(&probes, "probe_x:a"));
}

#define in_tree(test) cmocka_unit_test_setup_teardown(test, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_tree(probes_are_those_that_somebody_set),
		in_tree(a_directory_without_events_is_refused),
		cmocka_unit_test(without_a_free_descriptor_nothing_is_said_about_mounts),
		in_tree(the_environment_names_the_directory_first),
		in_tree(systems_are_the_directories),
		in_tree(events_need_an_id),
		in_tree(unknown_systems_and_events_are_not_there),
		in_tree(names_do_not_lead_out_of_the_directory),
		in_tree(id_and_format_are_read),
		in_tree(denial_names_the_cure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
