/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ftrace/text-view.h"

static char *print(const char *in)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	trace_text_print(out, in, strlen(in));
	fclose(out);
	return text;
}

static void the_kernels_text_stays_as_it_is(void **state)
{
	char *text = print(" 0)   1.0 us\t|  schedule();\n");

	(void)state;
	assert_string_equal(text, " 0)   1.0 us\t|  schedule();\n");
	free(text);
}

static void a_name_does_not_reach_the_terminal(void **state)
{
	char *text = print("\x1b]0;x\x07-12\t[000]\nschedule\n\x9b");

	(void)state;
	assert_string_equal(text, "\\x1b]0;x\\x07-12\t[000]\nschedule\n\\x9b");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernels_text_stays_as_it_is),
		cmocka_unit_test(a_name_does_not_reach_the_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
