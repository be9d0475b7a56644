/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/btf.h>
#include <string.h>

#include "wire/btf.h"

/* Types with the words that each kind adds, then one that is called "last". */
struct image {
	struct btf_header head;
	uint32_t types[64];
	char strings[16];
};

static size_t add(struct image *im, size_t at, uint32_t name, unsigned kind, unsigned vlen,
		  size_t extra)
{
	im->types[at] = name;
	im->types[at + 1] = kind << 24 | vlen;
	return at + 3 + extra;
}

static struct btf make(struct image *im)
{
	size_t at = 0;

	*im = (struct image){ .strings = "\0last\0no end" };
	at = add(im, at, 0, BTF_KIND_INT, 0, 1);
	at = add(im, at, 0, BTF_KIND_ARRAY, 0, 3);
	at = add(im, at, 0, BTF_KIND_STRUCT, 2, 6);
	at = add(im, at, 0, BTF_KIND_ENUM, 2, 4);
	at = add(im, at, 0, BTF_KIND_FUNC_PROTO, 1, 2);
	at = add(im, at, 0, BTF_KIND_PTR, 0, 0);
	at = add(im, at, 0, BTF_KIND_ENUM64, 1, 3);
	at = add(im, at, 1, BTF_KIND_FUNC, 0, 0);
	im->head = (struct btf_header){
		.magic = BTF_MAGIC,
		.hdr_len = sizeof(im->head),
		.type_len = (uint32_t)(at * sizeof(uint32_t)),
		.str_off = sizeof(im->types),
		.str_len = sizeof(im->strings),
	};
	return (struct btf){ .data = (uint8_t *)im, .size = sizeof(*im) };
}

static void every_kind_is_stepped_over(void **state)
{
	struct image im;
	struct btf b = make(&im);

	(void)state;
	assert_string_equal(btf_type_name(&b, 8), "last");
	assert_null(btf_type_name(&b, 1));
	assert_null(btf_type_name(&b, 9));
	assert_null(btf_type_name(&b, 0));
}

static void a_kind_from_the_future_ends_the_search(void **state)
{
	struct image im;
	struct btf b = make(&im);

	(void)state;
	im.types[1] = 31U << 24;
	assert_null(btf_type_name(&b, 8));
}

static void names_outside_of_the_strings_are_none(void **state)
{
	struct image im;
	struct btf b = make(&im);

	(void)state;
	im.head.str_len = 1;
	assert_null(btf_type_name(&b, 8));
	im.head.str_len = 4;
	assert_null(btf_type_name(&b, 8)); /* its NUL is outside */
	im.head.str_len = UINT32_MAX;
	assert_null(btf_type_name(&b, 8));
	im.head.str_off = UINT32_MAX;
	assert_null(btf_type_name(&b, 8));
}

static void sections_outside_of_the_blob_are_refused(void **state)
{
	struct image im;
	struct btf b = make(&im);

	(void)state;
	im.head.type_off = UINT32_MAX;
	assert_null(btf_type_name(&b, 8));
	b = make(&im);
	im.head.type_len -= 2;
	assert_null(btf_type_name(&b, 8));
	b = make(&im);
	im.head.magic = 0;
	assert_null(btf_type_name(&b, 8));
	b.size = 8;
	assert_null(btf_type_name(&b, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_is_stepped_over),
		cmocka_unit_test(a_kind_from_the_future_ends_the_search),
		cmocka_unit_test(names_outside_of_the_strings_are_none),
		cmocka_unit_test(sections_outside_of_the_blob_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
