/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/btf.h>
#include <string.h>

#include "base/c-type.h"
#include "wire/btf-types.h"

/* The offsets of the texts. */
enum {
	T_INT = 1,
	T_CHAR = 5,
	T_PAIR = 10,
	T_FIRST = 15,
	T_LOW = 21,
	T_HIGH = 25,
	T_INNER = 30,
	T_NEXT = 36,
	T_FUNCTION = 41,
	T_P = 50,
};

static const char strings[] = "\0int\0char\0pair\0first\0low\0high\0inner\0next\0function\0p";

struct image {
	struct btf_header head;
	uint32_t types[128];
	char strings[sizeof(strings)];
	size_t n; /* words of types */
};

static void add_head(struct image *im, uint32_t name, uint32_t info, uint32_t size)
{
	im->types[im->n++] = name;
	im->types[im->n++] = info;
	im->types[im->n++] = size;
}

static void add_words(struct image *im, size_t n, const uint32_t *words)
{
	memcpy(im->types + im->n, words, n * sizeof(*words));
	im->n += n;
}

#define WORDS(im, ...)                                                                             \
	add_words(im, sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (uint32_t[]){ __VA_ARGS__ })
#define KIND(k, n)      ((uint32_t)BTF_KIND_##k << 24 | (n))
#define FLAG            (1u << 31)
#define BITS(n, offset) ((uint32_t)(n) << 24 | (offset))

/*
 * Makes types: 1 int, 2 char, 3 struct pair { int first; int low : 3, high : 5; union { int inner;
 * }; char[4] .. next; }, 4 the union, 5 the array, 6 pointer to 3, 7 function(pair *p, int, ...), 8
 * its prototype.
 */
static void make(struct image *im)
{
	*im = (struct image){ .n = 0 };
	add_head(im, T_INT, KIND(INT, 0), 4);
	WORDS(im, BTF_INT_SIGNED << 24 | 32);
	add_head(im, T_CHAR, KIND(INT, 0), 1);
	WORDS(im, BTF_INT_CHAR << 24 | 8);
	add_head(im, T_PAIR, KIND(STRUCT, 5) | FLAG, 24);
	WORDS(im, T_FIRST, 1, 0, T_LOW, 1, BITS(3, 32), T_HIGH, 1, BITS(5, 35), 0, 4, 64, T_NEXT, 6,
	      128);
	add_head(im, 0, KIND(UNION, 1), 4);
	WORDS(im, T_INNER, 5, 0);
	add_head(im, 0, KIND(ARRAY, 0), 0);
	WORDS(im, 2, 1, 4);
	add_head(im, 0, KIND(PTR, 0), 3);
	add_head(im, T_FUNCTION, KIND(FUNC, 0), 8);
	add_head(im, 0, KIND(FUNC_PROTO, 3), 0);
	WORDS(im, T_P, 6, 0, 1, 0, 0);
	memcpy(im->strings, strings, sizeof(strings));
	im->head = (struct btf_header){
		.magic = BTF_MAGIC,
		.hdr_len = sizeof(im->head),
		.type_len = (uint32_t)(im->n * sizeof(uint32_t)),
		.str_off = sizeof(im->types),
		.str_len = sizeof(strings),
	};
}

static struct btf_types *open_image(struct image *im)
{
	struct btf_types *t = NULL;

	make(im);
	assert_int_equal(btf_types_open(im, sizeof(*im), NULL, &t), 0);
	return t;
}

static void parameters_have_names_and_types(void **state)
{
	struct btf_parameter p[BTF_PARAMETERS_MAX];
	struct image im;
	struct btf_types *t = open_image(&im);

	(void)state;
	assert_int_equal(btf_function_parameters(t, "function", p), 2);
	assert_string_equal(p[0].name, "p");
	assert_int_equal(p[0].type->kind, C_POINTER);
	assert_null(p[1].name);
	assert_int_equal(p[1].type->kind, C_INTEGER);
	assert_int_equal(btf_function_parameters(t, "pair", p), -ENOENT);
	btf_types_free(t);
}

static void members_are_found_also_in_those_without_a_name(void **state)
{
	struct image im;
	struct btf_types *t = open_image(&im);
	const struct c_type *pair = btf_type(t, 3);
	struct c_member m;

	(void)state;
	assert_true(pair->source->member(pair->source, pair, "next", &m));
	assert_int_equal(m.offset, 16);
	assert_ptr_equal(c_type_target(m.type), pair);
	assert_true(pair->source->member(pair->source, pair, "inner", &m));
	assert_int_equal(m.offset, 8);
	assert_int_equal(c_type_size(m.type), 4);
	assert_int_equal(c_type_target(m.type)->kind, C_CHARACTER);
	assert_false(pair->source->member(pair->source, pair, "outer", &m));
	btf_types_free(t);
}

static void bits_are_where_the_structure_says(void **state)
{
	struct image im;
	struct btf_types *t = open_image(&im);
	const struct c_type *pair = btf_type(t, 3);
	struct c_member m;

	(void)state;
	assert_true(pair->source->member(pair->source, pair, "high", &m));
	assert_int_equal(m.offset, 4);
	assert_int_equal(m.bit_offset, 3);
	assert_int_equal(m.bit_size, 5);
	assert_int_equal(m.bit_unit, 32);
	btf_types_free(t);
}

/* A module's numbers and texts continue where the kernel's end. */
static void a_module_goes_on_where_the_kernel_ends(void **state)
{
	struct image im, more = { .n = 0 };
	struct btf_types *base = open_image(&im), *t = NULL;

	(void)state;
	add_head(&more, sizeof(strings) + 1, KIND(TYPEDEF, 0), 3);
	memcpy(more.strings, "\0mine", 6);
	more.head = (struct btf_header){
		.magic = BTF_MAGIC,
		.hdr_len = sizeof(more.head),
		.type_len = 12,
		.str_off = sizeof(more.types),
		.str_len = 6,
	};
	assert_int_equal(btf_types_open(&more, sizeof(more), base, &t), 0);
	assert_string_equal(btf_type(t, 9)->name, "mine");
	assert_string_equal(c_type_bare(btf_type(t, 9))->name, "pair");
	assert_null(btf_type(t, 10));
	btf_types_free(t);
	btf_types_free(base);
}

/* Adds types 9 and 10: enum { FIRST = -2, LOW = 7 } and one of 64 bits, HIGH = 1 << 40. */
static void add_enums(struct image *im)
{
	add_head(im, T_P, KIND(ENUM, 2) | FLAG, 4);
	WORDS(im, T_FIRST, (uint32_t)-2, T_LOW, 7);
	add_head(im, T_NEXT, KIND(ENUM64, 1), 8);
	WORDS(im, T_HIGH, 0, 1u << 8);
	im->head.type_len = (uint32_t)(im->n * sizeof(uint32_t));
}

static void types_are_found_by_name(void **state)
{
	struct btf_types *t = NULL;
	struct image im;

	(void)state;
	make(&im);
	add_enums(&im);
	assert_int_equal(btf_types_open(&im, sizeof(im), NULL, &t), 0);
	assert_ptr_equal(btf_type_named(t, C_STRUCT, "pair"), btf_type(t, 3));
	assert_null(btf_type_named(t, C_UNION, "pair"));
	assert_null(btf_type_named(t, C_POINTER, "pair"));
	assert_ptr_equal(btf_type_named(t, C_ENUM, "p"), btf_type(t, 9));
	assert_ptr_equal(btf_type_named(t, C_ENUM, "next"), btf_type(t, 10));
	btf_types_free(t);
}

static void members_come_one_by_one(void **state)
{
	struct image im;
	struct btf_types *t = open_image(&im);
	const struct c_type *pair = btf_type(t, 3);
	struct btf_struct_member m;

	(void)state;
	assert_true(btf_struct_member(t, pair, 2, &m));
	assert_string_equal(m.name, "high");
	assert_int_equal(m.bit_offset, 35);
	assert_int_equal(m.bit_size, 5);
	assert_true(btf_struct_member(t, pair, 3, &m));
	assert_null(m.name);
	assert_int_equal(m.type->kind, C_UNION);
	assert_false(btf_struct_member(t, pair, 5, &m));
	assert_false(btf_struct_member(t, btf_type(t, 1), 0, &m));
	btf_types_free(t);
}

static void enumerators_have_their_sign(void **state)
{
	struct btf_types *t = NULL;
	struct btf_enum_value v;
	struct image im;

	(void)state;
	make(&im);
	add_enums(&im);
	assert_int_equal(btf_types_open(&im, sizeof(im), NULL, &t), 0);
	assert_true(btf_enum_value(t, btf_type(t, 9), 0, &v));
	assert_string_equal(v.name, "first");
	assert_int_equal(v.value, (uint64_t)-2);
	assert_true(btf_enum_value(t, btf_type(t, 9), 1, &v));
	assert_int_equal(v.value, 7);
	assert_false(btf_enum_value(t, btf_type(t, 9), 2, &v));
	assert_true(btf_enum_value(t, btf_type(t, 10), 0, &v));
	assert_int_equal(v.value, 1ul << 40);
	assert_false(btf_enum_value(t, btf_type(t, 3), 0, &v));
	btf_types_free(t);
}

static int open_spoiled(void (*spoil)(struct image *im))
{
	struct btf_types *t = NULL;
	struct image im;

	make(&im);
	spoil(&im);

	int r = btf_types_open(&im, sizeof(im), NULL, &t);

	btf_types_free(t);
	return r;
}

static void spoil_magic(struct image *im)
{
	im->head.magic++;
}

static void spoil_types(struct image *im)
{
	im->head.type_len = UINT32_MAX;
}

static void spoil_strings(struct image *im)
{
	im->head.str_off = UINT32_MAX;
}

static void cut_last_type(struct image *im)
{
	im->head.type_len -= 4;
}

static void unknown_kind(struct image *im)
{
	im->types[1] = 31u << 24;
}

static void many_members(struct image *im)
{
	im->types[9] = KIND(STRUCT, 0xffff);
}

static void damaged_bytes_are_refused(void **state)
{
	struct btf_types *t = NULL;

	(void)state;
	assert_int_equal(btf_types_open("", 0, NULL, &t), -EBADMSG);
	assert_int_equal(open_spoiled(spoil_magic), -EBADMSG);
	assert_int_equal(open_spoiled(spoil_types), -EBADMSG);
	assert_int_equal(open_spoiled(spoil_strings), -EBADMSG);
	assert_int_equal(open_spoiled(cut_last_type), -EBADMSG);
	assert_int_equal(open_spoiled(unknown_kind), -EBADMSG);
	assert_int_equal(open_spoiled(many_members), -EBADMSG);
}

static void numbers_and_texts_that_are_not_there_are_nothing(void **state)
{
	struct btf_parameter p[BTF_PARAMETERS_MAX];
	struct btf_types *t = NULL;
	struct image im;

	(void)state;
	make(&im);
	im.types[0] = UINT32_MAX;                /* int's name */
	im.types[im.n - 3 - 6 - 1] = UINT32_MAX; /* the type of function() */
	assert_int_equal(btf_types_open(&im, sizeof(im), NULL, &t), 0);
	assert_null(btf_type(t, 1)->name);
	assert_null(btf_type(t, 0));
	assert_null(btf_type(t, 1000));
	assert_int_equal(btf_function_parameters(t, "function", p), -EBADMSG);
	btf_types_free(t);
}

static void structures_that_hold_each_other_twice_are_looked_into_once(void **state)
{
	enum {
		LEVELS = 32,
		WORDS_EACH = 9
	};
	struct {
		struct btf_header head;
		uint32_t types[LEVELS][WORDS_EACH];
		char strings[sizeof(strings)];
	} im = { .head = { .magic = BTF_MAGIC,
			   .hdr_len = sizeof(im.head),
			   .type_len = sizeof(im.types),
			   .str_off = sizeof(im.types),
			   .str_len = sizeof(strings) } };
	struct btf_types *t = NULL;
	struct c_member m;

	(void)state;
	/* Type i + 1 has two nameless members of type i + 2. */
	for (uint32_t i = 0; i < LEVELS; i++)
		memcpy(im.types[i],
		       (uint32_t[]){ 0, KIND(STRUCT, 2), 8, 0, i + 2, 0, 0, i + 2, 32 },
		       sizeof(im.types[i]));
	memcpy(im.strings, strings, sizeof(strings));
	assert_int_equal(btf_types_open(&im, sizeof(im), NULL, &t), 0);

	const struct c_type *outer = btf_type(t, 1);

	assert_false(outer->source->member(outer->source, outer, "inner", &m));
	btf_types_free(t);
}

static void a_text_without_an_end_is_none(void **state)
{
	struct btf_parameter p[BTF_PARAMETERS_MAX];
	struct btf_types *t = NULL;
	struct image im;

	(void)state;
	make(&im);
	im.head.str_len--;
	assert_int_equal(btf_types_open(&im, sizeof(im), NULL, &t), 0);
	assert_int_equal(btf_function_parameters(t, "function", p), 2);
	assert_null(p[0].name);
	btf_types_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_have_names_and_types),
		cmocka_unit_test(members_are_found_also_in_those_without_a_name),
		cmocka_unit_test(bits_are_where_the_structure_says),
		cmocka_unit_test(types_are_found_by_name),
		cmocka_unit_test(members_come_one_by_one),
		cmocka_unit_test(enumerators_have_their_sign),
		cmocka_unit_test(a_module_goes_on_where_the_kernel_ends),
		cmocka_unit_test(damaged_bytes_are_refused),
		cmocka_unit_test(numbers_and_texts_that_are_not_there_are_nothing),
		cmocka_unit_test(structures_that_hold_each_other_twice_are_looked_into_once),
		cmocka_unit_test(a_text_without_an_end_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
