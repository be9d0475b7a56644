/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "tools/ftrace/profile-model.h"
#include "tools/ftrace/profile-view.h"

static char *print(struct function_rows rows)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	function_rows_print(out, &rows);
	fclose(out);
	return text;
}

static void rows_are_aligned(void **state)
{
	struct function_row items[] = { { "schedule", 1339061592, 539098900, 53 },
					{ "bad\x1b[31m", 1000, 1000, 3 } };
	char *text = print((struct function_rows){ items, 2, 2 });

	(void)state;
	assert_string_equal(text, "# Total (us)   Avg (us)   Max (us)      Count   Function\n"
				  " 1339061.592  25265.313 539098.900         53   schedule\n"
				  "       1.000      0.333      1.000          3   bad\\x1b[31m\n");
	free(text);
}

static void without_rows_there_is_no_heading(void **state)
{
	char *text = print((struct function_rows){ 0 });

	(void)state;
	assert_string_equal(text, "");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_aligned),
		cmocka_unit_test(without_rows_there_is_no_heading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
