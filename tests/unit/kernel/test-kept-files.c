/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "elf/file.h"
#include "kernel/kept-files.h"
#include "kernel/mapped-file.h"
#include "real-files.h"
#include "skip.h"

static bool keeps(struct kept_files *k, const struct file_id *id, const char *text)
{
	int fd = kept_files_find(k, id);

	return fd >= 0 && real_begins(dup(fd), text);
}

static void a_file_that_was_replaced_is_still_there(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	_cleanup_(freep) char *path = real_file(*state, "x", "one");
	const struct mapping first = { .path = path, .file = real_id(path) };

	kept_files_see(k, &first);

	_cleanup_(freep) char *again = real_file(*state, "x", "two");
	const struct mapping second = { .path = path, .file = real_id(path) };

	kept_files_see(k, &second);
	assert_true(keeps(k, &first.file, "one"));
	assert_true(keeps(k, &second.file, "two"));
}

/* The new file has the same inode, as after cp. */
static void a_file_that_was_written_to_is_not_what_ran(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	_cleanup_(freep) char *path = real_file(*state, "x", "one");
	const struct mapping m = { .path = path, .file = real_id(path) };
	const struct timespec times[] = { { 1, 2 }, { 1, 2 } };

	kept_files_see(k, &m);
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
	assert_int_equal(kept_files_find(k, &m.file), -ESTALE);
}

static void what_was_not_seen_is_not_kept(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	const struct file_id id = { 8, 1, 6, 0 }, unknown = { 0 };
	const struct mapping gone = { .path = "/nowhere/x", .file = id };
	const struct mapping nameless = { .path = "//anon", .file = unknown };

	(void)state;
	assert_int_equal(kept_files_find(k, &id), -ENOENT);
	kept_files_see(k, &gone);
	kept_files_see(k, &nameless);
	assert_int_equal(kept_files_find(k, &id), -ENOENT);
	assert_int_equal(kept_files_find(k, &unknown), -ENOENT);
}

static void a_file_that_could_not_be_opened_is_tried_again(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	_cleanup_(freep) char *path = real_file(*state, "x", "one");
	const struct mapping wrong = { .path = "/nowhere/x", .file = real_id(path) };
	const struct mapping right = { .path = path, .file = real_id(path) };

	kept_files_see(k, &wrong);
	assert_int_equal(kept_files_find(k, &right.file), -ENOENT);
	kept_files_see(k, &right);
	assert_true(keeps(k, &right.file, "one"));
}

/* As with a short-lived process in a container, whose shell still runs. */
static void the_files_of_a_process_that_is_gone_are_those_of_its_parent(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	const char *dir = *state;
	_cleanup_(freep) char *inside = xasprintf("%s/in", dir), *over = xasprintf("%s/on", dir);

	mkdir(inside, 0755);
	mkdir(over, 0755);

	_cleanup_(freep) char *there = real_file(inside, "x", "inside");
	_cleanup_(freep) char *path = real_file(over, "x", "outside");
	struct real_process p = real_process_begin(path, inside, over);
	const struct mapping m = { .pid = INT32_MAX, .path = path, .file = real_id(there) };

	if (!p.map) {
		real_process_end(&p);
		skip_because("this program has no map, or no build-id");
	}
	kept_files_see(k, &m);
	assert_int_equal(kept_files_find(k, &m.file), -ENOENT);
	kept_files_forked(k, INT32_MAX - 1, p.pid);
	kept_files_forked(k, INT32_MAX, INT32_MAX - 1);
	kept_files_see(k, &m);
	real_process_end(&p);
	assert_true(keeps(k, &m.file, "inside"));
}

static void a_file_that_is_known_by_its_build_id_is_found_through_its_process(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	_cleanup_(freep) char *path = real_file(*state, "x", "one");
	struct real_process p = real_process_begin(path, NULL, NULL);
	const struct build_id other = { .bytes = { 1, 2, 3, 5 }, .size = 20 };
	struct mapping m = { .pid = INT32_MAX,
			     .path = path,
			     .build_id = { .bytes = { 1, 2, 3, 4 }, .size = 20 } };

	kept_files_see(k, &m);
	assert_int_equal(kept_files_find_build(k, &m.build_id), -ENOENT);
	m.pid = p.pid;
	kept_files_see(k, &m);
	real_process_end(&p);
	assert_true(real_begins(dup(kept_files_find_build(k, &m.build_id)), "one"));
	assert_int_equal(kept_files_find_build(k, &other), -ENOENT);
	assert_int_equal(kept_files_find_build(k, &(struct build_id){ 0 }), -ENOENT);
}

static void a_path_leads_to_the_file_with_the_build_id(void **state)
{
	(void)state;
	_cleanup_(kept_files_freep) struct kept_files *k = kept_files_new();
	char self[4096] = "";
	struct mapping m = { .pid = INT32_MAX, .path = self };

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 ||
	    elf_build_id_read(self, &m.build_id) < 0)
		skip_because("this program has no map, or no build-id");
	kept_files_see(k, &m);
	assert_true(kept_files_find_build(k, &m.build_id) >= 0);
}

/* There are far more files than can be open at a time; each is deleted after it was seen. */
static void what_was_not_seen_for_long_is_let_go(void **state)
{
	_cleanup_(kept_files_freep) struct kept_files *k = NULL;
	struct file_id last = { 0 };
	struct rlimit before;
	int fd;

	getrlimit(RLIMIT_NOFILE, &before);
	setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 80, before.rlim_max });
	k = kept_files_new();
	for (int i = 0; i < 200; i++) {
		_cleanup_(freep) char *path = real_file(*state, "x", "text");
		struct mapping m = { .path = path, .file = real_id(path) };

		kept_files_see(k, &m);
		unlink(path);
		last = m.file;
	}
	fd = dup(0);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_in_range(fd, 0, 60);
	close(fd);
	assert_true(keeps(k, &last, "text"));
}

static void freeing_nothing_is_fine(void **state)
{
	(void)state;
	kept_files_free(NULL);
}

#define tree_test(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)

static void a_program_that_is_gone_is_passed_over(void **state)
{
	struct kept_files *k = kept_files_new();

	(void)state;
	for (int i = 0; i < 300; i++)
		kept_files_see_program(k, UINT32_MAX);
	kept_files_free(k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		tree_test(a_file_that_was_replaced_is_still_there),
		tree_test(a_file_that_was_written_to_is_not_what_ran),
		cmocka_unit_test(what_was_not_seen_is_not_kept),
		tree_test(a_file_that_could_not_be_opened_is_tried_again),
		tree_test(the_files_of_a_process_that_is_gone_are_those_of_its_parent),
		tree_test(a_file_that_is_known_by_its_build_id_is_found_through_its_process),
		cmocka_unit_test(a_path_leads_to_the_file_with_the_build_id),
		tree_test(what_was_not_seen_for_long_is_let_go),
		cmocka_unit_test(freeing_nothing_is_fine),
		cmocka_unit_test(a_program_that_is_gone_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
