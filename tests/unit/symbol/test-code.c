/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "example-code.h"
#include "symbol/code.h"

struct asked {
	struct symbolizer *symbolizer;
	struct code_store *store;
	struct image *image;
	struct diag diag;
	struct code code;
};

static void ask_begin(struct asked *a, const char *dir)
{
	*a = (struct asked){ .store = code_store_new() };
	a->symbolizer = symbolizer_new(&(struct symbolizer_options){ .symfs = dir });
	a->image = example_image(a->symbolizer);
}

static void ask_done(struct asked *a)
{
	code_done(&a->code);
	code_store_free(a->store);
	symbolizer_free(a->symbolizer);
	diag_done(&a->diag);
}

static void the_bytes_of_a_function_are_those_that_ran(void **state)
{
	const struct symbol *sym;
	struct asked a;
	uint64_t place;

	example_store(*state, "bin/made", EM_AARCH64, ET_DYN);
	ask_begin(&a, *state);
	sym = image_symbol_find(a.image, EXAMPLE_TEXT + EXAMPLE_SIZE);
	assert_string_equal(sym->name, "second");
	assert_int_equal(code_read(a.store, a.image, sym, &a.code, &a.diag), 0);
	assert_ptr_equal(a.code.arch, &arch_aarch64);
	assert_int_equal(a.code.n, EXAMPLE_SIZE);
	assert_memory_equal(a.code.bytes, example_code + EXAMPLE_SIZE, EXAMPLE_SIZE);
	assert_int_equal(a.code.start, BUILT_BASE + EXAMPLE_TEXT + EXAMPLE_SIZE);
	assert_string_equal(a.code.section, ".text");
	assert_true(code_place(&a.code, a.code.start + 4, &place));
	assert_int_equal(place, sym->start + 4);
	assert_false(code_place(&a.code, 0x10, &place));
	ask_done(&a);
}

static void the_machine_is_that_of_the_file(void **state)
{
	struct asked a;

	example_store(*state, "bin/made", EM_X86_64, ET_DYN);
	ask_begin(&a, *state);
	assert_int_equal(code_read(a.store, a.image, image_symbol_find(a.image, EXAMPLE_TEXT),
				   &a.code, &a.diag),
			 0);
	assert_ptr_equal(a.code.arch, &arch_x86_64);
	ask_done(&a);
}

static void a_symbol_beyond_the_file_has_no_code(void **state)
{
	const struct symbol far = { .start = 1u << 30, .end = UINT64_MAX, .name = "far" };
	struct asked a;

	example_store(*state, "bin/made", EM_AARCH64, ET_DYN);
	ask_begin(&a, *state);
	assert_int_equal(code_read(a.store, a.image, &far, &a.code, &a.diag), -ENODATA);
	assert_non_null(a.diag.message);
	ask_done(&a);
}

static void a_file_that_is_gone_is_told_each_time(void **state)
{
	const struct symbol sym = { .start = 0, .end = 8, .name = "x" };
	struct asked a;

	ask_begin(&a, *state);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(code_read(a.store, a.image, &sym, &a.code, &a.diag), -ENOENT);
		assert_string_equal(a.diag.message, "there is no " EXAMPLE_NAME " any more");
		assert_non_null(a.diag.hint);
	}
	ask_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_bytes_of_a_function_are_those_that_ran,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(the_machine_is_that_of_the_file, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_symbol_beyond_the_file_has_no_code, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_file_that_is_gone_is_told_each_time, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
