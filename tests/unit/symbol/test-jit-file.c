/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "scratch.h"
#include "skip.h"
#include "symbol/jit-file.h"

/* A number that no user has. */
#define STRANGER 54321

static const struct jit_trust nobody_else = { 0 };

/* Returns the result of opening @path, and closes the file again. */
static int try_open(const char *path, const struct jit_trust *t)
{
	_cleanup_(jit_file_done) struct jit_file f = JIT_FILE_NONE;

	return jit_file_open(path, t, &f);
}

static char *written(const char *dir, const char *name)
{
	char *path = scratch_path(dir, name);

	scratch_write(path, "1000 10 f\n");
	return path;
}

static void needs_root(void)
{
	if (geteuid() != 0)
		skip_because("only root may do this");
}

static void an_own_file_is_opened(void **state)
{
	_cleanup_(freep) char *path = written(*state, "perf-7.map");
	_cleanup_(jit_file_done) struct jit_file f = JIT_FILE_NONE;

	assert_int_equal(jit_file_open(path, &nobody_else, &f), 0);
	assert_true(f.fd >= 0);
	assert_int_equal(f.size, strlen("1000 10 f\n"));
	assert_string_equal(f.path, path);
	assert_null(f.refusal);
}

static void only_regular_files_are_opened(void **state)
{
	_cleanup_(freep) char *fifo = scratch_path(*state, "perf-1.map");
	_cleanup_(freep) char *gone = scratch_path(*state, "perf-2.map");

	assert_int_equal(mkfifo(fifo, 0666), 0);
	assert_int_equal(try_open(fifo, &nobody_else), -EINVAL);
	assert_int_equal(try_open(*state, &nobody_else), -EINVAL);
	assert_int_equal(try_open("/dev/null", &nobody_else), -EINVAL);
	assert_int_equal(try_open(gone, &nobody_else), -ENOENT);
}

static void a_strangers_file_is_refused_by_name(void **state)
{
	_cleanup_(freep) char *path = written(*state, "perf-7.map");
	_cleanup_(jit_file_done) struct jit_file f = JIT_FILE_NONE;

	needs_root();
	assert_int_equal(chown(path, STRANGER, STRANGER), 0);
	assert_int_equal(jit_file_open(path, &nobody_else, &f), -EPERM);
	assert_int_equal(f.fd, -1);
	assert_string_equal(f.refusal, "it belongs to uid 54321, not to you or root, and may hold "
				       "invented names");
	assert_int_equal(try_open(path, &(struct jit_trust){ .any_owner = true }), 0);
}

/* Starts a process of user STRANGER that waits to be killed. */
static pid_t strangers_process(void)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);

	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		/*
		 * A process that changes its user belongs to root in /proc until it has executed a
		 * program.
		 */
		if (setgid(STRANGER) || setuid(STRANGER) || close(ready[0]) ||
		    dup2(ready[1], STDOUT_FILENO) < 0)
			_exit(1);
		execlp("sh", "sh", "-c", "echo; exec sleep 100", NULL);
		_exit(1);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void the_user_of_the_running_process_is_trusted(void **state)
{
	_cleanup_(freep) char *path = written(*state, "perf-7.map");
	_cleanup_(jit_file_done) struct jit_file f = JIT_FILE_NONE;

	needs_root();
	assert_int_equal(chown(path, STRANGER, STRANGER), 0);

	pid_t pid = strangers_process();
	const struct jit_trust trust = { .pid = pid };

	assert_int_equal(try_open(path, &trust), 0);
	assert_int_equal(chown(path, STRANGER + 1, STRANGER), 0);
	assert_int_equal(jit_file_open(path, &trust, &f), -EPERM);
	assert_non_null(strstr(f.refusal, "the user of process"));
	assert_int_equal(chown(path, STRANGER, STRANGER), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(try_open(path, &trust), -EPERM);
}

static void links_are_followed_by_who_made_them(void **state)
{
	_cleanup_(freep) char *path = written(*state, "perf-1.map");
	_cleanup_(freep) char *link = scratch_path(*state, "perf-7.map");

	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(try_open(link, &nobody_else), 0);
	needs_root();
	/* A stranger's link to an own file, and then an own link to a stranger's file. */
	assert_int_equal(lchown(link, STRANGER, STRANGER), 0);
	assert_int_equal(try_open(link, &nobody_else), -EPERM);
	assert_int_equal(lchown(link, 0, 0), 0);
	assert_int_equal(chown(path, STRANGER, STRANGER), 0);
	assert_int_equal(try_open(link, &nobody_else), -EPERM);
}

static void a_file_is_found_below_symfs(void **state)
{
	_cleanup_(freep) char *path = written(*state, "tmp/jit-7.dump");
	_cleanup_(jit_file_done) struct jit_file f = JIT_FILE_NONE;

	assert_int_equal(jit_file_find("/tmp/jit-7.dump", *state, &nobody_else, &f), 0);
	assert_string_equal(f.path, path);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scratch_make, scratch_remove)
	const struct CMUnitTest tests[] = {
		TEST(an_own_file_is_opened),
		TEST(only_regular_files_are_opened),
		TEST(a_strangers_file_is_refused_by_name),
		TEST(the_user_of_the_running_process_is_trusted),
		TEST(links_are_followed_by_who_made_them),
		TEST(a_file_is_found_below_symfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
