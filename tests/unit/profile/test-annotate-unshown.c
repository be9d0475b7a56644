/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/notes.h"
#include "profile/annotate.h"
#include "profile/annotation.h"
#include "symbol/example-code.h"

struct fixture {
	struct symbolizer *symbolizer;
	struct unshown unshown;
	struct notes notes;
};

static void done(struct fixture *f)
{
	notes_done(&f->notes);
	unshown_done(&f->unshown);
	symbolizer_free(f->symbolizer);
}

static void add(struct fixture *f, const char *name, uint64_t samples, const char *why)
{
	const struct weight total = { .samples = samples };
	const struct symbol sym = { .name = name };
	_cleanup_(diag_done) struct diag diag = { 0 };

	diag_set(&diag, 0, "%s", why);
	diag_hint(&diag, "look elsewhere");
	unshown_add(&f->unshown,
		    &(struct annotated_function){
			    .image = example_image(f->symbolizer), .sym = &sym, .totals = &total },
		    &diag);
}

static void begin(struct fixture *f)
{
	*f = (struct fixture){ .symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 }) };
}

static void a_single_function_is_named(void **state)
{
	_cleanup_(done) struct fixture f;

	(void)state;
	begin(&f);
	add(&f, "first", 3, "it is gone");
	unshown_note(&f.unshown, &f.notes);
	assert_int_equal(f.notes.n, 1);
	assert_string_equal(f.notes.items[0].what.message,
			    "first (3 samples) is not shown: it is gone");
	assert_string_equal(f.notes.items[0].what.hint, "look elsewhere");
}

static void functions_of_an_image_are_one_warning(void **state)
{
	_cleanup_(done) struct fixture f;

	(void)state;
	begin(&f);
	add(&f, "first", 3, "it is gone");
	add(&f, "second", 4, "another reason");
	unshown_note(&f.unshown, &f.notes);
	assert_int_equal(f.notes.n, 1);
	assert_non_null(strstr(f.notes.items[0].what.message, "2 functions of "));
	assert_non_null(strstr(f.notes.items[0].what.message, "(7 samples)"));
	assert_non_null(strstr(f.notes.items[0].what.message, "it is gone"));
}

static void nothing_is_said_of_nothing(void **state)
{
	_cleanup_(done) struct fixture f;

	(void)state;
	begin(&f);
	unshown_note(&f.unshown, &f.notes);
	assert_int_equal(f.notes.n, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_single_function_is_named),
		cmocka_unit_test(functions_of_an_image_are_one_warning),
		cmocka_unit_test(nothing_is_said_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
