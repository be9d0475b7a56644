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

static void assert_runtime(const char *path, enum runtime_kind wanted)
{
	assert_int_equal(language_runtime_of(path), wanted);
}

static void interpreters_are_known_by_their_files(void **state)
{
	(void)state;
	assert_runtime("/usr/bin/python3", RUNTIME_KIND_PYTHON);
	assert_runtime("/usr/bin/python3.13", RUNTIME_KIND_PYTHON);
	assert_runtime("/usr/lib/libpython3.11.so.1.0", RUNTIME_KIND_PYTHON);
	assert_runtime("node", RUNTIME_KIND_V8);
	assert_runtime("/usr/lib/jvm/lib/server/libjvm.so", RUNTIME_KIND_JAVA);
	assert_runtime("/usr/bin/python3-config", RUNTIME_KIND_NONE);
	assert_runtime("/usr/bin/nodes", RUNTIME_KIND_NONE);
	assert_runtime("", RUNTIME_KIND_NONE);
}

static void each_has_an_advice(void **state)
{
	_cleanup_(text_done) struct text advice = TEXT_EMPTY;

	(void)state;
	language_runtime_advise(RUNTIME_KIND_V8, &advice);
	assert_non_null(strstr(advice.chars, "JavaScript functions"));
	assert_non_null(strstr(advice.chars, "--call-graph bpf"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interpreters_are_known_by_their_files),
		cmocka_unit_test(each_has_an_advice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
