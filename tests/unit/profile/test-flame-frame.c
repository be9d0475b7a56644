/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "profile/flame-frame.h"
#include "profile/frames.h"
#include "session/sample-filter.h"
#include "base/diag.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

static const struct symbol function = { .name = "work" };
static const struct symbol inlined = { .name = "part", .is_inlined = true };

static void assert_name(const struct frame *f, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	flame_frame_name(f, &t);
	assert_string_equal(t.chars, wanted);
}

static struct image *image(struct symbolizer *s, enum image_kind kind, const char *name)
{
	return symbolizer_image(s, &(struct image_key){ .kind = kind, .name = name, .pid = 1 });
}

static void frames_are_called_after_their_function_or_image(void **state)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });
	struct image *lib = image(s, IMAGE_USER, "/lib/libx.so");
	struct image *kernel = image(s, IMAGE_KERNEL, "[kernel.kallsyms]");

	(void)state;
	assert_name(&(struct frame){ .sym = &function, .image = lib }, "work");
	assert_name(&(struct frame){ .image = lib }, "[libx.so]");
	assert_name(&(struct frame){ .image = kernel }, "[kernel.kallsyms]");
	assert_name(&(struct frame){ 0 }, "[unknown]");
	assert_string_equal(flame_frame_object(&(struct frame){ .image = lib }), "libx.so");
	assert_string_equal(flame_frame_object(&(struct frame){ 0 }), "");
	symbolizer_free(s);
}

static void kinds_are_told_apart(void **state)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });
	struct image *jit = image(s, IMAGE_JIT, "//anon");

	(void)state;
	assert_int_equal(flame_frame_kind(&(struct frame){ .mode = ADDRESS_USER }), FLAME_UNKNOWN);
	assert_int_equal(
		flame_frame_kind(&(struct frame){ .sym = &function, .mode = ADDRESS_USER }),
		FLAME_USER);
	assert_int_equal(
		flame_frame_kind(&(struct frame){ .sym = &function, .mode = ADDRESS_KERNEL }),
		FLAME_KERNEL);
	assert_int_equal(flame_frame_kind(&(struct frame){ .sym = &inlined }), FLAME_INLINED);
	assert_int_equal(flame_frame_kind(&(struct frame){ .sym = &function, .image = jit }),
			 FLAME_JIT);
	symbolizer_free(s);
}

static void filters_go_by_function(void **state)
{
	static const struct sample_filter_request wanted = { .symbols = "work" };
	_cleanup_(sample_filter_freep) struct sample_filter *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct frame work = { .sym = &function }, none = { 0 };

	(void)state;
	assert_int_equal(sample_filter_new(&wanted, &f, &diag), 0);
	assert_true(flame_frame_passes(&work, f, NULL));
	assert_false(flame_frame_passes(&none, f, NULL));
	assert_true(flame_frame_passes(&none, NULL, NULL));
	assert_true(flame_frame_passes(&work, NULL, "or"));
	assert_false(flame_frame_passes(&work, NULL, "read"));
	assert_false(flame_frame_passes(&none, NULL, "or"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_called_after_their_function_or_image),
		cmocka_unit_test(kinds_are_told_apart),
		cmocka_unit_test(filters_go_by_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
