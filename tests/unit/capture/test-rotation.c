/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "capture/rotation.h"

static void another_file_is_due_by_size(void **state)
{
	(void)state;
	const struct rotation r = { .bytes = 100 };

	assert_false(rotation_is_due(&r, 99, 0));
	assert_true(rotation_is_due(&r, 100, 0));
	assert_int_equal(rotation_deadline(&r), UINT64_MAX);
}

static void another_file_is_due_by_time(void **state)
{
	(void)state;
	struct rotation r = { .each_ns = 1000 };

	rotation_begin(&r, 500);
	assert_int_equal(rotation_deadline(&r), 1500);
	assert_false(rotation_is_due(&r, 1 << 30, 1499));
	assert_true(rotation_is_due(&r, 0, 1500));
	rotation_begin(&r, 1700);
	assert_int_equal(rotation_deadline(&r), 2700);
}

static void nothing_is_due_without_a_condition(void **state)
{
	(void)state;
	const struct rotation r = { 0 };

	assert_false(rotation_is_due(&r, UINT64_MAX - 1, UINT64_MAX - 1));
}

static void a_file_is_called_by_its_time(void **state)
{
	(void)state;
	const struct timespec t = { 1700000000, 129999999 };

	setenv("TZ", "UTC", 1);
	_cleanup_(freep) char *name = rotation_name("perf.data", &t);

	assert_string_equal(name, "perf.data.2023111422132012");
}

static void touch(const char *path)
{
	close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

static void two_files_are_never_called_alike(void **state)
{
	(void)state;
	char dir[] = "/tmp/rotation-XXXXXX";

	assert_non_null(mkdtemp(dir));
	_cleanup_(freep) char *path = xasprintf("%s/p", dir);
	_cleanup_(freep) char *first = rotation_name_now(path);

	touch(first);
	_cleanup_(freep) char *second = rotation_name_now(path);

	assert_string_not_equal(first, second);
	unlink(first);
	rmdir(dir);
}

static void only_the_last_files_are_kept(void **state)
{
	(void)state;
	char dir[] = "/tmp/rotation-XXXXXX";
	struct rotation r = { .max_files = 2 };
	char *names[3];

	assert_non_null(mkdtemp(dir));
	for (int i = 0; i < 3; i++) {
		names[i] = xasprintf("%s/%d", dir, i);
		touch(names[i]);
		rotation_add(&r, names[i]);
	}
	assert_int_equal(access(names[0], F_OK), -1);
	assert_int_equal(access(names[1], F_OK), 0);
	assert_int_equal(r.n, 2);
	for (int i = 0; i < 3; i++) {
		unlink(names[i]);
		free(names[i]);
	}
	rmdir(dir);
	rotation_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_file_is_due_by_size),
		cmocka_unit_test(another_file_is_due_by_time),
		cmocka_unit_test(nothing_is_due_without_a_condition),
		cmocka_unit_test(a_file_is_called_by_its_time),
		cmocka_unit_test(two_files_are_never_called_alike),
		cmocka_unit_test(only_the_last_files_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
