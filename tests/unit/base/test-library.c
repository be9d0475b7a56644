/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>

#include "base/cleanup.h"
#include "base/library.h"

#define LIBRARY "libc.so.6"

struct functions {
	size_t (*length)(const char *s);
	uint64_t untouched;
	int (*absolute)(int value);
	void (*missing)(void);
};

/* Not in the order of the struct. */
static const struct library_function fs[] = {
	{ "abs", offsetof(struct functions, absolute) },
	{ "strlen", offsetof(struct functions, length) },
	{ "no_function_of_libc", offsetof(struct functions, missing) },
	{ "no_other_function_of_libc", offsetof(struct functions, missing) },
};

static void each_function_comes_into_its_member(void **state)
{
	struct functions f = { .untouched = 7 };
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	(void)state;
	assert_non_null(library);
	assert_null(library_find(library, fs, 2, &f));
	assert_int_equal(f.length("four"), 4);
	assert_int_equal(f.absolute(-3), 3);
	assert_int_equal(f.untouched, 7);
	assert_null(f.missing);
	dlclose(library);
}

static void the_first_missing_name_is_told(void **state)
{
	struct functions f = { 0 };
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);

	(void)state;
	assert_string_equal(library_find(library, fs, ARRAY_SIZE(fs), &f), "no_function_of_libc");
	assert_null(f.missing);
	dlclose(library);
}

/* This program has abs() itself, so a search of the whole process would find it. */
static void a_library_that_cannot_be_opened_has_no_functions(void **state)
{
	struct functions f = { 0 };
	void *library = dlopen("libperf-has-no-such-library.so.0", RTLD_LAZY | RTLD_LOCAL);

	(void)state;
	assert_null(library);
	assert_string_equal(library_find(library, fs, 2, &f), "abs");
	assert_null(f.absolute);
	assert_null(f.length);
}

static void of_no_functions_none_is_missing(void **state)
{
	(void)state;
	assert_null(library_find(NULL, NULL, 0, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_function_comes_into_its_member),
		cmocka_unit_test(the_first_missing_name_is_told),
		cmocka_unit_test(a_library_that_cannot_be_opened_has_no_functions),
		cmocka_unit_test(of_no_functions_none_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
