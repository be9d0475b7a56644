/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "profile/branch-history.h"
#include "profile/frames.h"
#include "symbol/symbol.h"

static const struct symbol symbols[] = {
	{ .start = 0x10, .end = 0x20, .name = "sys_read" },
	{ .start = 0x20, .end = 0x30, .name = "vfs_read" },
};

static uint32_t add(struct frames *f, const struct symbol *sym)
{
	const struct location loc = { .addr = 0x15, .image_addr = 0x15, .sym = sym };

	return frames_add(f, &loc, ADDRESS_USER, FRAME_OF_STACK);
}

static void functions_are_told_by_their_names(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	_cleanup_(frame_marks_done) struct frame_marks m = { 0 };
	uint32_t nameless = add(f, NULL), sys = add(f, &symbols[0]), vfs = add(f, &symbols[1]);
	regex_t regex;

	(void)state;
	assert_int_equal(regcomp(&regex, "^sys_", REG_EXTENDED | REG_NOSUB), 0);
	m.regex = &regex;
	for (unsigned round = 0; round < 2; round++) {
		assert_false(frame_marks_has(&m, f, vfs));
		assert_true(frame_marks_has(&m, f, sys));
		assert_false(frame_marks_has(&m, f, nameless));
	}
	regfree(&regex);
}

static void without_an_expression_nothing_matches(void **state)
{
	_cleanup_(frames_freep) struct frames *f = frames_new(false);
	_cleanup_(frame_marks_done) struct frame_marks m = { 0 };

	(void)state;
	assert_false(frame_marks_has(&m, f, add(f, &symbols[0])));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_told_by_their_names),
		cmocka_unit_test(without_an_expression_nothing_matches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
