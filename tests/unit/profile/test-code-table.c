/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "example-code.h"
#include "profile/code-table.h"

/* Frames by address, a stack over them, and the table of its code. */
struct fixture {
	struct frames *frames;
	struct stacks stacks;
	struct code_table table;
	uint32_t root;
};

static void fixture_init(struct fixture *f)
{
	*f = (struct fixture){ .frames = frames_new(true) };
	f->root = stacks_root(&f->stacks, 0);
	code_table_init(&f->table, f->frames, false);
}

static void fixture_done(struct fixture *f)
{
	code_table_done(&f->table);
	stacks_done(&f->stacks);
	frames_free(f->frames);
}

static const char *name_of(const struct fixture *f, uint32_t location, uint32_t i)
{
	const struct code_table *t = &f->table;
	const struct code_location *l = &t->locations.items[location];

	return t->functions.items[t->lines.items[l->first_line + i].function].name;
}

static void a_program_lies_where_the_first_process_had_it(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t here, there, caller, first;

	(void)state;
	fixture_init(&f);
	here = stacks_child(&f.stacks, f.root,
			    add_frame(f.frames, PROGRAM, 0x1110, &main_function));
	there = stacks_child(&f.stacks, f.root,
			     add_frame(f.frames, PROGRAM_ELSEWHERE, 0x1110, &main_function));
	first = code_table_location(&f.table, &f.stacks, here, &caller);
	assert_int_equal(code_table_location(&f.table, &f.stacks, there, &caller), first);
	assert_int_equal(caller, STACK_NONE);
	assert_int_equal(f.table.locations.n, 1);
	assert_int_equal(f.table.images.n, 1);
	assert_int_equal(f.table.locations.items[0].addr, 0x10110);
	assert_string_equal(code_image_name(&f.table.images.items[0]), "/bin/a");
	assert_string_equal(name_of(&f, 0, 0), "main");
}

static void inlined_functions_are_lines_of_one_location(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t outer, middle, inner, called, location, caller;

	(void)state;
	fixture_init(&f);
	outer = stacks_child(&f.stacks, f.root,
			     add_inlined(f.frames, PROGRAM, 0x1110, &main_function, 2));
	middle = stacks_child(&f.stacks, outer,
			      add_inlined(f.frames, PROGRAM, 0x1110, &inlined, 1));
	inner = stacks_child(&f.stacks, middle,
			     add_inlined(f.frames, PROGRAM, 0x1110, &inlined_deeper, 0));
	called = stacks_child(&f.stacks, inner,
			      add_frame(f.frames, LIBRARY, 0x110, &library_function));
	location = code_table_location(&f.table, &f.stacks, called, &caller);
	assert_int_equal(f.table.locations.items[location].n_lines, 1);
	assert_int_equal(caller, inner);
	location = code_table_location(&f.table, &f.stacks, inner, &caller);
	assert_int_equal(caller, STACK_NONE);
	assert_int_equal(f.table.locations.items[location].n_lines, 3);
	assert_string_equal(name_of(&f, location, 0), "");
	assert_string_equal(name_of(&f, location, 1), "quote\"\n\xff");
	assert_string_equal(name_of(&f, location, 2), "main");
	assert_true(f.table.images.items[1].has_inlines);
	assert_false(f.table.images.items[0].has_inlines);
}

static void code_without_a_name_is_its_address(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	const struct location nowhere = { .addr = 0x77, .image_addr = 0x77 };
	uint32_t unnamed, unmapped, a, b, caller;

	(void)state;
	fixture_init(&f);
	unnamed = stacks_child(&f.stacks, f.root, add_frame(f.frames, LIBRARY, 0x500, NULL));
	unmapped = stacks_child(&f.stacks, f.root,
				frames_add(f.frames, &nowhere, ADDRESS_USER, FRAME_OF_STACK));
	a = code_table_location(&f.table, &f.stacks, unnamed, &caller);
	b = code_table_location(&f.table, &f.stacks, unmapped, &caller);
	assert_int_equal(f.table.locations.items[a].n_lines, 0);
	assert_int_equal(f.table.locations.items[a].addr, 0x90500);
	assert_int_equal(f.table.locations.items[b].image, CODE_NONE);
	assert_int_equal(f.table.locations.items[b].addr, 0x77);
	assert_int_equal(f.table.functions.n, 0);
}

static void code_of_the_kernel_is_told_apart(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	uint32_t kernel, user, caller;

	(void)state;
	fixture_init(&f);
	user = stacks_child(&f.stacks, f.root,
			    add_frame(f.frames, PROGRAM, 0x1110, &main_function));
	kernel = stacks_child(&f.stacks, user,
			      add_frame(f.frames, MODULE, 0x110, &library_function));
	kernel = code_table_location(&f.table, &f.stacks, kernel, &caller);
	user = code_table_location(&f.table, &f.stacks, user, &caller);
	assert_true(f.table.locations.items[kernel].is_of_kernel);
	assert_false(f.table.locations.items[user].is_of_kernel);
	assert_int_equal(f.table.locations.items[kernel].addr, 0xffff8110);
}

static void places_that_are_no_frames_share_images_and_functions(void **state)
{
	_cleanup_(fixture_done) struct fixture f;
	const struct location known = code_at(PROGRAM, 0x1180, &main_function);
	const struct location other = code_at(LIBRARY, 0x900, NULL);
	const struct location nowhere = { .addr = 0x77 };
	uint32_t node, image, function, caller;

	(void)state;
	fixture_init(&f);
	node = stacks_child(&f.stacks, f.root,
			    add_frame(f.frames, PROGRAM, 0x1110, &main_function));
	code_table_location(&f.table, &f.stacks, node, &caller);
	code_table_place(&f.table, &known, &image, &function);
	assert_int_equal(image, 0);
	assert_int_equal(function, 0);
	code_table_place(&f.table, &other, &image, &function);
	assert_int_equal(image, 1);
	assert_int_equal(function, CODE_NONE);
	code_table_place(&f.table, &nowhere, &image, &function);
	assert_int_equal(image, CODE_NONE);
	assert_int_equal(function, CODE_NONE);
	assert_int_equal(f.table.locations.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_lies_where_the_first_process_had_it),
		cmocka_unit_test(inlined_functions_are_lines_of_one_location),
		cmocka_unit_test(code_without_a_name_is_its_address),
		cmocka_unit_test(code_of_the_kernel_is_told_apart),
		cmocka_unit_test(places_that_are_no_frames_share_images_and_functions),
	};

	return cmocka_run_group_tests(tests, make_code, release_code);
}
