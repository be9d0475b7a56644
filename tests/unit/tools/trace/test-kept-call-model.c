/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tools/trace/kept-call-model.h"

static void a_copy_outlives_what_it_was_made_from(void **state)
{
	char text[] = "/etc/passwd";
	struct call_data data[] = { { .arg = 1, .size = sizeof(text), .bytes = (uint8_t *)text },
				    { .arg = 2, .flags = CALL_DATA_FAULT } };
	struct trace_call c = { .nr = 7, .data = data, .n_data = 2, .stack = (void *)text };
	struct kept_call k = { 0 };

	(void)state;
	kept_call_set(&k, &c);
	memset(text, 'x', sizeof(text));
	memset(data, 0, sizeof(data));
	assert_int_equal(k.call.nr, 7);
	assert_null(k.call.stack);
	assert_int_equal(k.call.n_data, 2);
	assert_string_equal((const char *)k.call.data[0].bytes, "/etc/passwd");
	assert_int_equal(k.call.data[1].flags, CALL_DATA_FAULT);
	kept_call_done(&k);
}

static void frames_are_copied(void **state)
{
	uint64_t frames[] = { 0x1000, 0x2000 };
	struct trace_call c = { .frames = frames, .n_frames = 2 }, none = { 0 };
	struct kept_call k = { 0 };

	(void)state;
	kept_call_set(&k, &c);
	frames[1] = 0;
	assert_int_equal(k.call.n_frames, 2);
	assert_int_equal(k.call.frames[1], 0x2000);
	assert_int_equal(kept_call_size(&k), 16);
	kept_call_set(&k, &none);
	assert_int_equal(k.call.n_frames, 0);
	assert_int_equal(kept_call_size(&k), 0);
	kept_call_done(&k);
}

static void pieces_that_are_added_move_the_others_along(void **state)
{
	static uint8_t large[100000];
	struct call_data first = { .arg = 0, .size = 3, .bytes = (const uint8_t *)"ab" };
	struct call_data second = { .arg = 1, .size = sizeof(large), .bytes = large };
	struct trace_call c = { .data = &first, .n_data = 1 };
	struct kept_call k = { 0 };

	(void)state;
	large[99999] = 7;
	kept_call_set(&k, &c);
	kept_call_add(&k, &second, 1);
	assert_string_equal((const char *)trace_call_data(&k.call, 0, 0)->bytes, "ab");
	assert_int_equal(trace_call_data(&k.call, 1, 0)->bytes[99999], 7);
	assert_null(trace_call_data(&k.call, 1, 1));
	kept_call_set(&k, &c);
	assert_int_equal(k.call.n_data, 1);
	kept_call_done(&k);
}

static void too_much_is_left_out(void **state)
{
	struct call_data many[CALL_DATA_MAX + 5] = { 0 };
	uint8_t *huge = calloc(1, 2 << 20);
	struct call_data one = { .size = 2 << 20, .bytes = huge };
	struct trace_call c = { .data = many, .n_data = CALL_DATA_MAX + 5 };
	struct kept_call k = { 0 };

	(void)state;
	kept_call_set(&k, &c);
	assert_int_equal(k.call.n_data, CALL_DATA_MAX);
	c.data = &one;
	c.n_data = 1;
	kept_call_set(&k, &c);
	assert_int_equal(k.call.n_data, 0);
	kept_call_done(&k);
	free(huge);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_outlives_what_it_was_made_from),
		cmocka_unit_test(frames_are_copied),
		cmocka_unit_test(pieces_that_are_added_move_the_others_along),
		cmocka_unit_test(too_much_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
