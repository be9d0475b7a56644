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
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "kernel/fake-tree.h"
#include "kernel/tracefs.h"
#include "probe/kernel-probes.h"
#include "probe/trace-probe.h"

/* Files that keep everything that is written to them, like a kernel that accepts everything. */
struct fixture {
	const char *root;
	struct tracefs *fs;
	struct kernel_probes *kernel;
	struct trace_probes probes;
	struct text notes;
	struct diag diag;
};

static void fixture_done(struct fixture *f)
{
	trace_probes_done(&f->probes);
	kernel_probes_free(f->kernel);
	tracefs_free(f->fs);
	text_done(&f->notes);
	diag_done(&f->diag);
}

static struct fixture make(void **state)
{
	struct fixture f = { .root = *state, .notes = TEXT_EMPTY };

	fake_file(f.root, "events/probe/tcp_sendmsg/id", "1200\n");
	fake_file(f.root, "events/sched/sched_switch/id", "300\n");
	fake_file(f.root, "kprobe_events", "");
	fake_file(f.root, "uprobe_events", "");
	fake_file(f.root, "README", "  kprobe_events\t\t- Create/append/remove/show the kernel\n");
	assert_int_equal(tracefs_open(f.root, &f.fs, &f.diag), 0);
	f.kernel = kernel_probes_new(f.fs);
	return f;
}

static struct trace_probe *add(struct fixture *f, const char *line)
{
	struct trace_probe *p = trace_probes_add(&f->probes);

	assert_int_equal(trace_probe_parse(line, strchr(line, '/') != strrchr(line, '/'), p), 0);
	return p;
}

static char *content(struct fixture *f, const char *name)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", f->root, name);
	char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, path, 1 << 16, &text, NULL), 0);
	return text;
}

static void probes_are_listed_by_their_lines_the_kernels_first(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);

	fake_file(f.root, "kprobe_events", "r4:probe/a f\np:probe/z g+4\np:probe/b f\n");
	fake_file(f.root, "uprobe_events", "p:probe_x/main /bin/x:0x10\n\nnonsense\n");
	assert_int_equal(kernel_probes_read(f.kernel, &f.probes, &f.diag), 0);
	assert_int_equal(f.probes.n, 4);
	assert_string_equal(f.probes.items[0].event, "b");
	assert_string_equal(f.probes.items[1].event, "z");
	assert_string_equal(f.probes.items[2].event, "a");
	assert_true(f.probes.items[3].is_user);
}

static void a_kernel_without_one_kind_lists_the_other(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);
	_cleanup_(freep) char *path = xasprintf("%s/kprobe_events", f.root);

	unlink(path);
	fake_file(f.root, "uprobe_events", "p:probe_x/main /bin/x:0x10\n");
	assert_int_equal(kernel_probes_read(f.kernel, &f.probes, &f.diag), 0);
	assert_int_equal(f.probes.n, 1);
}

static void a_kernel_without_probes_is_told(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);
	_cleanup_(freep) char *kprobes = xasprintf("%s/kprobe_events", f.root);
	_cleanup_(freep) char *uprobes = xasprintf("%s/uprobe_events", f.root);

	unlink(kprobes);
	unlink(uprobes);
	assert_int_equal(kernel_probes_read(f.kernel, &f.probes, &f.diag), -ENOENT);
	assert_non_null(strstr(f.diag.message, "CONFIG_UPROBE_EVENTS"));
}

static void a_name_that_exists_is_refused_or_numbered(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);

	fake_file(f.root, "kprobe_events", "p:probe/tcp_sendmsg tcp_sendmsg+0\n");
	add(&f, "p:probe/tcp_sendmsg tcp_sendmsg+0");
	assert_int_equal(kernel_probes_name(f.kernel, &f.probes, false, &f.diag), -EEXIST);
	assert_non_null(strstr(f.diag.message, "already exists"));
	assert_int_equal(kernel_probes_name(f.kernel, &f.probes, true, &f.diag), 0);
	assert_string_equal(f.probes.items[0].event, "tcp_sendmsg_1");
}

static void names_of_definitions_before_are_taken(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);
	struct trace_probes second = { 0 };

	add(&f, "p:probe/f f+0");
	assert_int_equal(kernel_probes_name(f.kernel, &f.probes, false, &f.diag), 0);
	assert_int_equal(trace_probe_parse("p:probe/f f+0", false, trace_probes_add(&second)), 0);
	assert_int_equal(kernel_probes_name(f.kernel, &second, false, &f.diag), -EEXIST);
	assert_int_equal(kernel_probes_name(f.kernel, &second, true, &f.diag), 0);
	assert_string_equal(second.items[0].event, "f_1");
	trace_probes_done(&second);
}

static void events_that_are_no_probes_keep_their_names(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);

	add(&f, "p:sched/sched_switch f+0");
	assert_int_equal(kernel_probes_name(f.kernel, &f.probes, false, &f.diag), -EEXIST);
	assert_non_null(strstr(f.diag.message, "is not a probe"));
}

static void places_of_one_definition_share_an_event(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);

	add(&f, "p:probe/twice one+0 v=%x1:s32");
	add(&f, "p:probe/twice two+0 v=+4(%sp):s32");
	add(&f, "p:probe/twice two+0 v=+4(%sp):s32"); /* the same probe again */
	assert_int_equal(kernel_probes_name(f.kernel, &f.probes, false, &f.diag), 0);
	assert_int_equal(f.probes.n, 2);
	assert_string_equal(f.probes.items[0].event, "twice");
	assert_string_equal(f.probes.items[1].event, "twice");
}

static void an_event_has_arguments_of_one_form(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);

	add(&f, "p:probe/twice one+0 v=%x1:s32");
	add(&f, "p:probe/twice two+0 v=%x1:u64");
	add(&f, "p:probe/twice six+0 v=%x2:u64");
	assert_int_equal(kernel_probes_name(f.kernel, &f.probes, false, &f.diag), 0);
	assert_string_equal(f.probes.items[0].event, "twice");
	assert_string_equal(f.probes.items[1].event, "twice_1");
	assert_string_equal(f.probes.items[2].event, "twice_1");
}

static void old_kernels_have_one_place_in_an_event(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);

	fake_file(f.root, "README", "  kprobe_events\t\t- Add/remove/show the kernel\n");
	add(&f, "p:probe/twice one+0");
	add(&f, "p:probe/twice two+0");
	assert_int_equal(kernel_probes_name(f.kernel, &f.probes, false, &f.diag), 0);
	assert_string_equal(f.probes.items[1].event, "twice_1");
}

static void each_kind_goes_to_its_file(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);

	add(&f, "p:probe/f f+8 a=%x0");
	add(&f, "p:probe_x/g /bin/x:0x10");
	assert_int_equal(kernel_probes_add(f.kernel, &f.probes, &f.notes, &f.diag), 0);

	_cleanup_(freep) char *kernel = content(&f, "kprobe_events");
	_cleanup_(freep) char *user = content(&f, "uprobe_events");

	assert_string_equal(kernel, "p:probe/f f+8 a=%x0\n");
	assert_string_equal(user, "p:probe_x/g /bin/x:0x10\n");
}

static void what_was_added_goes_when_one_is_refused(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);
	_cleanup_(freep) char *uprobes = xasprintf("%s/uprobe_events", f.root);

	unlink(uprobes);
	add(&f, "p:probe/f f+8");
	add(&f, "p:probe_x/g /bin/x:0x10");
	assert_int_equal(kernel_probes_add(f.kernel, &f.probes, &f.notes, &f.diag), -ENOENT);

	_cleanup_(freep) char *kernel = content(&f, "kprobe_events");

	assert_string_equal(kernel, "p:probe/f f+8\n-:probe/f\n");
	assert_non_null(strstr(f.diag.message, "uprobe_events file does not exist"));
}

/* /dev/full accepts nothing: it fails with -ENOSPC, which does not concern the place. */
static void a_kernel_without_room_is_an_error(void **state)
{
	_cleanup_(fixture_done) struct fixture f = make(state);
	_cleanup_(freep) char *path = xasprintf("%s/kprobe_events", f.root);

	unlink(path);
	assert_int_equal(symlink("/dev/full", path), 0);
	add(&f, "p:probe/f f+8");
	assert_int_equal(kernel_probes_add(f.kernel, &f.probes, &f.notes, &f.diag), -ENOSPC);
	assert_non_null(strstr(f.diag.message, "no room"));
	assert_string_equal(f.notes.chars, "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(probes_are_listed_by_their_lines_the_kernels_first),
		TEST(a_kernel_without_one_kind_lists_the_other),
		TEST(a_kernel_without_probes_is_told),
		TEST(a_name_that_exists_is_refused_or_numbered),
		TEST(names_of_definitions_before_are_taken),
		TEST(events_that_are_no_probes_keep_their_names),
		TEST(places_of_one_definition_share_an_event),
		TEST(an_event_has_arguments_of_one_form),
		TEST(old_kernels_have_one_place_in_an_event),
		TEST(each_kind_goes_to_its_file),
		TEST(what_was_added_goes_when_one_is_refused),
		TEST(a_kernel_without_room_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
