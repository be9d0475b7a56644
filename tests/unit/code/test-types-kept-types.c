/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text-block.h"
#include "base/text.h"
#include "code/types/kept-types.h"
#include "code/types/object.h"
#include "example-types.h"

/* A file in memory. */
struct kept {
	struct text_block text;
	struct types_draft draft;
	struct kept_types types;
};

static void kept_init(struct kept *k)
{
	*k = (struct kept){ .draft = { .text = &k->text } };
	text_block_init(&k->text);
}

static void kept_open(struct kept *k)
{
	kept_types_init(&k->types, k->draft.types.data, k->draft.types.n / KEPT_TYPE_SIZE,
			k->draft.fields.data, k->draft.fields.n / KEPT_FIELD_SIZE,
			(const char *)k->text.bytes.data, k->text.bytes.n);
}

static void kept_done(struct kept *k)
{
	kept_types_done(&k->types);
	types_draft_done(&k->draft);
	text_block_done(&k->text);
}

static void assert_named(const struct c_type *t, const char *name)
{
	_cleanup_(freep) char *text = c_type_name(t);

	assert_string_equal(text, name);
}

static void members_come_back(void **state)
{
	_cleanup_(kept_done) struct kept k;
	const struct c_field *fields = NULL;
	const struct c_type *t;
	uint32_t number;

	(void)state;
	kept_init(&k);
	number = types_draft_add(&k.draft, &types[T_NODE]);
	kept_open(&k);
	t = kept_types_get(&k.types, number);
	assert_named(t, "struct node");
	assert_int_equal(c_type_size(t), 40);
	assert_int_equal(c_type_fields(t, &fields), 5);
	assert_string_equal(fields[0].name, "next");
	assert_named(fields[0].type, "struct node*");
	assert_int_equal(fields[2].bit_size, 3);
	assert_int_equal(fields[2].offset, 12);
	assert_null(fields[3].name);
	assert_named(fields[4].type, "int[]");
	assert_int_equal(c_type_size(fields[4].type), 16);
	assert_int_equal(c_type_fields(fields[3].type, &fields), 2);
	assert_string_equal(fields[1].name, "other");
}

static void names_of_members_are_the_same(void **state)
{
	_cleanup_(kept_done) struct kept k;
	uint32_t number;

	(void)state;
	kept_init(&k);
	number = types_draft_add(&k.draft, &types[T_NODE_NAME]);
	kept_open(&k);
	assert_named(kept_types_get(&k.types, number), "node_t");
	for (int64_t at = 0; at < 40; at++) {
		_cleanup_(text_done) struct text a = TEXT_EMPTY, b = TEXT_EMPTY;
		struct object_place p = { &types[T_NODE_NAME], at };
		struct object_place q = { kept_types_get(&k.types, number), at };

		object_field_text(&p, 0, &a);
		object_field_text(&q, 0, &b);
		assert_string_equal(a.length ? a.chars : "", b.length ? b.chars : "");
	}
}

static void variants_are_kept(void **state)
{
	_cleanup_(kept_done) struct kept k;
	const struct c_field *fields = NULL;
	uint32_t number;

	(void)state;
	kept_init(&k);
	number = types_draft_add(&k.draft, &types[T_SHAPE]);
	kept_open(&k);
	assert_int_equal(c_type_fields(kept_types_get(&k.types, number), &fields), 3);
	assert_int_equal(fields[0].variant, 1);
	assert_int_equal(fields[1].variant, 2);
	assert_false(fields[1].is_tag);
	assert_true(fields[2].is_tag);
}

static void of_what_a_pointer_leads_to_only_the_name_is_kept(void **state)
{
	_cleanup_(kept_done) struct kept k;
	const struct c_field *fields = NULL;
	const struct c_type *t;
	uint32_t number;

	(void)state;
	kept_init(&k);
	number = types_draft_add(&k.draft, &types[T_NODE_POINTER]);
	kept_open(&k);
	t = kept_types_get(&k.types, number);
	assert_named(t, "struct node*");
	assert_int_equal(c_type_size(t), 8);
	assert_int_equal(c_type_fields(c_type_target(t), &fields), 0);
}

static void a_type_is_kept_once(void **state)
{
	_cleanup_(kept_done) struct kept k;
	size_t n;

	(void)state;
	kept_init(&k);
	assert_int_equal(types_draft_add(&k.draft, &types[T_NODE]),
			 types_draft_add(&k.draft, &types[T_NODE]));
	n = k.draft.types.n;
	types_draft_add(&k.draft, &types[T_CONST_NODE]);
	assert_int_equal(k.draft.types.n, n + KEPT_TYPE_SIZE);
	assert_int_equal(types_draft_add(&k.draft, NULL), 0);
}

static const struct c_type *own_target(const struct c_type_source *s, const struct c_type *t)
{
	(void)s;
	return t;
}

static const struct c_type_source circular = { .pointer_size = 8, .target = own_target };

static void a_type_that_contains_itself_is_refused(void **state)
{
	const struct c_type name = { .source = &circular, .kind = C_TYPEDEF, .name = "x" };
	const struct c_type pointer = { .source = &circular, .kind = C_POINTER };
	_cleanup_(kept_done) struct kept k;

	(void)state;
	kept_init(&k);
	assert_int_equal(types_draft_add(&k.draft, &name), 0);
	assert_int_equal(types_draft_add(&k.draft, &name), 0);
	assert_int_equal(types_draft_add(&k.draft, &pointer), 0);
	assert_int_not_equal(types_draft_add(&k.draft, &types[T_INT]), 0);
}

/* Sets a word of a type, as kept-types.c lays it out. */
static void set(struct bytes *b, size_t type, size_t offset, uint32_t value)
{
	memcpy(b->data + type * KEPT_TYPE_SIZE + offset, &value, sizeof(value));
}

#define AT_TARGET      20
#define AT_FIRST_FIELD 24
#define AT_N_FIELDS    28
#define AT_KIND        32

static void malformed_types_are_no_types(void **state)
{
	_cleanup_(kept_done) struct kept k;
	const struct c_field *fields = NULL;
	uint32_t node;

	(void)state;
	kept_init(&k);
	types_draft_add(&k.draft, &types[T_NODE_POINTER]); /* number 2, a pointer to number 1 */
	node = types_draft_add(&k.draft, &types[T_NODE]);
	set(&k.draft.types, 1, AT_TARGET, 2);
	set(&k.draft.types, 0, AT_KIND, C_ATOMIC + 1);
	kept_open(&k);
	assert_null(kept_types_get(&k.types, 0));
	assert_null(kept_types_get(&k.types, node + 1));
	assert_null(kept_types_get(&k.types, UINT32_MAX));
	assert_null(kept_types_get(&k.types, 1)); /* of no kind */
	assert_null(c_type_target(kept_types_get(&k.types, 2)));
	set(&k.draft.types, 1, AT_TARGET, UINT32_MAX);
	assert_null(c_type_target(kept_types_get(&k.types, 2)));
	set(&k.draft.types, node - 1, AT_FIRST_FIELD, UINT32_MAX);
	assert_int_equal(c_type_fields(kept_types_get(&k.types, node), &fields), 0);
}

static void members_beyond_the_file_are_none(void **state)
{
	_cleanup_(kept_done) struct kept k;
	const struct c_field *fields = NULL;
	uint32_t node;

	(void)state;
	kept_init(&k);
	node = types_draft_add(&k.draft, &types[T_NODE]);
	set(&k.draft.types, node - 1, AT_N_FIELDS, UINT32_MAX);
	kept_open(&k);
	assert_int_equal(c_type_fields(kept_types_get(&k.types, node), &fields), 0);
}

/* A member whose type is the structure itself has no type. */
static void a_member_is_no_later_type(void **state)
{
	_cleanup_(kept_done) struct kept k;
	const struct c_field *fields = NULL;
	uint32_t node;

	(void)state;
	kept_init(&k);
	node = types_draft_add(&k.draft, &types[T_NODE]);
	memcpy(k.draft.fields.data + k.draft.fields.n - KEPT_FIELD_SIZE + 20, &node, sizeof(node));
	kept_open(&k);
	assert_int_equal(c_type_fields(kept_types_get(&k.types, node), &fields), 5);
	assert_null(fields[4].type);
	assert_non_null(fields[1].type);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_come_back),
		cmocka_unit_test(names_of_members_are_the_same),
		cmocka_unit_test(variants_are_kept),
		cmocka_unit_test(of_what_a_pointer_leads_to_only_the_name_is_kept),
		cmocka_unit_test(a_type_is_kept_once),
		cmocka_unit_test(a_type_that_contains_itself_is_refused),
		cmocka_unit_test(malformed_types_are_no_types),
		cmocka_unit_test(members_beyond_the_file_are_none),
		cmocka_unit_test(a_member_is_no_later_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
