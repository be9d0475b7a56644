/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/c-type.h"
#include "base/similar.h"
#include "dwarf/debug-variables.h"
#include "variables-elf.h"

/* struct pair. */
static const struct c_type *pair_of(struct opened_variables *o)
{
	struct debug_variable v;

	variables_open(o, NULL, 0);
	assert_int_equal(debug_variable_find(o->info, &o->place, "s", &v, NULL), 0);
	return v.type;
}

static bool member_of(const struct c_type *t, const char *name, struct c_member *ret)
{
	return t->source->member(t->source, t, name, ret);
}

static void members_have_types_and_offsets(void **state)
{
	struct opened_variables o;
	const struct c_type *pair = pair_of(&o);
	struct c_member m;

	(void)state;
	assert_true(member_of(pair, "next", &m));
	assert_int_equal(m.offset, 24);
	assert_ptr_equal(c_type_target(m.type), pair);
	assert_false(member_of(pair, "previous", &m));
	debug_info_free(o.info);
}

static void members_without_a_name_are_looked_into(void **state)
{
	struct opened_variables o;
	struct c_member m;

	(void)state;
	assert_true(member_of(pair_of(&o), "number", &m));
	assert_int_equal(m.offset, 8);
	assert_int_equal(m.type->size, 8);
	debug_info_free(o.info);
}

/* In 32 bits at offset 4: three bits of DWARF 4 from 0, five of DWARF 3 from 3. */
static void bits_are_counted_from_the_lowest(void **state)
{
	struct opened_variables o;
	const struct c_type *pair = pair_of(&o);
	struct c_member low, high;

	(void)state;
	assert_true(member_of(pair, "low", &low));
	assert_true(member_of(pair, "high", &high));
	assert_int_equal(low.offset, 4);
	assert_int_equal(low.bit_offset, 0);
	assert_int_equal(low.bit_size, 3);
	assert_int_equal(low.bit_unit, 32);
	assert_int_equal(high.offset, 4);
	assert_int_equal(high.bit_offset, 3);
	assert_int_equal(high.bit_size, 5);
	assert_int_equal(high.bit_unit, 32);
	debug_info_free(o.info);
}

static void dimensions_are_arrays_of_arrays(void **state)
{
	struct opened_variables o;
	struct c_member m;

	(void)state;
	assert_true(member_of(pair_of(&o), "name", &m));
	assert_int_equal(m.type->count, 2);
	assert_int_equal(c_type_target(m.type)->kind, C_ARRAY);
	assert_int_equal(c_type_target(m.type)->count, 4);
	assert_int_equal(c_type_target(c_type_target(m.type))->kind, C_CHARACTER);
	assert_int_equal(c_type_size(m.type), 8);
	debug_info_free(o.info);
}

static void names_like_it_are_suggested(void **state)
{
	struct similar near = { .typed = "numbr" };
	struct opened_variables o;
	const struct c_type *pair = pair_of(&o);

	(void)state;
	pair->source->suggest(pair->source, pair, &near);
	assert_int_equal(near.n, 1);
	assert_string_equal(near.best[0].name, "number");
	debug_info_free(o.info);
}

static const struct c_type *shape_of(struct opened_variables *o)
{
	static const struct place_expression e = { "e", { DW_OP_fbreg, 0 }, 2, OF_SHAPE };
	struct debug_variable v;

	variables_open(o, &e, 1);
	assert_int_equal(debug_variable_find(o->info, &o->place, "e", &v, NULL), 0);
	return v.type;
}

static void members_of_variants_are_members(void **state)
{
	struct opened_variables o;
	const struct c_type *shape = shape_of(&o);
	const struct c_field *fields = NULL;
	struct c_member m;

	(void)state;
	assert_int_equal(c_type_fields(shape, &fields), 3);
	assert_string_equal(fields[0].name, "radius");
	assert_int_equal(fields[0].offset, 8);
	assert_int_equal(fields[0].variant, 1);
	assert_string_equal(fields[1].name, "sides");
	assert_int_equal(fields[1].offset, 8);
	assert_int_equal(fields[1].variant, 2);
	/* Members are also found by name, as for arguments of probes. */
	assert_true(member_of(shape, "sides", &m));
	assert_int_equal(m.offset, 8);
	assert_int_equal(m.type->kind, C_POINTER);
	debug_info_free(o.info);
}

static void the_tag_of_variants_is_the_last_member(void **state)
{
	struct opened_variables o;
	const struct c_type *shape = shape_of(&o);
	const struct c_field *fields = NULL;

	(void)state;
	assert_int_equal(c_type_fields(shape, &fields), 3);
	assert_string_equal(fields[2].name, "discriminant");
	assert_true(fields[2].is_tag);
	assert_int_equal(fields[2].size, 1);
	assert_int_equal(fields[2].variant, 0);
	debug_info_free(o.info);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_have_types_and_offsets),
		cmocka_unit_test(members_without_a_name_are_looked_into),
		cmocka_unit_test(bits_are_counted_from_the_lowest),
		cmocka_unit_test(dimensions_are_arrays_of_arrays),
		cmocka_unit_test(names_like_it_are_suggested),
		cmocka_unit_test(members_of_variants_are_members),
		cmocka_unit_test(the_tag_of_variants_is_the_last_member),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
