/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/symbolizer.h"
#include "symbol/text-files.h"

struct fixture {
	char path[32];
	struct text_files *files;
	struct symbolizer *symbolizer;
	struct symbol sym;
	struct annotated_function function;
	struct listing_tools tools;
	struct listing listing;
	struct listing_source source;
};

/* Makes a file of twenty lines, "1" to "20". */
static int set_up(void **state)
{
	static struct fixture f;
	int fd;

	f = (struct fixture){ .path = "/tmp/test-listing-XXXXXX" };
	fd = mkstemp(f.path);
	if (fd < 0)
		return -1;
	for (int i = 1; i <= 20; i++)
		dprintf(fd, "%d\n", i);
	close(fd);
	f.files = text_files_new(&(struct text_files_options){ .prefix = NULL });
	f.symbolizer = symbolizer_new(&(struct symbolizer_options){ .symfs = "/nowhere" });
	f.sym = (struct symbol){ .start = 0x100, .end = 0x200, .name = "made" };
	f.function.sym = &f.sym;
	f.function.image = symbolizer_image(
		f.symbolizer, &(struct image_key){ .kind = IMAGE_USER, .name = "/bin/made" });
	f.tools.sources = f.files;
	f.listing = (struct listing){ .function = &f.function, .name = "made", .start = 0x4100 };
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	listing_source_done(&f->source);
	listing_done(&f->listing);
	text_files_free(f->files);
	symbolizer_free(f->symbolizer);
	unlink(f->path);
	return 0;
}

/* Goes through @n rows, one for each four bytes, and returns the lines that were added. */
static char *reached(struct fixture *f, const uint32_t *lines, size_t n, const char *file)
{
	struct line_row rows[8];
	static char text[256];
	size_t used = 0;

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct line_row){ 0x100 + 4 * i, file, lines[i], true, NULL };
	f->source = (struct listing_source){
		.listing = &f->listing, .tools = &f->tools, .rows = rows, .n_rows = n
	};
	for (size_t i = 0; i < n; i++)
		assert_int_equal(listing_source_reach(&f->source, 0x4100 + 4 * i).line, lines[i]);
	text[0] = '\0';
	for (size_t i = 0; i < f->listing.n; i++) {
		const struct listing_line *l = &f->listing.items[i];

		if (l->kind == LISTING_SOURCE)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%.*s ",
						 (int)l->length, l->text);
	}
	return text;
}

#define REACHED(f, ...)                                                                            \
	reached(f, (const uint32_t[]){ __VA_ARGS__ },                                              \
		sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), (f)->path)

static void the_lines_before_the_first_are_shown_too(void **state)
{
	assert_string_equal(REACHED((struct fixture *)*state, 12), "7 8 9 10 11 12 ");
}

static void lines_between_are_shown_once(void **state)
{
	assert_string_equal(REACHED((struct fixture *)*state, 2, 5, 6), "1 2 3 4 5 6 ");
}

static void who_goes_back_sees_that_line_only(void **state)
{
	assert_string_equal(REACHED((struct fixture *)*state, 3, 4, 2, 4, 5), "1 2 3 4 2 4 5 ");
}

static void a_long_way_is_cut(void **state)
{
	assert_string_equal(REACHED((struct fixture *)*state, 1, 20), "1 15 16 17 18 19 20 ");
}

static void the_same_line_is_not_repeated(void **state)
{
	assert_string_equal(REACHED((struct fixture *)*state, 2, 2, 2), "1 2 ");
}

static void a_line_behind_the_end_is_none(void **state)
{
	assert_string_equal(REACHED((struct fixture *)*state, 99), "");
}

static void the_function_is_named_first(void **state)
{
	struct fixture *f = *state;

	REACHED(f, 2);
	assert_int_equal(f->listing.items[0].kind, LISTING_FUNCTION);
	assert_string_equal(f->listing.items[0].text, "made");
}

static void a_file_that_is_not_here_is_named(void **state)
{
	static const uint32_t line[] = { 7 };
	struct fixture *f = *state;

	assert_string_equal(reached(f, line, 1, "./gone.c"), "");
	assert_int_equal(f->listing.n, 2);
	assert_int_equal(f->listing.items[1].kind, LISTING_PLACE);
	assert_string_equal(f->listing.items[1].text, "./gone.c:7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_lines_before_the_first_are_shown_too, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(lines_between_are_shown_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_goes_back_sees_that_line_only, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_long_way_is_cut, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_same_line_is_not_repeated, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_line_behind_the_end_is_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_function_is_named_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_file_that_is_not_here_is_named, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
