/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "code/types/object.h"
#include "example-types.h"

static struct object_place place(int type, int64_t offset)
{
	return (struct object_place){ .type = &types[type], .offset = offset };
}

static void an_array_is_its_element(void **state)
{
	struct object_place p = place(T_NODES, 2 * 40 + 8);

	(void)state;
	assert_int_equal(object_place_settle(&p, 0), OBJECT_FOUND);
	assert_ptr_equal(p.type, &types[T_NODE]);
	assert_int_equal(p.offset, 8);
	p = place(T_NODES, -32);
	assert_int_equal(object_place_settle(&p, 40), OBJECT_FOUND);
	assert_int_equal(p.offset, 8);
}

static void an_offset_beyond_a_structure_is_no_place(void **state)
{
	struct object_place p = place(T_NODE, 40);

	(void)state;
	assert_int_equal(object_place_settle(&p, 0), OBJECT_BAD_OFFSET);
	p = place(T_NODE, -8);
	assert_int_equal(object_place_settle(&p, 0), OBJECT_BAD_OFFSET);
	p = place(T_NODE, 48);
	assert_int_equal(object_place_settle(&p, 40), OBJECT_FOUND);
	assert_int_equal(p.offset, 8);
	/* p[3] of an int *p */
	p = place(T_INT, 12);
	assert_int_equal(object_place_settle(&p, 0), OBJECT_FOUND);
	assert_int_equal(p.offset, 0);
	p = (struct object_place){ .type = NULL };
	assert_int_equal(object_place_settle(&p, 0), OBJECT_NO_TYPE);
}

static void an_index_finds_its_array(void **state)
{
	struct object_place p = place(T_NODE, 24);

	(void)state;
	/* p->table[i] */
	assert_int_equal(object_place_settle(&p, 4), OBJECT_FOUND);
	assert_ptr_equal(p.type, &types[T_NODE]);
	assert_int_equal(p.offset, 24);
	/* p->id has no elements. */
	p = place(T_NODE, 8);
	assert_int_equal(object_place_settle(&p, 4), OBJECT_BAD_OFFSET);
	assert_int_equal(object_place_settle(&p, 1), OBJECT_FOUND);
	assert_int_equal(p.offset, 8);
	/* nodes[i].table[k] */
	p = place(T_NODES, 40 + 28);
	assert_int_equal(object_place_settle(&p, 4), OBJECT_FOUND);
	assert_int_equal(p.offset, 28);
}

static void a_divisor_of_the_size_is_an_index_of_the_structure(void **state)
{
	struct object_place p = place(T_ROUND, 24);

	(void)state;
	/* rounds[i] of 16 bytes, where a multiple of 8 is known */
	assert_int_equal(object_place_settle(&p, 8), OBJECT_FOUND);
	assert_int_equal(p.offset, 8);
	p = place(T_ROUND, 8);
	assert_int_equal(object_place_settle(&p, 3), OBJECT_BAD_OFFSET);
	/* struct node has an array that may be meant, although it begins elsewhere. */
	p = place(T_NODE, 8);
	assert_int_equal(object_place_settle(&p, 8), OBJECT_BAD_OFFSET);
	p = place(T_ENDLESS_UNION, 0);
	assert_int_equal(object_place_settle(&p, 4), OBJECT_BAD_OFFSET);
}

static void what_follows_a_structure_is_its_flexible_array(void **state)
{
	struct object_place p = place(T_FLEXIBLE, 8 + 2 * 40 + 16);

	(void)state;
	assert_int_equal(object_place_settle(&p, 0), OBJECT_FOUND);
	assert_ptr_equal(p.type, &types[T_NODE]);
	assert_int_equal(p.offset, 16);
	p = place(T_FLEXIBLE, 8);
	assert_int_equal(object_place_settle(&p, 40), OBJECT_FOUND);
	assert_ptr_equal(p.type, &types[T_NODE]);
	p = place(T_FLEXIBLE, 4);
	assert_int_equal(object_place_settle(&p, 0), OBJECT_FOUND);
	assert_ptr_equal(p.type, &types[T_FLEXIBLE]);
	/* An array of one element serves as well. */
	p = place(T_STRUCT_HACK, 8 + 40 + 16);
	assert_int_equal(object_place_settle(&p, 0), OBJECT_FOUND);
	assert_ptr_equal(p.type, &types[T_NODE]);
	assert_int_equal(p.offset, 16);
	p = place(T_STRUCT_HACK, 8 + 16);
	assert_int_equal(object_place_settle(&p, 40), OBJECT_FOUND);
	assert_ptr_equal(p.type, &types[T_STRUCT_HACK]);
	p = place(T_FLEXIBLE, -8);
	assert_int_equal(object_place_settle(&p, 0), OBJECT_BAD_OFFSET);
}

static void a_member_is_held_once_it_is_loaded(void **state)
{
	struct object_place p = place(T_NODE, 0);

	(void)state;
	assert_int_equal(object_held(&p, 8).kind, HELD_POINTER);
	p = place(T_NODE, 8);
	assert_int_equal(object_held(&p, 4).kind, HELD_NUMBER);
	/* For a union, the pointer is followed. */
	p = place(T_NODE, 16);
	assert_int_equal(object_held(&p, 8).kind, HELD_POINTER);
	p = place(T_NODE, 28);
	assert_int_equal(object_held(&p, 4).kind, HELD_NUMBER);
	p = place(T_NODE, 4);
	assert_int_equal(object_held(&p, 4).kind, HELD_UNKNOWN);
}

static void members_of_a_union_that_disagree_are_not_followed(void **state)
{
	struct object_place p = place(T_DISPUTED, 0);

	(void)state;
	assert_int_equal(object_held(&p, 8).kind, HELD_UNKNOWN);
}

static void check_sized(int type, int64_t offset, uint64_t size, const char *expected)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct object_place p = place(type, offset);

	object_field_text(&p, size, &t);
	assert_string_equal(t.chars ? t.chars : "", expected);
}

static void check_field(int type, int64_t offset, const char *expected)
{
	check_sized(type, offset, 0, expected);
}

static void members_are_named(void **state)
{
	(void)state;
	check_field(T_NODE, 8, "id");
	check_field(T_NODE, 12, "flag:3");
	check_field(T_NODE, 18, "l");
	check_field(T_NODE, 32, "table");
	check_field(T_NODE_NAME, 0, "next");
	check_field(T_INT, 0, "");
}

static void a_member_of_a_union_begins_where_it_is_accessed(void **state)
{
	(void)state;
	check_field(T_OVERLAID, 0, "l");
	check_field(T_OVERLAID, 3, "b");
}

static void a_member_of_a_union_has_the_size_of_the_access(void **state)
{
	(void)state;
	check_sized(T_OVERLAID, 0, 1, "b");
	check_sized(T_OVERLAID, 0, 8, "l");
	check_sized(T_OVERLAID, 0, 4, "l");
}

static void a_member_of_a_variant_is_named_if_no_other_can_be_meant(void **state)
{
	(void)state;
	check_sized(T_SHAPE, 0, 1, "discriminant");
	check_sized(T_SHAPE, 4, 4, "Round.id");
	check_sized(T_SHAPE, 4, 1, "Square.edge");
	check_field(T_SHAPE, 4, "");
	check_sized(T_SHAPE, 8, 8, "");
	/* A tag in the bytes of a member is not named. */
	check_sized(T_OPTION, 0, 8, "Some");
}

static void a_pointer_of_a_variant_leads_on(void **state)
{
	struct object_place p = place(T_OPTION, 0);

	(void)state;
	assert_int_equal(object_held(&p, 8).kind, HELD_POINTER);
	assert_ptr_equal(object_held(&p, 8).type, &types[T_NODE]);
}

static void bit_fields_are_chosen_by_the_bytes_that_have_them(void **state)
{
	(void)state;
	check_sized(T_FLAGS, 0, 1, "low:4");
	check_sized(T_FLAGS, 0, 2, "high:12");
	check_sized(T_FLAGS, 1, 1, "high:12");
	check_sized(T_FLAGS, 2, 2, "other:16");
	/* An access to all of them gets the name of the first. */
	check_sized(T_FLAGS, 0, 4, "low:4");
}

static void members_without_end_are_given_up(void **state)
{
	struct object_place p = place(T_ENDLESS_UNION, 0);

	(void)state;
	assert_int_equal(object_held(&p, 8).kind, HELD_UNKNOWN);
	assert_int_equal(object_place_settle(&p, 3), OBJECT_BAD_OFFSET);
	assert_null(c_type_piece(&types[T_ENDLESS_UNION], 0, 8));
	check_sized(T_ENDLESS_UNION, 0, 4,
		    "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a");
}

static void a_piece_has_the_type_of_its_only_member(void **state)
{
	(void)state;
	assert_ptr_equal(c_type_piece(&types[T_NODE], 8, 4), &types[T_INT]);
	assert_null(c_type_piece(&types[T_NODE], 8, 8));
	assert_null(c_type_piece(&types[T_NODE], 16, 8)); /* a union */
	assert_null(c_type_piece(&types[T_NODE], 12, 1)); /* bits */
	assert_ptr_equal(c_type_piece(&types[T_OPTION], 0, 8), &types[T_NODE_POINTER]);
	assert_ptr_equal(c_type_piece(&types[T_SHAPE], 8, 8), &types[T_LONG]);
	assert_null(c_type_piece(&types[T_SHAPE], 4, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_array_is_its_element),
		cmocka_unit_test(an_offset_beyond_a_structure_is_no_place),
		cmocka_unit_test(an_index_finds_its_array),
		cmocka_unit_test(a_divisor_of_the_size_is_an_index_of_the_structure),
		cmocka_unit_test(what_follows_a_structure_is_its_flexible_array),
		cmocka_unit_test(a_member_is_held_once_it_is_loaded),
		cmocka_unit_test(members_of_a_union_that_disagree_are_not_followed),
		cmocka_unit_test(members_are_named),
		cmocka_unit_test(a_member_of_a_union_begins_where_it_is_accessed),
		cmocka_unit_test(a_member_of_a_union_has_the_size_of_the_access),
		cmocka_unit_test(a_member_of_a_variant_is_named_if_no_other_can_be_meant),
		cmocka_unit_test(a_pointer_of_a_variant_leads_on),
		cmocka_unit_test(bit_fields_are_chosen_by_the_bytes_that_have_them),
		cmocka_unit_test(members_without_end_are_given_up),
		cmocka_unit_test(a_piece_has_the_type_of_its_only_member),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
