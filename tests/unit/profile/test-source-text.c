/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "profile/source-text.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"
#include "skip.h"

static void assert_line(struct source_line l, bool full_path, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	source_line_text(&l, full_path, &t);
	assert_string_equal(t.chars, expected);
}

static void a_line_is_known_by_the_name_of_its_file(void **state)
{
	(void)state;
	assert_line((struct source_line){ "/src/lib/main.c", 12 }, false, "main.c:12");
	assert_line((struct source_line){ "/src/lib/main.c", 12 }, true, "/src/lib/main.c:12");
	assert_line((struct source_line){ "main.c", 0 }, false, "main.c:0");
	assert_line((struct source_line){ "odd/", 1 }, false, ":1");
}

static struct image *loaded(struct symbolizer *s, enum image_kind kind, const char *name)
{
	struct image *im = symbolizer_image(s, &(struct image_key){ .kind = kind, .name = name });

	image_symbol_find(im, 0);
	return im;
}

static void only_a_file_can_leave_a_line_unknown(void **state)
{
	static const struct symbol function = { .name = "f" }, stub = { .name = "f@plt" },
				   name = { .name = "@plt" }, before = { .name = "_init" };
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	const struct image *program = loaded(s, IMAGE_USER, "/proc/self/exe"),
			   *gone = loaded(s, IMAGE_USER, "/no/such/file");

	(void)state;
	assert_true(source_is_unknown(program, NULL));
	assert_true(source_is_unknown(program, &function));
	assert_true(source_is_unknown(program, &name));
	assert_false(source_is_unknown(program, &stub));
	assert_false(source_is_unknown(program, &before));
	assert_false(source_is_unknown(gone, NULL));
	assert_false(source_is_unknown(gone, &function));
	assert_false(source_is_unknown(loaded(s, IMAGE_UNKNOWN, "[heap]"), NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_known_by_the_name_of_its_file),
		cmocka_unit_test(only_a_file_can_leave_a_line_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
