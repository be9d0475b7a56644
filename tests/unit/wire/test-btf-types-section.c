/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/btf.h>

#include "wire/btf-types.h"
#include "wire/btf.h"

#define INFO(kind, vlen) ((uint32_t)(kind) << 24 | (vlen))

/* 1 char, 2 char[], 3 const char[], 4 a text, 5 a number, 6 the section with both. */
struct image {
	struct btf_header head;
	struct btf_type number;
	uint32_t number_bits;
	struct btf_type array;
	struct btf_array shape;
	struct btf_type constant;
	struct btf_type text;
	struct btf_var text_linkage;
	struct btf_type single;
	struct btf_var single_linkage;
	struct btf_type section;
	struct btf_var_secinfo members[2];
	char strings[24];
} __attribute__((packed));

static const struct image whole = {
	.head = {
		.magic = BTF_MAGIC,
		.hdr_len = sizeof(struct btf_header),
		.type_len = offsetof(struct image, strings) - sizeof(struct btf_header),
		.str_off = offsetof(struct image, strings) - sizeof(struct btf_header),
		.str_len = sizeof(whole.strings),
	},
	.number = { .info = INFO(BTF_KIND_INT, 0), .size = 1 },
	.number_bits = 8,
	.array = { .info = INFO(BTF_KIND_ARRAY, 0) },
	.shape = { .type = 1, .index_type = 1, .nelems = 16 },
	.constant = { .info = INFO(BTF_KIND_CONST, 0), .type = 2 },
	.text = { .name_off = 1, .info = INFO(BTF_KIND_VAR, 0), .type = 3 },
	.single = { .name_off = 7, .info = INFO(BTF_KIND_VAR, 0), .type = 1 },
	.section = { .name_off = 14, .info = INFO(BTF_KIND_DATASEC, 2), .size = 24 },
	.members = { { 4, 8, 16 }, { 5, 0, 1 } },
	.strings = "\0about\0number\0.rodata",
};

static struct btf over(const struct image *im)
{
	return (struct btf){ (const uint8_t *)im, sizeof(*im) };
}

static void texts_are_found_with_their_place(void **state)
{
	struct btf b = over(&whole);
	struct btf_section_text t;

	(void)state;
	assert_true(btf_section_text(&b, 6, 0, &t));
	assert_string_equal(t.name, "about");
	assert_int_equal(t.at, 8);
	assert_int_equal(t.length, 16);
}

static void another_variable_has_no_length(void **state)
{
	struct btf b = over(&whole);
	struct btf_section_text t;

	(void)state;
	assert_true(btf_section_text(&b, 6, 1, &t));
	assert_int_equal(t.length, 0);
	assert_false(btf_section_text(&b, 6, 2, &t));
}

static void what_is_no_section_has_none(void **state)
{
	struct btf b = over(&whole);
	struct btf_section_text t;

	(void)state;
	for (uint32_t id = 0; id < 9; id++)
		assert_int_equal(btf_section_text(&b, id, 0, &t), id == 6);
}

static void types_that_lead_in_a_circle_are_left(void **state)
{
	struct image im = whole;
	struct btf b = over(&im);
	struct btf_section_text t;

	(void)state;
	im.constant.type = 3;
	assert_true(btf_section_text(&b, 6, 0, &t));
	assert_int_equal(t.length, 0);
}

static void a_section_that_is_cut_is_none(void **state)
{
	struct image im = whole;
	struct btf b = over(&im);
	struct btf_section_text t;

	(void)state;
	im.head.type_len -= sizeof(struct btf_var_secinfo);
	assert_true(btf_section_text(&b, 6, 0, &t));
	assert_false(btf_section_text(&b, 6, 1, &t));
	b.size = sizeof(struct btf_header) - 1;
	assert_false(btf_section_text(&b, 6, 0, &t));
}

static void a_name_outside_of_the_strings_is_none(void **state)
{
	struct image im = whole;
	struct btf b = over(&im);
	struct btf_section_text t;

	(void)state;
	im.text.name_off = 100;
	assert_true(btf_section_text(&b, 6, 0, &t));
	assert_int_equal(t.length, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_found_with_their_place),
		cmocka_unit_test(another_variable_has_no_length),
		cmocka_unit_test(what_is_no_section_has_none),
		cmocka_unit_test(types_that_lead_in_a_circle_are_left),
		cmocka_unit_test(a_section_that_is_cut_is_none),
		cmocka_unit_test(a_name_outside_of_the_strings_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
