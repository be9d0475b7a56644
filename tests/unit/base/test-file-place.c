/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file-place.h"
#include "base/memory.h"
#include "scratch-folder.h"
#include "skip.h"

#define OTHER 65534

/* Returns the result of file_place_find(). On success the remaining name is checked. */
static int find(const char *path, unsigned flags, const char *name)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = file_place_find(path, flags, &p, &d);

	if (r < 0)
		assert_non_null(d.message);
	else
		assert_string_equal(p.name, name);
	return r;
}

/* True if the file at @path is in the folder that was found for @wanted. */
static bool is_in(const char *wanted, const char *folder)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct stat a, b;

	assert_int_equal(file_place_find(wanted, FILE_PLACE_FOLLOW, &p, &d), 0);
	assert_int_equal(fstat(p.folder, &a), 0);
	assert_int_equal(stat(folder, &b), 0);
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static void a_path_is_a_folder_and_a_name(void **state)
{
	(void)state;
	assert_int_equal(find("file", 0, "file"), 0);
	assert_int_equal(find("/", 0, "."), 0);
	assert_int_equal(find("//tmp//x//", 0, "x"), 0);
	assert_int_equal(find("./../none", 0, "none"), 0);
	assert_int_equal(find("", 0, NULL), -ENOENT);
	assert_int_equal(find("none/x", 0, NULL), -ENOENT);
	close(open("plain", O_CREAT | O_WRONLY, 0600));
	assert_int_equal(find("plain/x", 0, NULL), -ENOTDIR);
	assert_true(is_in("/x", "/"));
	assert_true(is_in("x", "."));
}

static void a_place_has_a_path_without_links(void **state)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE, top = FILE_PLACE_NONE;
	_cleanup_(freep) char *path = NULL, *at_top = NULL, *cwd = getcwd(NULL, 0), *wanted = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(mkdir("straight", 0700), 0);
	assert_int_equal(symlink("straight", "around"), 0);
	assert_int_equal(file_place_find("around/x", FILE_PLACE_FOLLOW, &p, &d), 0);
	assert_int_equal(file_place_path(&p, &path), 0);
	wanted = xasprintf("%s/straight/x", cwd);
	assert_string_equal(path, wanted);
	assert_int_equal(file_place_find("/x", 0, &top, &d), 0);
	assert_int_equal(file_place_path(&top, &at_top), 0);
	assert_string_equal(at_top, "/x");
}

static void folders_are_made_on_request(void **state)
{
	(void)state;
	assert_int_equal(find("a/b/c/file", FILE_PLACE_MAKE_FOLDERS, "file"), 0);
	assert_true(is_in("a/b/c/file", "a/b/c"));
	assert_int_not_equal(access("a/b/c/file", F_OK), 0);
}

static void own_links_are_followed(void **state)
{
	(void)state;
	assert_int_equal(mkdir("real", 0700), 0);
	assert_int_equal(symlink("real", "folder"), 0);
	assert_int_equal(symlink("../folder/file", "real/link"), 0);
	assert_int_equal(find("folder/link", 0, "link"), 0);
	assert_int_equal(find("folder/link", FILE_PLACE_FOLLOW, "file"), 0);
	assert_true(is_in("folder/link", "real"));
	assert_int_equal(symlink("loop", "loop"), 0);
	assert_int_equal(find("loop", 0, "loop"), 0);
	assert_int_equal(find("loop", FILE_PLACE_FOLLOW, NULL), -ELOOP);
	assert_int_equal(find("loop/x", 0, NULL), -ELOOP);
}

static void links_of_procfs_are_left_to_the_kernel(void **state)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_int_equal(file_place_find("/dev/fd/1", FILE_PLACE_FOLLOW, &p, &d), 0);
	assert_true(p.is_proc);
	assert_string_equal(p.name, "1");
	assert_true(is_in("/proc/self/cwd/file", "."));
}

static void link_of_another(const char *target, const char *name)
{
	assert_int_equal(symlink(target, name), 0);
	assert_int_equal(lchown(name, OTHER, OTHER), 0);
}

static void links_of_others_are_not_followed(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip_because("only root may do this");
	assert_int_equal(mkdir("all", 0700), 0);
	assert_int_equal(chmod("all", 0777), 0);
	assert_int_equal(mkdir("theirs", 0755), 0);
	assert_int_equal(chown("theirs", OTHER, OTHER), 0);
	link_of_another("/etc", "all/folder");
	link_of_another("/etc", "theirs/folder");
	assert_int_equal(find("all/folder/x", 0, NULL), -EACCES);
	assert_int_equal(find("all/folder/x", FILE_PLACE_MAKE_FOLDERS, NULL), -EACCES);
	assert_int_equal(find("all/folder", FILE_PLACE_FOLLOW, NULL), -EACCES);
	assert_int_equal(find("all/folder", 0, "folder"), 0);
	assert_int_equal(find("theirs/folder/x", 0, NULL), -EACCES);
	/* The user's own link is followed even there. */
	assert_int_equal(symlink("/tmp", "all/own"), 0);
	assert_int_equal(find("all/own/x", 0, "x"), 0);
	/* If only root can write there, root has placed the link, even if another user owns it. */
	link_of_another("/tmp", "given");
	assert_int_equal(find("given/x", 0, "x"), 0);
}

/* Starts a child whose root is "inner", as a container has a root of its own. */
static pid_t start_inside(int *ret_end)
{
	int ready[2], end[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(end), 0);

	pid_t pid = fork();

	if (!pid) {
		close(end[1]);
		_exit(chroot("inner") < 0 || write(ready[1], "x", 1) != 1 ||
		      read(end[0], &byte, 1) < 0);
	}
	close(end[0]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	*ret_end = end[1];
	return pid;
}

static bool is_planted(const char *path)
{
	_cleanup_(file_place_done) struct file_place p = FILE_PLACE_NONE;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct stat st;

	assert_int_equal(file_place_find(path, FILE_PLACE_FOLLOW, &p, &d), 0);
	assert_int_equal(fstatat(p.folder, p.name, &st, AT_SYMLINK_NOFOLLOW), 0);
	return file_place_is_planted(&p, &st);
}

static void files_of_others_in_a_sticky_folder_are_planted(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip_because("only root may do this");
	assert_int_equal(mkdir("sticky", 0700), 0);
	assert_int_equal(mkfifo("sticky/fifo", 0666), 0);
	assert_int_equal(mkdir("sticky/folder", 0700), 0);
	close(open("sticky/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
	for (int i = 0; i < 2; i++) {
		bool theirs = i == 1;

		assert_int_equal(chmod("sticky", 01777), 0);
		assert_int_equal(is_planted("sticky/fifo"), theirs);
		assert_int_equal(is_planted("sticky/file"), theirs);
		assert_false(is_planted("sticky/folder"));
		/* Without the sticky bit a file may be replaced at any time anyway. */
		assert_int_equal(chmod("sticky", 0777), 0);
		assert_false(is_planted("sticky/fifo"));
		assert_int_equal(chmod("sticky", 01755), 0);
		assert_false(is_planted("sticky/fifo"));
		assert_int_equal(chown("sticky/fifo", OTHER, OTHER), 0);
		assert_int_equal(chown("sticky/file", OTHER, OTHER), 0);
		assert_int_equal(chown("sticky/folder", OTHER, OTHER), 0);
	}
	/* Files of the folder's owner do not count as planted. */
	assert_int_equal(chmod("sticky", 01777), 0);
	assert_int_equal(chown("sticky", OTHER, OTHER), 0);
	assert_false(is_planted("sticky/fifo"));
}

static void links_of_a_container_stay_in_it(void **state)
{
	static const char *const ways[] = { "absolute/x", "upwards/x", "twice/x", "../etc/x" };
	int end;

	(void)state;
	if (getuid() != 0)
		skip_because("only root may do this");
	assert_int_equal(mkdir("inner", 0755), 0);
	assert_int_equal(mkdir("inner/etc", 0755), 0);
	assert_int_equal(symlink("/etc", "inner/absolute"), 0);
	assert_int_equal(symlink("../../../../../etc", "inner/upwards"), 0);
	assert_int_equal(symlink("/absolute", "inner/twice"), 0);

	pid_t pid = start_inside(&end);

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		_cleanup_(freep) char *path = xasprintf("/proc/%d/root/%s", (int)pid, ways[i]);

		assert_true(is_in(path, "inner/etc"));
	}
	close(end);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_a_folder_and_a_name),
		cmocka_unit_test(a_place_has_a_path_without_links),
		cmocka_unit_test(folders_are_made_on_request),
		cmocka_unit_test(own_links_are_followed),
		cmocka_unit_test(links_of_procfs_are_left_to_the_kernel),
		cmocka_unit_test(links_of_others_are_not_followed),
		cmocka_unit_test(files_of_others_in_a_sticky_folder_are_planted),
		cmocka_unit_test(links_of_a_container_stay_in_it),
	};

	return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}
