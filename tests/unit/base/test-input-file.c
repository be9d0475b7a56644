/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/cleanup.h"
#include "base/file.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "scratch-folder.h"

static int opened(const char *path)
{
	int fd = input_file_open(path);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void regular_files_are_read(void **state)
{
	_cleanup_(freep) char *text = NULL;
	_cleanup_(closep) int fd = -1;

	(void)state;
	assert_int_equal(output_file_replace("plain", "hello", 5, 0600), 0);
	assert_int_equal(symlink("plain", "link"), 0);
	fd = input_file_open("link");
	assert_true(fd >= 0);
	assert_int_equal(file_read_fd(fd, 100, &text, NULL), 0);
	assert_string_equal(text, "hello");
	assert_int_equal(opened("none"), -ENOENT);
}

static void nothing_else_is_opened(void **state)
{
	(void)state;
	assert_int_equal(opened("/dev/null"), -EINVAL);
	assert_int_equal(opened("."), -EINVAL);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	assert_int_equal(opened("fifo"), -EINVAL);
	assert_int_equal(symlink("/dev/full", "device"), 0);
	assert_int_equal(opened("device"), -EINVAL);
}

static void a_file_of_an_open_folder_is_no_link(void **state)
{
	_cleanup_(closep) int here = open(".", O_PATH | O_CLOEXEC);
	_cleanup_(closep) int proc = open("/proc/self", O_PATH | O_CLOEXEC);
	_cleanup_(closep) int fd = -1;
	struct stat st = { 0 };

	(void)state;
	assert_int_equal(output_file_replace("below", "hello", 5, 0600), 0);
	fd = input_file_open_at(here, "below", &st);
	assert_true(fd >= 0);
	assert_int_equal(st.st_size, 5);
	assert_int_equal(symlink("below", "to-below"), 0);
	assert_int_equal(input_file_open_at(here, "to-below", &st), -ELOOP);
	assert_int_equal(mkfifo("fifo-below", 0600), 0);
	assert_int_equal(input_file_open_at(here, "fifo-below", &st), -EINVAL);
	assert_int_equal(input_file_open_at(here, "none", &st), -ENOENT);
	assert_int_equal(input_file_open_at(proc, "maps", &st), -EINVAL);
}

static void files_of_the_kernel_are_not_for_others_to_name(void **state)
{
	(void)state;
	assert_int_equal(opened("/proc/self/maps"), -EINVAL);
	assert_int_equal(opened("/proc/version"), -EINVAL);
	/* The target of a procfs link is no file of procfs. */
	assert_int_equal(opened("/proc/self/exe"), 0);
}

static void a_link_can_be_refused(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(input_file_find("link", O_NOFOLLOW, &st), -ELOOP);

	_cleanup_(closep) int found = input_file_find("plain", O_NOFOLLOW, &st);

	assert_true(found >= 0);
	assert_int_equal(st.st_size, 5);

	/*
	 * The file that was found is the one that is opened, even if its path leads elsewhere by
	 * now.
	 */
	assert_int_equal(rename("plain", "moved"), 0);
	assert_int_equal(symlink("/dev/full", "plain"), 0);

	_cleanup_(closep) int fd = input_file_reopen(found, "plain");
	struct stat now;

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &now), 0);
	assert_int_equal(now.st_ino, st.st_ino);
}

/* A child has the folder "inner" as its root: links in that folder stay inside. */
static void links_stay_inside_the_root_of_a_process(void **state)
{
	int ready[2], end[2];
	char byte;

	(void)state;
	if (getuid() != 0) {
		print_message("only root can give a process another root\n");
		skip();
	}
	assert_int_equal(mkdir("inner", 0755), 0);
	assert_int_equal(mkdir("inner/etc", 0755), 0);
	assert_int_equal(output_file_replace("inner/etc/passwd", "inner", 5, 0644), 0);
	assert_int_equal(symlink("/etc/passwd", "inner/absolute"), 0);
	assert_int_equal(symlink("../../../../../../etc/passwd", "inner/upwards"), 0);
	assert_int_equal(symlink("/etc/shadow", "inner/outside"), 0);
	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(end), 0);

	pid_t pid = fork();

	if (!pid) {
		close(end[1]);
		_exit(chroot("inner") < 0 || write(ready[1], "x", 1) != 1 ||
		      read(end[0], &byte, 1) < 0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);

	static const struct {
		const char *name;
		int result;
	} links[] = { { "absolute", 5 }, { "upwards", 5 }, { "outside", -ENOENT } };

	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		_cleanup_(freep) char *path = xasprintf("/proc/%d/root/%s", (int)pid,
							links[i].name);
		_cleanup_(freep) char *text = NULL;
		_cleanup_(closep) int fd = input_file_open(path);
		size_t size = 0;
		int r = fd < 0 ? fd : file_read_fd(fd, 1 << 20, &text, &size);

		assert_int_equal(r < 0 ? r : (int)size, links[i].result);
	}
	close(end[1]);
	close(end[0]);
}

/*
 * Runs in a child whose root is the scratch folder, without /proc. Returns the number of the check
 * that failed.
 */
static int without_proc(void)
{
	int found, fd;

	if (chroot(".") < 0 && (unshare(CLONE_NEWUSER) < 0 || chroot(".") < 0))
		return 77;
	found = input_file_find("/alone", 0, NULL);
	if (found < 0 || access("/proc", F_OK) == 0)
		return 1;
	fd = input_file_open("/alone");
	if (fd < 0 || lseek(fd, 0, SEEK_END) != 5)
		return 2;
	fd = input_file_reopen(found, "/hard");
	if (fd < 0)
		return 3;
	if (input_file_reopen(found, "/other") != -ESTALE)
		return 4;
	if (input_file_reopen(found, "/none") != -ENOENT)
		return 5;
	if (input_file_reopen(999, "/other") != -EBADF)
		return 6;
	close(0);
	if (input_file_reopen(found, "/alone") != 0)
		return 7;
	return 0;
}

/* Runs @fn in a child, and returns its result. */
static int in_child(int (*fn)(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid)
		_exit(fn());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void without_proc_the_path_has_to_lead_to_the_same_file(void **state)
{
	int r;

	(void)state;
	assert_int_equal(output_file_replace("alone", "alone", 5, 0644), 0);
	assert_int_equal(output_file_replace("other", "other", 5, 0644), 0);
	assert_int_equal(link("alone", "hard"), 0);
	r = in_child(without_proc);
	if (r == 77) {
		print_message("# no process can have another root here\n");
		skip();
	}
	assert_int_equal(r, 0);
}

/* Checks that descriptor 0 is treated like others. */
static int with_stdin_closed(void)
{
	int here = open(".", O_PATH | O_CLOEXEC), found = input_file_find("alone", 0, NULL), fd;
	struct stat st = { 0 };
	char bytes[8];

	close(0);
	if (input_file_reopen(found, "alone") != 0)
		return 8;
	close(0);
	if (input_file_open_at(here, "alone", &st) < 0 || st.st_size != 5)
		return 1;
	close(0);
	if (input_file_find("a-fifo", 0, &st) != -EINVAL)
		return 6;
	fd = input_file_open("alone");
	if (fd <= 0 || read(fd, bytes, sizeof(bytes)) != 5)
		return 7;
	st.st_size = 0;
	found = input_file_find("alone", 0, &st);
	if (found != 0 || st.st_size != 5)
		return 2;
	fd = input_file_reopen(found, "alone");
	if (fd <= 0 || read(fd, bytes, sizeof(bytes)) != 5)
		return 3;
	close(0);
	if (input_file_find("none", 0, &st) != -ENOENT)
		return 4;
	/* The first open takes descriptor 0, so that the file gets another one. */
	found = open("alone", O_PATH | O_CLOEXEC);
	fd = input_file_open_at(here, "alone", &st);
	return found == 0 && fd > 0 && read(fd, bytes, sizeof(bytes)) == 5 ? 0 : 5;
}

static void a_file_may_have_descriptor_0(void **state)
{
	(void)state;
	assert_int_equal(output_file_replace("alone", "alone", 5, 0644), 0);
	assert_int_equal(mkfifo("a-fifo", 0600), 0);
	assert_int_equal(in_child(with_stdin_closed), 0);
}

static void a_file_of_an_open_folder_is_read(void **state)
{
	_cleanup_(closep) int here = open(".", O_PATH | O_CLOEXEC);
	_cleanup_(freep) char *text = NULL;
	_cleanup_(closep) int fd = -1;
	struct stat st = { .st_size = 7 };

	(void)state;
	assert_int_equal(output_file_replace("one", "hello", 5, 0600), 0);
	assert_int_equal(input_file_open_at(here, "none", &st), -ENOENT);
	assert_int_equal(st.st_size, 7);
	fd = input_file_open_at(here, "one", &st);
	assert_true(fd > 2);
	assert_int_equal(file_read_fd(fd, 100, &text, NULL), 0);
	assert_string_equal(text, "hello");
	assert_int_equal(st.st_size, 5);
}

static void other_files_of_a_process_are_found_as_they_are(void **state)
{
	_cleanup_(freep) char *exe = xasprintf("/proc/%d/exe", (int)getpid());
	_cleanup_(freep) char *maps = xasprintf("/proc/%d/maps", (int)getpid());
	_cleanup_(freep) char *root = xasprintf("/proc/%d/root/proc/version", (int)getpid());

	(void)state;
	assert_int_equal(opened(exe), 0);
	assert_int_equal(opened(maps), -EINVAL);
	assert_int_equal(opened(root), -EINVAL);
	assert_int_equal(opened("/proc/0/root/etc/passwd"), -ENOENT);
}

static bool is_private(int fd)
{
	return fd >= 0 && fcntl(fd, F_GETFD) & FD_CLOEXEC;
}

/* Programs that are started do not inherit the descriptors. */
static void descriptors_are_closed_for_other_programs(void **state)
{
	_cleanup_(closep) int here = open(".", O_PATH | O_CLOEXEC);
	_cleanup_(freep) char *folder = get_current_dir_name();
	_cleanup_(freep) char *path = xasprintf("/proc/%d/root%s/own", (int)getpid(), folder);
	_cleanup_(closep) int found = -1, behind = -1, fd = -1, at = -1;
	struct stat st;

	(void)state;
	assert_int_equal(output_file_replace("own", "hello", 5, 0600), 0);
	found = input_file_find("own", 0, NULL);
	behind = input_file_find(path, O_NOFOLLOW, &st);
	fd = input_file_reopen(found, "own");
	at = input_file_open_at(here, "own", &st);
	assert_true(is_private(found));
	assert_true(is_private(behind));
	assert_true(is_private(fd));
	assert_true(is_private(at));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(regular_files_are_read),
		cmocka_unit_test(nothing_else_is_opened),
		cmocka_unit_test(a_file_of_an_open_folder_is_no_link),
		cmocka_unit_test(files_of_the_kernel_are_not_for_others_to_name),
		cmocka_unit_test(a_link_can_be_refused),
		cmocka_unit_test(links_stay_inside_the_root_of_a_process),
		cmocka_unit_test(without_proc_the_path_has_to_lead_to_the_same_file),
		cmocka_unit_test(a_file_may_have_descriptor_0),
		cmocka_unit_test(a_file_of_an_open_folder_is_read),
		cmocka_unit_test(other_files_of_a_process_are_found_as_they_are),
		cmocka_unit_test(descriptors_are_closed_for_other_programs),
	};

	return cmocka_run_group_tests(tests, enter_scratch_folder, leave_scratch_folder);
}
