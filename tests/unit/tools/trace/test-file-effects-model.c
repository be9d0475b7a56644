/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "tools/trace/kept-call-model.h"
#include "tools/trace/file-effects-model.h"
#include "tools/trace/files-model.h"

struct world {
	struct file_effects effects;
	struct trace_files *files;
};

static struct world world;

static int setup(void **state)
{
	(void)state;
	file_effects_init(&world.effects);
	world.files = trace_files_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	file_effects_done(&world.effects);
	trace_files_unref(world.files);
	return 0;
}

static struct trace_call call(const char *name, uint64_t arg0, uint64_t arg1, int64_t result)
{
	int nr = syscall_number(SYSCALL_ABI_X86_64, name);

	assert_true(nr >= 0);
	return (struct trace_call){ .abi = SYSCALL_ABI_X86_64,
				    .nr = nr,
				    .has_enter = true,
				    .enter_ns = 10,
				    .exit_ns = 20,
				    .args = { arg0, arg1 },
				    .result = result };
}

static bool apply(const struct trace_call *c)
{
	bool has = file_effects_has(&world.effects, c);

	if (has)
		file_effects_apply(&world.effects, c, world.files);
	return has;
}

static const char *path_of(int fd)
{
	const char *path = "";

	trace_files_find(world.files, fd, &path);
	return path;
}

static void open_text(const char *text, size_t size, int64_t result)
{
	struct call_data d = { .arg = 1, .size = (uint32_t)size, .bytes = (const uint8_t *)text };
	struct trace_call c = call("openat", (uint64_t)AT_FDCWD, 0x1000, result);

	c.data = &d;
	c.n_data = 1;
	apply(&c);
}

static void open_tells_the_path_if_it_is_absolute_and_whole(void **state)
{
	(void)state;
	open_text("/etc/passwd", 12, 3);
	assert_string_equal(path_of(3), "/etc/passwd");
	open_text("relative", 9, 3);
	assert_string_equal(path_of(3), "");
	open_text("/cut", 4, 3);
	assert_string_equal(path_of(3), "");
	open_text("", 0, 3);
	assert_string_equal(path_of(3), "");
	open_text("/fails", 7, -ENOENT);
	assert_string_equal(path_of(-ENOENT), "");
}

static void close_forgets_unless_there_was_nothing(void **state)
{
	struct trace_call failed = call("close", 3, 0, -EBADF), ok = call("close", 3, 0, -EIO);

	(void)state;
	trace_files_set(world.files, 3, "/x", 1);
	assert_false(apply(&failed));
	assert_string_equal(path_of(3), "/x");
	assert_true(apply(&ok));
	assert_string_equal(path_of(3), "");
}

static void dup_and_fcntl_copy(void **state)
{
	struct trace_call dup = call("dup2", 3, 1, 1),
			  fcntl_dup = call("fcntl", 3, F_DUPFD_CLOEXEC, 10),
			  fcntl_get = call("fcntl", 3, F_GETFL, 11);

	(void)state;
	trace_files_set(world.files, 3, "/x", 1);
	apply(&dup);
	apply(&fcntl_dup);
	apply(&fcntl_get);
	assert_string_equal(path_of(1), "/x");
	assert_string_equal(path_of(10), "/x");
	assert_string_equal(path_of(11), "");
}

static void close_range_forgets_but_not_if_it_only_marks(void **state)
{
	struct trace_call c = call("close_range", 3, UINT32_MAX, 0);

	(void)state;
	trace_files_set(world.files, 2, "/two", 1);
	trace_files_set(world.files, 3, "/three", 1);
	c.args[2] = 4; /* CLOSE_RANGE_CLOEXEC */
	apply(&c);
	assert_string_equal(path_of(3), "/three");
	c.args[2] = 0;
	apply(&c);
	assert_string_equal(path_of(3), "");
	assert_string_equal(path_of(2), "/two");
}

static void new_descriptors_stand_for_something_else(void **state)
{
	int32_t fds[2] = { 3, 4 };
	struct call_data d = { .flags = CALL_DATA_AT_EXIT,
			       .size = sizeof(fds),
			       .bytes = (const uint8_t *)fds };
	struct trace_call pipe = call("pipe2", 0x1000, 0, 0), socket = call("socket", 2, 1, 5);

	(void)state;
	for (int i = 3; i <= 5; i++)
		trace_files_set(world.files, i, "/x", 1);
	pipe.data = &d;
	pipe.n_data = 1;
	apply(&pipe);
	assert_string_equal(path_of(3), "");
	assert_string_equal(path_of(4), "");
	apply(&socket);
	assert_string_equal(path_of(5), "");
}

static void exec_is_known_also_if_its_beginning_was_not_seen(void **state)
{
	struct trace_call exec = call("execve", 0, 0, 0), failed = call("execve", 0, 0, -ENOENT);

	(void)state;
	exec.has_enter = false;
	assert_true(file_effects_has(&world.effects, &exec));
	assert_true(file_effects_is_exec(&world.effects, &exec));
	assert_false(file_effects_has(&world.effects, &failed));
}

static void calls_that_nobody_knows_have_no_effect(void **state)
{
	struct trace_call c = call("close", 3, 0, 0);

	(void)state;
	c.nr = 100000;
	assert_false(file_effects_has(&world.effects, &c));
	c.nr = -1;
	assert_false(file_effects_has(&world.effects, &c));
	c = call("close", 3, 0, 0);
	c.abi = SYSCALL_ABI_NONE;
	assert_false(file_effects_has(&world.effects, &c));
	c.abi = 200;
	assert_false(file_effects_has(&world.effects, &c));
	c = call("close", 3, 0, 0);
	c.has_enter = false;
	assert_false(file_effects_has(&world.effects, &c));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(open_tells_the_path_if_it_is_absolute_and_whole),
		TEST(close_forgets_unless_there_was_nothing),
		TEST(dup_and_fcntl_copy),
		TEST(close_range_forgets_but_not_if_it_only_marks),
		TEST(new_descriptors_stand_for_something_else),
		TEST(exec_is_known_also_if_its_beginning_was_not_seen),
		TEST(calls_that_nobody_knows_have_no_effect),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
