/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "wire/file-id-tail.h"

static const struct file_id file = { 8, 1, 0x1234567890, 7 };

static struct file_id got(const struct bytes *b)
{
	struct cursor c = cursor_over(b->data, b->n, false);

	return file_id_tail_get(&c);
}

static void what_was_put_behind_a_name_is_found(void **state)
{
	(void)state;
	for (size_t align = 8; align <= 64; align *= 8) {
		_cleanup_(bytes_done) struct bytes b = { 0 };

		bytes_string(&b, "/bin/x", align);
		file_id_tail_put(&file, &b);

		struct file_id id = got(&b);

		assert_memory_equal(&id, &file, sizeof(id));
	}
}

static void a_file_that_is_not_known_adds_nothing(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	file_id_tail_put(&(struct file_id){ 8, 1, 0, 0 }, &b);
	assert_int_equal(b.n, 0);
}

static void a_name_alone_has_none(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	bytes_string(&b, "/usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1", 64);
	assert_int_equal(got(&b).ino, 0);
}

static void nothing_has_none(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	assert_int_equal(got(&b).ino, 0);
	bytes_zero(&b, 8);
	assert_int_equal(got(&b).ino, 0);
}

static void a_name_that_does_not_end_before_it_has_none(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	bytes_add(&b, "/bin/xyz", 8);
	file_id_tail_put(&file, &b);
	assert_int_equal(got(&b).ino, 0);
}

static void a_cut_one_is_none(void **state)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	bytes_string(&b, "/bin/x", 8);
	file_id_tail_put(&file, &b);
	for (b.n--; b.n; b.n--)
		assert_int_equal(got(&b).ino, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_behind_a_name_is_found),
		cmocka_unit_test(a_file_that_is_not_known_adds_nothing),
		cmocka_unit_test(a_name_alone_has_none),
		cmocka_unit_test(nothing_has_none),
		cmocka_unit_test(a_name_that_does_not_end_before_it_has_none),
		cmocka_unit_test(a_cut_one_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
