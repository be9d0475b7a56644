/* SPDX-License-Identifier: MIT */
/* Alone: it replaces what reads lines (fake-source.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "fake-source.h"
#include "session/machine.h"
#include "skip.h"
#include "symbol/symbolizer.h"
#include "tools/script/frame-view.h"

#define ALL (FRAME_SYM | FRAME_SYMOFF | FRAME_DSO)

static const struct symbol function = { .start = 0x100, .end = 0x200, .name = "f" };
static const struct symbol inner = { .name = "inner", .is_inlined = true };
static const struct source_frame there[] = {
	{ &inner, { "/src/a.h", 3 }, true },
	{ &inner, { NULL, 0 }, true },
	{ &function, { "/src/f.c", 20 }, false },
};
static const struct fake_code code[] = { { 0x110, there, 3 }, { 0x120, &there[2], 1 }, { 0 } };

struct fixture {
	struct symbolizer *symbolizer;
	struct map program, gone;
	struct frame_texts *texts;
	struct frame_cache cache;
};

static int set_up(void **state)
{
	static struct fixture f;

	fake_code = code;
	f.symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	f.program.image = symbolizer_image(
		f.symbolizer, &(struct image_key){ .kind = IMAGE_USER, .name = "/proc/self/exe" });
	f.gone.image = symbolizer_image(f.symbolizer,
					&(struct image_key){ .kind = IMAGE_USER, .name = "/x/y" });
	image_symbol_find(f.program.image, 0);
	image_symbol_find(f.gone.image, 0);
	f.texts = frame_texts_new(false, false);
	frame_cache_init(&f.cache, f.texts);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	frame_cache_done(&f->cache);
	frame_texts_free(f->texts);
	symbolizer_free(f->symbolizer);
	return 0;
}

static void assert_text(struct frame_line line, const char *end, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add_bytes(&t, line.chars, line.length);
	if (line.tail) {
		text_add_bytes(&t, line.tail->chars, line.tail->length);
		text_add(&t, end);
	}
	assert_string_equal(t.chars, expected);
}

static void assert_rest(struct frame_line rest, const char *expected)
{
	assert_text(rest, "", expected);
}

static void assert_lines(struct fixture *f, const struct map *map, unsigned style, uint64_t addr,
			 const char *expected)
{
	const struct location loc = {
		.addr = addr, .map = map, .image_addr = addr, .sym = &function
	};

	for (unsigned round = 0; round < 2; round++) /* made, then remembered */
		assert_text(frame_cache_get(&f->cache, style, &loc), "\n", expected);
}

static void a_place_has_the_parts_that_its_style_names(void **state)
{
	struct fixture *f = *state;

	assert_lines(f, &f->gone, 0, 0x120, "\t             120\n");
	assert_lines(f, &f->gone, FRAME_SYM, 0x120, "\t             120 f\n");
	assert_lines(f, &f->gone, ALL, 0x120, "\t             120 f+0x20 (/x/y)\n");
}

static void inlined_functions_stand_before_the_real_one(void **state)
{
	struct fixture *f = *state;

	assert_lines(f, &f->gone, ALL | FRAME_INLINES, 0x110,
		     "\t             110 inner+0x10 (inlined)\n"
		     "\t             110 inner+0x10 (inlined)\n"
		     "\t             110 f+0x10 (/x/y)\n");
	assert_lines(f, &f->gone, ALL | FRAME_INLINES, 0x120, "\t             120 f+0x20 (/x/y)\n");
	assert_lines(f, &f->gone, ALL, 0x110, "\t             110 f+0x10 (/x/y)\n");
}

static void each_has_its_line_below(void **state)
{
	struct fixture *f = *state;

	assert_lines(f, &f->program, FRAME_SYM | FRAME_LINE | FRAME_UNKNOWN_LINE | FRAME_INLINES,
		     0x110,
		     "\t             110 inner\n  a.h:3 (inlined)\n"
		     "\t             110 inner\n  ??:0 (inlined)\n"
		     "\t             110 f\n  f.c:20\n");
	/* without them, the place has the line of the innermost */
	assert_lines(f, &f->program, FRAME_SYM | FRAME_LINE, 0x110,
		     "\t             110 f\n  a.h:3\n");
}

static void a_caller_has_the_line_of_its_call(void **state)
{
	struct fixture *f = *state;

	assert_lines(f, &f->program, FRAME_SYM | FRAME_SYMOFF | FRAME_LINE | FRAME_CALL, 0x121,
		     "\t             121 f+0x21\n  f.c:20\n");
	assert_lines(f, &f->program, FRAME_SYM | FRAME_LINE, 0x121, "\t             121 f\n");
}

static void what_is_not_known_is_said_on_request(void **state)
{
	struct fixture *f = *state;

	assert_lines(f, &f->program, FRAME_LINE, 0x130, "\t             130\n");
	assert_lines(f, &f->program, FRAME_LINE | FRAME_UNKNOWN_LINE, 0x130,
		     "\t             130\n  ??:0\n");
	assert_lines(f, &f->gone, FRAME_LINE, 0x130, "\t             130\n  y[130]\n");
}

static void files_may_have_their_whole_path(void **state)
{
	struct fixture *f = *state;

	frame_texts_free(f->texts);
	f->texts = frame_texts_new(false, true);
	f->cache.texts = f->texts;
	assert_lines(f, &f->gone, FRAME_LINE, 0x120, "\t             120\n  /src/f.c:20\n");
}

static void the_rest_is_without_address_and_newline(void **state)
{
	struct fixture *f = *state;
	struct location loc = {
		.addr = 0x120, .map = &f->gone, .image_addr = 0x120, .sym = &function
	};

	assert_rest(frame_cache_rest(&f->cache, ALL, &loc), " f+0x20 (/x/y)");
	assert_rest(frame_cache_rest(&f->cache, FRAME_SYM | FRAME_LINE, &loc), " f\n  f.c:20");
	loc.map = NULL;
	assert_rest(frame_cache_rest(&f->cache, ALL, &loc), " [unknown] ([unknown])");
	assert_rest(frame_cache_rest(&f->cache, FRAME_DSO | FRAME_LINE, &loc), " ([unknown])");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_place_has_the_parts_that_its_style_names),
		TEST(inlined_functions_stand_before_the_real_one),
		TEST(each_has_its_line_below),
		TEST(a_caller_has_the_line_of_its_call),
		TEST(what_is_not_known_is_said_on_request),
		TEST(files_may_have_their_whole_path),
		TEST(the_rest_is_without_address_and_newline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
