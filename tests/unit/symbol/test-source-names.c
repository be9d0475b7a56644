/* SPDX-License-Identifier: MIT */
/* Tests the symbols of functions that have no place of their own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/memory.h"
#include "symbol/source.h"

/* A demangler: "_x" becomes "x". */
static char *without_underscore(const char *name)
{
	return *name == '_' ? xstrdup(name + 1) : NULL;
}

static void equal_names_are_one_symbol(void **state)
{
	struct source_names n = { .pretty = without_underscore };
	char once[] = "_f", again[] = "_f", plain[] = "f";
	const struct symbol *s = source_names_inlined(&n, once);

	(void)state;
	assert_string_equal(s->name, "f");
	assert_true(s->is_inlined);
	assert_ptr_equal(source_names_inlined(&n, once), s);
	assert_ptr_equal(source_names_inlined(&n, again), s);
	assert_ptr_equal(source_names_inlined(&n, plain), s);
	assert_ptr_not_equal(source_names_inlined(&n, "g"), s);
	source_names_done(&n);
}

static void names_stay_as_they_are_without_a_demangler(void **state)
{
	struct source_names n = { .pretty = NULL };

	(void)state;
	assert_string_equal(source_names_inlined(&n, "_f")->name, "_f");
	source_names_done(&n);
}

static void what_has_no_name_is_unknown(void **state)
{
	struct source_names n = { .pretty = without_underscore };

	(void)state;
	assert_string_equal(source_names_inlined(&n, NULL)->name, "[unknown]");
	source_names_done(&n);
}

static void a_real_function_is_known_by_its_start(void **state)
{
	struct source_names n = { .pretty = without_underscore };
	const struct symbol a = { .start = 16, .end = 32, .name = "_f" };
	const struct symbol b = { .start = 32, .end = 48, .name = "_f" };
	const struct symbol *s = source_names_real(&n, &a);

	(void)state;
	assert_string_equal(s->name, "f");
	assert_int_equal(s->end, 32);
	assert_false(s->is_inlined);
	assert_ptr_equal(source_names_real(&n, &a), s);
	assert_ptr_not_equal(source_names_real(&n, &b), s);
	assert_ptr_not_equal(source_names_inlined(&n, "f"), s);
	source_names_done(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_names_are_one_symbol),
		cmocka_unit_test(names_stay_as_they_are_without_a_demangler),
		cmocka_unit_test(what_has_no_name_is_unknown),
		cmocka_unit_test(a_real_function_is_known_by_its_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
