/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "captured.h"
#include "cli/command.h"
#include "cli/fitted-output.h"

static void files_get_tables_as_they_are(void **state)
{
	struct captured out;
	struct settings settings = { 0 };
	struct invocation inv = { .settings = &settings };
	struct fitted_output fitted;

	(void)state;
	captured_init(&out);
	inv.out = settings.out = out.file;
	fitted_open(&fitted, &inv, inv.out);
	assert_int_equal(fitted.columns, 0);
	assert_ptr_equal(fitted.out, out.file);
	fprintf(fitted.out, "%-100s|\n", "a");
	fitted_close(&fitted);
	assert_int_equal(strlen(captured_text(&out)), 102);
	captured_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_get_tables_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
