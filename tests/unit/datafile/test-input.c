/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/input.h"
#include "example-file.h"

static void a_file_can_be_looked_at_anywhere(void **state)
{
	(void)state;
	char *path = temporary();
	struct bytes b = samples(), room = { 0 };
	struct input in;

	spill(path, &b);
	input_init(&in, open(path, O_RDONLY), true);
	assert_memory_equal(input_at(&in, 24, 24, &room), b.data + 24, 24);
	assert_non_null(input_at(&in, b.n, 0, &room));
	assert_null(input_at(&in, b.n, 1, &room));
	assert_null(input_at(&in, 1, UINT64_MAX, &room));
	input_done(&in);
	bytes_done(&b);
	bytes_done(&room);
	unlink(path);
	free(path);
}

static void a_pipe_waits_for_what_is_asked_for(void **state)
{
	(void)state;
	struct bytes b = samples(), room = { 0 };
	const uint8_t *p, *lent;
	struct input in;
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(write(fds[1], b.data, b.n), b.n);
	close(fds[1]);
	input_init(&in, fds[0], true);
	assert_true(in.is_stream);
	assert_null(input_at(&in, 0, 1, &room));
	assert_true(input_peek(&in, 48, &p) >= 48);
	lent = input_take(&in, 24, 24);
	input_skip(&in, 24);
	assert_true(input_peek(&in, 24, &p) >= 24);
	assert_memory_equal(p, b.data + 48, 24);
	assert_memory_equal(lent, b.data, 24);
	input_skip(&in, UINT64_MAX);
	assert_int_equal(input_peek(&in, 1, &p), 0);
	input_done(&in);
	bytes_done(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_can_be_looked_at_anywhere),
		cmocka_unit_test(a_pipe_waits_for_what_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
