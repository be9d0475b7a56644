/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/diag.h"
#include "example-code.h"
#include "symbol/code.h"

/* The distance of the recorded kernel from its link addresses. */
#define MOVE 0x10000000ull

static void a_kernels_code_is_found_wherever_it_lay(void **state)
{
	_cleanup_(freep) char *path = scratch_path(*state, "vmlinux");
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(code_store_freep) struct code_store *store = code_store_new();
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ .symfs = *state, .vmlinux = path });
	struct image *im = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]_text" });
	uint64_t addr = BUILT_BASE + EXAMPLE_TEXT + EXAMPLE_SIZE, place;
	const struct symbol *sym;
	struct code code;

	example_store(*state, "vmlinux", EM_AARCH64, ET_EXEC);
	symbolizer_kernel_reference(s, "first", BUILT_BASE + EXAMPLE_TEXT + MOVE);
	sym = image_symbol_find(im, addr + MOVE);
	assert_non_null(sym);
	assert_string_equal(sym->name, "second");
	assert_int_equal(code_read(store, im, sym, &code, &diag), 0);
	assert_int_equal(code.start, addr);
	assert_memory_equal(code.bytes, example_code + EXAMPLE_SIZE, EXAMPLE_SIZE);
	assert_true(code_place(&code, addr + 4, &place));
	assert_int_equal(place, addr + 4 + MOVE);
	code_done(&code);
}

static void a_modules_code_counts_from_where_it_was_loaded(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(code_store_freep) struct code_store *store = code_store_new();
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ .symfs = *state });
	struct image *im = symbolizer_image(s, &(struct image_key){ .kind = IMAGE_MODULE,
								    .name = "/lib/made.ko",
								    .start = MOVE,
								    .end = MOVE + 0x1000 });
	const struct symbol *sym;
	struct code code;

	example_store(*state, "lib/made.ko", EM_AARCH64, ET_REL);
	sym = image_symbol_find(im, MOVE + EXAMPLE_SIZE);
	assert_non_null(sym);
	assert_int_equal(code_read(store, im, sym, &code, &diag), 0);
	assert_memory_equal(code.bytes, example_code + EXAMPLE_SIZE, EXAMPLE_SIZE);
	code_done(&code);
}

static void a_recording_may_have_the_kernels_code(void **state)
{
	_cleanup_(freep) char *dir = scratch_path(*state, "data/kcore_dir");
	_cleanup_(freep) char *list = scratch_path(*state, "data/kcore_dir/kallsyms"), *text = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(code_store_freep) struct code_store *store = code_store_new();
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ .symfs = *state });
	struct image *im = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]_text" });
	uint64_t first = BUILT_BASE + EXAMPLE_TEXT, second = first + EXAMPLE_SIZE;
	const struct symbol *sym;
	struct code code;

	example_store(*state, "data/kcore_dir/kcore", EM_AARCH64, ET_EXEC);
	text = xasprintf("%llx T first\n%llx T second\n%llx T third\n", (unsigned long long)first,
			 (unsigned long long)second, (unsigned long long)(second + EXAMPLE_SIZE));
	scratch_write(list, text);
	symbolizer_take_kcore(s, dir);
	symbolizer_kernel_reference(s, "first", first);
	sym = image_symbol_find(im, second);
	assert_non_null(sym);
	assert_string_equal(sym->name, "second");
	assert_int_equal(code_read(store, im, sym, &code, &diag), 0);
	assert_memory_equal(code.bytes, example_code + EXAMPLE_SIZE, EXAMPLE_SIZE);
	code_done(&code);
}

static void a_kernel_without_a_file_is_told_with_what_helps(void **state)
{
	const struct symbol sym = { .start = MOVE, .end = MOVE + 8, .name = "x" };
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(code_store_freep) struct code_store *store = code_store_new();
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ .symfs = *state });
	struct image *im = symbolizer_image(
		s, &(struct image_key){ .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]_text" });
	struct code code;

	assert_true(code_read(store, im, &sym, &code, &diag) < 0);
	assert_string_equal(diag.message, "no vmlinux of the recorded kernel was found");
	assert_non_null(strstr(diag.hint, "--vmlinux"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_kernels_code_is_found_wherever_it_lay,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(a_modules_code_counts_from_where_it_was_loaded,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(a_recording_may_have_the_kernels_code, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_kernel_without_a_file_is_told_with_what_helps,
						scratch_make, scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
