/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "symbol/bpf-code.h"
#include "symbol/symbolizer.h"

static const struct line_row rows[] = {
	{ 0x1000, "a.c", 3, true, "int x;" },
	{ 0x1008, "a.c", 5, true, "return x;" },
};
static const uint8_t bytes[16] = { 1, 2, 3 };
static const struct bpf_code code = {
	.name = "bpf_prog_1_f",
	.addr = 0x1000,
	.bytes = bytes,
	.n = 16,
	.rows = rows,
	.n_rows = 2,
};

static struct image *image_at(struct symbolizer *s, const char *name)
{
	const struct image_key key = {
		.kind = IMAGE_BPF, .name = name, .start = 0x1000, .end = 0x1010
	};

	return symbolizer_image(s, &key);
}

static void code_belongs_to_an_address_and_a_name(void **state)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });
	const struct bpf_code *found;

	(void)state;
	symbolizer_add_bpf_code(s, &code);
	found = image_bpf_code(image_at(s, "bpf_prog_1_f"));
	assert_non_null(found);
	assert_memory_equal(found->bytes, bytes, sizeof(bytes));
	assert_null(image_bpf_code(image_at(s, "bpf_prog_2_f")));
	symbolizer_free(s);
}

static void lines_come_with_the_code(void **state)
{
	struct symbolizer *s = symbolizer_new(&(struct symbolizer_options){ 0 });
	struct image *im = image_at(s, "bpf_prog_1_f");
	const struct line_row *found;
	struct source_line line;

	(void)state;
	assert_false(image_source_line(im, 0x1004, &line));
	symbolizer_add_bpf_code(s, &code);
	assert_true(image_source_line(im, 0x1004, &line));
	assert_int_equal(line.line, 3);
	assert_true(image_source_line(im, 0x100c, &line));
	assert_int_equal(line.line, 5);
	assert_string_equal(line.file, "a.c");
	assert_false(image_source_line(im, 0xfff, &line));
	assert_int_equal(image_line_rows(im, 0x1000, 0x1010, &found), 2);
	assert_string_equal(found[1].text, "return x;");
	symbolizer_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(code_belongs_to_an_address_and_a_name),
		cmocka_unit_test(lines_come_with_the_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
