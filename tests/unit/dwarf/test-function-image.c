/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "dwarf/function-image.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "skip.h"

static const uint8_t code[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

static struct image_function functions[2];
static size_t n_made;

/* Returns an image that is valid until the next but one. */
static struct function_image image_of(const char *name)
{
	struct image_function *f = &functions[n_made++ % ARRAY_SIZE(functions)];

	*f = (struct image_function){ name, strlen(name), 0, sizeof(code) };
	return (struct function_image){ .machine = EM_X86_64,
					.functions = f,
					.n_functions = 1,
					.code = code,
					.code_size = sizeof(code) };
}

/* Opens the image, and skips the test without libelf. */
static struct elf_file *opened(const struct function_image *f, struct bytes *b, struct build_id *id)
{
	struct elf_file *elf = NULL;
	int r;

	function_image_put(f, b, id);
	r = elf_file_open_memory(b->data, b->n, &elf);
	if (r == -ENOTSUP)
		skip_because("built without libelf");
	assert_int_equal(r, 0);
	return elf;
}

static void the_code_is_where_it_is_said_to_be(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct function_image f = image_of("made");
	struct build_id id;
	_cleanup_(elf_file_freep) struct elf_file *elf = opened(&f, &b, &id);
	struct elf_section s;
	uint64_t addr;

	assert_int_equal(elf_file_machine(elf), EM_X86_64);
	assert_int_equal(elf_file_type(elf), ET_DYN);
	assert_true(elf_file_has_code(elf));
	assert_true(elf_file_section_find(elf, ".text", &s) > 0);
	assert_int_equal(s.offset, FUNCTION_IMAGE_TEXT);
	assert_int_equal(s.addr, FUNCTION_IMAGE_TEXT);
	assert_int_equal(s.size, sizeof(code));
	assert_memory_equal(b.data + FUNCTION_IMAGE_TEXT, code, sizeof(code));
	assert_true(elf_file_address(elf, FUNCTION_IMAGE_TEXT + 3, &addr));
	assert_int_equal(addr, FUNCTION_IMAGE_TEXT + 3);
}

static void its_build_id_is_in_it_and_tells_it_from_others(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 }, other = { 0 };
	struct function_image f = image_of("made"), g = image_of("made too");
	struct build_id id, found, id_of_other;
	_cleanup_(elf_file_freep) struct elf_file *elf = opened(&f, &b, &id);

	assert_int_equal(elf_file_build_id(elf, &found), 0);
	assert_true(build_id_equal(&id, &found));
	function_image_put(&g, &other, &id_of_other);
	assert_false(build_id_equal(&id, &id_of_other));
}

static void tables_for_unwinding_follow_the_code_aligned(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct function_image f = image_of("made");
	uint8_t tables[24] = { [0] = 0x11, [16] = 0x22 };
	struct build_id id;
	struct elf_section s;

	f.eh_frame = tables;
	f.eh_frame_size = 16;
	f.eh_frame_hdr = tables + 16;
	f.eh_frame_hdr_size = 8;

	_cleanup_(elf_file_freep) struct elf_file *elf = opened(&f, &b, &id);

	assert_true(elf_file_section_find(elf, ".eh_frame", &s) > 0);
	assert_int_equal(s.offset, FUNCTION_IMAGE_TEXT + 16);
	assert_int_equal(s.addr, s.offset);
	assert_int_equal(s.size, 16);
	assert_int_equal(b.data[s.offset], 0x11);
	assert_true(elf_file_section_find(elf, ".eh_frame_hdr", &s) > 0);
	assert_int_equal(s.offset, FUNCTION_IMAGE_TEXT + 32);
	assert_int_equal(b.data[s.offset], 0x22);
}

static void a_header_without_tables_is_left_out(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct function_image f = image_of("made");
	uint8_t header[20] = { 0 };
	struct build_id id;
	struct elf_section s;

	f.eh_frame_hdr = header;
	f.eh_frame_hdr_size = sizeof(header);

	_cleanup_(elf_file_freep) struct elf_file *elf = opened(&f, &b, &id);

	assert_int_equal(elf_file_section_find(elf, ".eh_frame_hdr", &s), 0);
}

static void a_file_can_follow_other_bytes(void **state)
{
	(void)state;
	_cleanup_(bytes_done) struct bytes alone = { 0 }, behind = { 0 };
	struct function_image f = image_of("made");
	struct build_id id;

	bytes_zero(&behind, 5);
	function_image_put(&f, &alone, &id);
	function_image_put(&f, &behind, &id);
	assert_int_equal(behind.n, alone.n + 5);
	assert_memory_equal(behind.data + 5, alone.data, alone.n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_code_is_where_it_is_said_to_be),
		cmocka_unit_test(its_build_id_is_in_it_and_tells_it_from_others),
		cmocka_unit_test(tables_for_unwinding_follow_the_code_aligned),
		cmocka_unit_test(a_header_without_tables_is_left_out),
		cmocka_unit_test(a_file_can_follow_other_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
