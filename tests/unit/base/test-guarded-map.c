/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/guarded-map.h"

#define PAGES 4
#define MANY  700

static int file_of_pages(void)
{
	int fd = memfd_create("test", MFD_CLOEXEC);
	long page = sysconf(_SC_PAGESIZE);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, PAGES * page), 0);
	for (int i = 0; i < PAGES; i++)
		assert_int_equal(pwrite(fd, "x", 1, i * page), 1);
	return fd;
}

static void a_file_that_stays_is_read_as_it_is(void **state)
{
	(void)state;
	_cleanup_(closep) int fd = file_of_pages();
	_cleanup_(guarded_map_freep) struct guarded_map *m = NULL;
	long page = sysconf(_SC_PAGESIZE);

	assert_int_equal(guarded_map_new(fd, (uint64_t)(PAGES * page), &m), 0);
	for (int i = 0; i < PAGES; i++)
		assert_int_equal(guarded_map_bytes(m)[i * page], 'x');
	assert_false(guarded_map_shrank(m));
	guarded_map_release(m, (uint64_t)(PAGES * page));
	assert_int_equal(guarded_map_bytes(m)[0], 'x');
}

static void what_is_gone_reads_as_zeros(void **state)
{
	(void)state;
	_cleanup_(closep) int fd = file_of_pages();
	_cleanup_(guarded_map_freep) struct guarded_map *m = NULL;
	long page = sysconf(_SC_PAGESIZE);

	assert_int_equal(guarded_map_new(fd, (uint64_t)(PAGES * page), &m), 0);
	assert_int_equal(ftruncate(fd, page), 0);
	assert_int_equal(guarded_map_bytes(m)[0], 'x');
	assert_false(guarded_map_shrank(m));
	assert_int_equal(guarded_map_bytes(m)[2 * page], 0);
	assert_true(guarded_map_shrank(m));
}

static void what_was_dropped_can_be_read_again(void **state)
{
	(void)state;
	_cleanup_(closep) int fd = file_of_pages();
	_cleanup_(guarded_map_freep) struct guarded_map *m = NULL;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	assert_int_equal(guarded_map_new(fd, PAGES * page, &m), 0);
	guarded_map_drop(m, 0, PAGES * page);
	guarded_map_drop(m, 1, 2 * page);
	guarded_map_drop(m, page, UINT64_MAX / 2);
	guarded_map_drop(m, 2 * PAGES * page, page);
	for (int i = 0; i < PAGES; i++)
		assert_int_equal(guarded_map_bytes(m)[(uint64_t)i * page], 'x');
}

static void what_cannot_be_mapped_is_refused(void **state)
{
	(void)state;
	struct guarded_map *m = NULL;
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_true(guarded_map_new(fds[0], 4096, &m) < 0);
	assert_null(m);
	close(fds[0]);
	close(fds[1]);
}

static void any_number_of_files_can_be_mapped(void **state)
{
	(void)state;
	_cleanup_(closep) int fd = file_of_pages();
	long page = sysconf(_SC_PAGESIZE);
	struct guarded_map *maps[MANY];

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < MANY; i++)
			assert_int_equal(guarded_map_new(fd, (uint64_t)(PAGES * page), &maps[i]),
					 0);
		for (size_t i = 0; i < MANY; i++)
			assert_int_equal(guarded_map_bytes(maps[i])[0], 'x');
		assert_int_equal(ftruncate(fd, page), 0);
		assert_int_equal(guarded_map_bytes(maps[0])[page], 0);
		assert_int_equal(guarded_map_bytes(maps[MANY - 1])[page], 0);
		assert_true(guarded_map_shrank(maps[0]) && guarded_map_shrank(maps[MANY - 1]));
		assert_false(guarded_map_shrank(maps[1]));
		for (size_t i = 0; i < MANY; i++)
			guarded_map_free(maps[i]);
		assert_int_equal(ftruncate(fd, PAGES * page), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_stays_is_read_as_it_is),
		cmocka_unit_test(what_is_gone_reads_as_zeros),
		cmocka_unit_test(what_was_dropped_can_be_read_again),
		cmocka_unit_test(what_cannot_be_mapped_is_refused),
		cmocka_unit_test(any_number_of_files_can_be_mapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
