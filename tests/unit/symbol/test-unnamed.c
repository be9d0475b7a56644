/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scratch.h"
#include "skip.h"
#include "symbol/symbolizer.h"
#include "symbol/unnamed.h"

/* Returns an image called @name in which a symbol was looked up. */
static struct image *tried(struct symbolizer *s, enum image_kind kind, const char *name)
{
	struct image *im =
		symbolizer_image(s, &(struct image_key){ .kind = kind, .name = name, .pid = -5 });

	image_symbol_find(im, 0x1000);
	return im;
}

static void reasons_are_clauses_and_say_what_helps(void **state)
{
	const struct symbolizer_options o = { .symfs = "/no/such/dir" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	struct unnamed_reason gone, jit;

	(void)state;
	gone = image_unnamed_words(tried(s, IMAGE_USER, "/bin/gone"));
	jit = image_unnamed_words(tried(s, IMAGE_JIT, "//anon"));
	assert_string_equal(gone.why, "there is no such file any more");
	assert_non_null(gone.help);
	assert_string_equal(jit.why, "it is JIT code, and no map has its names");
	assert_false(image_is_stripped(tried(s, IMAGE_USER, "/bin/gone")));
}

/* Neither kptr_restrict nor perf_event_paranoid alone shows addresses to a user. */
static void hidden_addresses_are_shown_by_both_settings(void **state)
{
	_cleanup_(freep) char *list = scratch_path(*state, "list");
	const struct symbolizer_options o = { .kallsyms = list };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	scratch_write(list, "0 T _text\n");
	assert_string_equal(image_unnamed_words(tried(s, IMAGE_KERNEL, "[kernel.kallsyms]")).help,
			    "as root: sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1");
}

static void what_can_have_no_names_has_no_reason(void **state)
{
	const struct symbolizer_options o = { .symfs = "/no/such/dir" };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);

	(void)state;
	assert_null(image_unnamed_words(NULL).why);
	assert_null(image_unnamed_words(tried(s, IMAGE_UNKNOWN, "[vsyscall]")).why);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasons_are_clauses_and_say_what_helps),
		cmocka_unit_test_setup_teardown(hidden_addresses_are_shown_by_both_settings,
						scratch_make, scratch_remove),
		cmocka_unit_test(what_can_have_no_names_has_no_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
