/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file-id.h"

static void files_differ_by_device_inode_and_generation(void **state)
{
	const struct file_id a = { 8, 1, 6, 7 };

	(void)state;
	assert_false(file_id_differs(&a, &(struct file_id){ 8, 1, 6, 7 }));
	assert_true(file_id_differs(&a, &(struct file_id){ 9, 1, 6, 7 }));
	assert_true(file_id_differs(&a, &(struct file_id){ 8, 2, 6, 7 }));
	assert_true(file_id_differs(&a, &(struct file_id){ 8, 1, 5, 7 }));
	assert_true(file_id_differs(&a, &(struct file_id){ 8, 1, 6, 8 }));
}

static void what_is_not_known_does_not_differ(void **state)
{
	const struct file_id a = { 8, 1, 6, 7 }, unknown = { 0 };

	(void)state;
	assert_false(file_id_differs(&a, &unknown));
	assert_false(file_id_differs(&unknown, &a));
	assert_false(file_id_differs(&a, &(struct file_id){ 8, 1, 6, 0 }));
	assert_false(file_id_differs(&(struct file_id){ 8, 1, 6, 0 }, &a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_differ_by_device_inode_and_generation),
		cmocka_unit_test(what_is_not_known_does_not_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
