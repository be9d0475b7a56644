/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "probe/line-pattern.h"

/* The examples are those of the manual. */
static void blanks_do_not_count(void **state)
{
	(void)state;
	assert_true(line_pattern_matches("a=*", "\ta = b;\n"));
	assert_true(line_pattern_matches("a=*", "a == b"));
	assert_true(line_pattern_matches("rq=cpu_rq*", "\trq = cpu_rq(cpu);"));
}

static void the_whole_line_must_match(void **state)
{
	(void)state;
	assert_false(line_pattern_matches("tcp_push", "\t\ttcp_push(sk, flags);"));
	assert_true(line_pattern_matches("tcp_push(*", "\t\ttcp_push(sk, flags);"));
	assert_false(line_pattern_matches("tcp_push(*", "\t\t__tcp_push(sk, flags);"));
	assert_true(line_pattern_matches("*tcp_push*", "\t\t__tcp_push(sk, flags);"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_do_not_count),
		cmocka_unit_test(the_whole_line_must_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
