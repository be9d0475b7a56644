/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "symbol/language-runtime.h"

static void assert_runtime(const char *path, enum language_runtime wanted, unsigned wanted_minor)
{
	unsigned minor = 99;

	assert_int_equal(language_runtime_of(path, &minor), wanted);
	assert_int_equal(minor, wanted_minor);
}

static void interpreters_are_known_by_their_files(void **state)
{
	(void)state;
	assert_runtime("/usr/bin/python3", RUNTIME_PYTHON, 0);
	assert_runtime("/usr/bin/python3.13", RUNTIME_PYTHON, 13);
	assert_runtime("/usr/lib/libpython3.11.so.1.0", RUNTIME_PYTHON, 11);
	assert_runtime("node", RUNTIME_NODE, 0);
	assert_runtime("/usr/lib/jvm/lib/server/libjvm.so", RUNTIME_JAVA, 0);
	assert_runtime("/usr/bin/python3-config", RUNTIME_NONE, 0);
	assert_runtime("/usr/bin/nodes", RUNTIME_NONE, 0);
	assert_runtime("", RUNTIME_NONE, 0);
}

static void each_has_an_advice(void **state)
{
	_cleanup_(text_done) struct text old = TEXT_EMPTY, new = TEXT_EMPTY;

	(void)state;
	language_runtime_advise(RUNTIME_PYTHON, 11, &old);
	assert_non_null(strstr(old.chars, "from Python 3.12 on"));
	for (enum language_runtime r = RUNTIME_NONE + 1; r < RUNTIMES; r++) {
		text_clear(&new);
		language_runtime_advise(r, 0, &new);
		assert_non_null(strstr(new.chars, " -"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interpreters_are_known_by_their_files),
		cmocka_unit_test(each_has_an_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
