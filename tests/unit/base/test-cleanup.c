/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"

struct thing {
	int *freed;
};

static void thing_free(struct thing *t)
{
	if (t)
		(*t->freed)++;
}
DEFINE_FREEP(thing)

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static void what_goes_out_of_scope_is_released(void **state)
{
	int freed = 0, fd, dir_fd, file_fd;

	(void)state;
	{
		struct thing t = { &freed };
		_cleanup_(thing_freep) struct thing *owner = &t;
		_cleanup_(closep) int null = open("/dev/null", O_RDONLY);
		_cleanup_(closedirp) DIR *dir = opendir("/");
		_cleanup_(fclosep) FILE *file = fopen("/dev/null", "r");
		_cleanup_(freep) char *memory = malloc(1);

		assert_non_null(memory);
		assert_ptr_equal(owner, &t);
		fd = null;
		dir_fd = dirfd(dir);
		file_fd = fileno(file);
		assert_true(is_open(fd) && is_open(dir_fd) && is_open(file_fd));
	}
	assert_int_equal(freed, 1);
	assert_false(is_open(fd) || is_open(dir_fd) || is_open(file_fd));
}

static void what_was_taken_is_not_released(void **state)
{
	int freed = 0;
	struct thing t = { &freed }, *kept;

	(void)state;
	{
		_cleanup_(thing_freep) struct thing *owner = &t;

		kept = TAKE(owner);
		assert_null(owner);
	}
	assert_ptr_equal(kept, &t);
	assert_int_equal(freed, 0);
}

static void nothing_is_released_quietly(void **state)
{
	(void)state;
	_cleanup_(closep) int fd = -1;
	_cleanup_(closedirp) DIR *dir = NULL;
	_cleanup_(fclosep) FILE *file = NULL;
	_cleanup_(freep) char *memory = NULL;

	assert_int_equal(fd, -1);
	assert_null(dir);
	assert_null(file);
	assert_null(memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_goes_out_of_scope_is_released),
		cmocka_unit_test(what_was_taken_is_not_released),
		cmocka_unit_test(nothing_is_released_quietly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
