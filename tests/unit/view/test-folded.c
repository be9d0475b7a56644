/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/folded.h"
#include "view/folded.h"

/* Reads @text and prints it again. */
static void check(const char *text, const char *expected)
{
	_cleanup_(folded_reader_freep) struct folded_reader *r =
		folded_reader_new(flame_builder_new("all"), FLAME_AFTER, false, false);
	_cleanup_(flame_builder_freep) struct flame_builder *b = NULL;
	_cleanup_(flame_freep) struct flame *f = NULL;
	_cleanup_(freep) char *out = NULL;
	struct folded_facts facts;
	size_t n;
	FILE *file = open_memstream(&out, &n);

	folded_reader_take(r, text, strlen(text));
	b = folded_reader_end(r, &facts);
	f = flame_builder_finish(b, false);
	assert_int_equal(folded_print(f, file), 0);
	fclose(file);
	assert_string_equal(out, expected);
}

static void each_stack_is_a_line(void **state)
{
	(void)state;
	check("sh;main;write 1\nsh;main;read 2\nsh;main;read 1\n",
	      "sh;main;read 3\nsh;main;write 1\n");
}

static void callers_with_samples_of_their_own_have_a_line_too(void **state)
{
	(void)state;
	check("sh;main;read 2\nsh;main 1\nsh 4\n", "sh 4\nsh;main 1\nsh;main;read 2\n");
}

static void lines_are_in_the_order_of_their_bytes(void **state)
{
	const char *sorted = "a 1\na!;b 1\na;b 1\na;b c 1\na;b;c 1\na\x80;b 1\n";

	(void)state;
	check("a\x80;b 1\na;b;c 1\na;b c 1\na 1\na;b 1\na!;b 1\n", sorted);
}

static void nothing_is_no_line(void **state)
{
	(void)state;
	check("", "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_stack_is_a_line),
		cmocka_unit_test(callers_with_samples_of_their_own_have_a_line_too),
		cmocka_unit_test(lines_are_in_the_order_of_their_bytes),
		cmocka_unit_test(nothing_is_no_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
