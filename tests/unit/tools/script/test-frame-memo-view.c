/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tools/script/frame-memo-view.h"

static const struct frame_line line = { .chars = "\tmain\n", .length = 6, .is_kept = true };
static const struct span span = { .from = 100, .until = 200 };
static const struct frame_key user = { .ip = 0x4000, .pid = 7, .mode = ADDRESS_USER };
static const struct frame_key kernel = { .ip = 0x8000, .pid = 7, .mode = ADDRESS_KERNEL };

static bool finds(struct frame_key k, uint64_t moment)
{
	struct frame_memo m = { 0 };
	struct frame_line found = { .chars = NULL };
	bool is_known;

	frame_memo_add(&m, &user, &span, line);
	frame_memo_add(&m, &kernel, &span, line);
	is_known = frame_memo_find(&m, &k, moment, &found);
	if (is_known)
		assert_ptr_equal(found.chars, line.chars);
	frame_memo_done(&m);
	return is_known;
}

static void an_empty_one_finds_nothing(void **state)
{
	struct frame_memo m = { 0 };
	struct frame_line found;

	(void)state;
	assert_false(frame_memo_find(&m, &user, 150, &found));
}

static void a_line_is_found_at_its_times(void **state)
{
	(void)state;
	assert_true(finds(user, 150));
	assert_false(finds(user, 99));
	assert_false(finds(user, 200));
}

static void a_line_of_the_kernel_is_that_of_all_processes(void **state)
{
	struct frame_key u = user, k = kernel;

	(void)state;
	u.pid = k.pid = 8;
	assert_true(finds(k, 150));
	assert_false(finds(u, 150));
}

static void what_the_line_depends_on_is_compared(void **state)
{
	struct frame_key style = user, generation = user;

	(void)state;
	style.style = FRAME_CALL;
	generation.generation = 1;
	assert_false(finds(style, 150));
	assert_false(finds(generation, 150));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_one_finds_nothing),
		cmocka_unit_test(a_line_is_found_at_its_times),
		cmocka_unit_test(a_line_of_the_kernel_is_that_of_all_processes),
		cmocka_unit_test(what_the_line_depends_on_is_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
