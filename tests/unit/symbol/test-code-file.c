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
#include "skip.h"
#include "symbol/code-file.h"

static void the_sections_that_are_loaded_are_known(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ .symfs = *state });
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct code_file *f;

	example_store(*state, "bin/made", EM_AARCH64, ET_DYN);
	assert_int_equal(code_file_open(example_image(s), &f, &diag), 0);
	assert_int_equal(f->layout, CODE_BY_OFFSET);
	assert_ptr_equal(f->arch, &arch_aarch64);
	assert_int_equal(f->sections.n, 1);
	assert_string_equal(f->sections.items[0].name, ".text");
	assert_int_equal(f->sections.items[0].size, sizeof(example_code));
	code_file_free(f);
}

static void memory_without_a_file_is_refused_with_a_reason(void **state)
{
	static const struct {
		enum image_kind kind;
		const char *name, *hint;
	} images[] = {
		{ IMAGE_JIT, "//anon", "jitdump" },
		{ IMAGE_BPF, "bpf_prog_1234_x", "bpftool" },
		{ IMAGE_UNKNOWN, "[heap]", NULL },
	};
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ .symfs = *state });

	for (size_t i = 0; i < ARRAY_SIZE(images); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		struct code_file *f = NULL;
		struct image *im = symbolizer_image(s, &(struct image_key){ .kind = images[i].kind,
									    .name = images[i].name,
									    .pid = 7 });

		assert_int_equal(code_file_open(im, &f, &diag), -ENODATA);
		assert_null(f);
		assert_non_null(diag.message);
		if (images[i].hint)
			assert_non_null(strstr(diag.hint, images[i].hint));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_sections_that_are_loaded_are_known,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(memory_without_a_file_is_refused_with_a_reason,
						scratch_make, scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
