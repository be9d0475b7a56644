/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "dwarf/unwind/cfi-rules.h"
#include "elf/built-elf.h"
#include "elf/file.h"
#include "runtime/internal.h"
#include "runtime/runtime.h"

/* Makes what is known about a file with the symbols of Python, whose loop is at @loop. */
static struct runtime_image *image_of(uint64_t loop, uint64_t size)
{
	static const uint8_t code[64] = { 0x90, 0x90, 0xc3 };
	static struct built_elf b;
	const struct built_symbol symbols[] = {
		{ "PyCode_Type", 0xffff888000000000, 408, STB_GLOBAL, STT_OBJECT, 1, 0 },
		{ "_PyEval_EvalFrameDefault", loop, size, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "PyGILState_GetThisThreadState", UINT64_MAX - 2, 64, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "PyThreadState_Get", 1, UINT64_MAX, STB_GLOBAL, STT_FUNC, 1, 0 },
		{ "Py_Version", UINT64_MAX - 1, 4, STB_GLOBAL, STT_OBJECT, 1, 0 },
	};
	struct runtime_image *im;
	struct cfi_rules *rules;
	struct elf_file *file;

	built_begin(&b);
	built_add(&b, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
	built_add_symbols(&b, SHT_SYMTAB, symbols, ARRAY_SIZE(symbols));
	built_end(&b, EM_X86_64, ET_EXEC);
	assert_int_equal(elf_file_open_memory(b.bytes, b.size, &file), 0);
	rules = cfi_rules_new(file);
	im = runtime_image_new(file, rules);
	cfi_rules_free(rules);
	return im;
}

static void assert_python(uint64_t loop, uint64_t size)
{
	struct runtime_image *im = image_of(loop, size);
	struct runtime_process p;

	assert_non_null(im);
	assert_int_equal(runtime_image_kind(im), RUNTIME_KIND_PYTHON);
	/* Nothing is where the symbols say. */
	assert_true(runtime_process_find(im, getpid(), 0, NULL, &p) < 0);
	assert_false(p.is_ready);
	assert_int_equal(p.n_ranges, 1);
	assert_int_equal(p.ranges[0].start, loop);
	runtime_image_free(im);
}

static void symbols_outside_of_the_file_do_no_harm(void **state)
{
	(void)state;
	assert_python(BUILT_BASE + 128, 16);
	assert_python(BUILT_BASE + 128, 1 << 19);
	assert_python(BUILT_BASE + 128, (uint64_t)1 << 40);
	assert_python(0xffff888000000000, 4096);
	assert_python(8, 16);
}

static void a_loop_without_code_is_none(void **state)
{
	(void)state;
	assert_null(image_of(0, 100));
	assert_null(image_of(BUILT_BASE, 0));
	assert_null(image_of(UINT64_MAX - 8, 100));
	assert_null(image_of(BUILT_BASE, UINT64_MAX));
}

static void languages_have_names_and_paths(void **state)
{
	(void)state;
	for (int i = RUNTIME_KIND_NONE + 1; i < RUNTIME_KINDS; i++) {
		const char *name = runtime_kind_name((enum runtime_kind)i);
		char path[64];

		snprintf(path, sizeof(path), RUNTIME_PATH "%s", name);
		assert_int_equal(runtime_kind_of_name(name, strlen(name)), i);
		assert_int_equal(runtime_kind_of_path(path), i);
	}
	assert_int_equal(runtime_kind_of_name("pyth", 4), RUNTIME_KIND_NONE);
	assert_int_equal(runtime_kind_of_path("/usr/bin/python"), RUNTIME_KIND_NONE);
	assert_int_equal(runtime_kind_of_path(RUNTIME_PATH), RUNTIME_KIND_NONE);
}

static void copies_have_the_generated_code_of_the_image(void **state)
{
	struct runtime_process p = {
		.n_ranges = 2, .ranges = { { 0x1000, 0x2000, 1, 0 }, { 0x3000, 0x4000, 0, 0 } }
	};
	const struct runtime_copy copies[] = { { 0x11800, 0x20000, 0x10000 },
					       { 0x90000, 0xa0000, 0x10000 } };

	(void)state;
	runtime_process_add_copies(&p, copies, ARRAY_SIZE(copies));
	assert_int_equal(p.n_ranges, 3);
	assert_int_equal(p.ranges[2].start, 0x11800);
	assert_int_equal(p.ranges[2].end, 0x12000);
	assert_true(p.ranges[2].is_code);
	for (int i = 0; i < 20; i++)
		runtime_process_add_copies(&p, copies, 1);
	assert_int_equal(p.n_ranges, RUNTIME_RANGES_MAX);
}

static void a_runtime_that_is_none_has_no_code(void **state)
{
	const struct runtime_process p = { .kind = RUNTIME_KINDS };
	const uint64_t frame[2] = { RUNTIME_FRAME(0, 0x1000), 0 };
	struct runtime_code c;

	(void)state;
	assert_int_equal(runtime_code_read(&p, getpid(), frame, &c), -EPROTO);
	runtime_code_done(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_outside_of_the_file_do_no_harm),
		cmocka_unit_test(a_loop_without_code_is_none),
		cmocka_unit_test(languages_have_names_and_paths),
		cmocka_unit_test(copies_have_the_generated_code_of_the_image),
		cmocka_unit_test(a_runtime_that_is_none_has_no_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
