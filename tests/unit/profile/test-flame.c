/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "profile/flame.h"

/* Adds the stack of @names, the outermost first, and returns its innermost box. */
static uint32_t add(struct flame_builder *b, const char *const *names, size_t n, uint64_t weight)
{
	uint32_t box = 0;

	for (size_t i = 0; i < n; i++)
		box = flame_builder_box(b, box, flame_builder_text(b, names[i]),
					flame_builder_text(b, "prog"), FLAME_USER);
	flame_builder_weigh(b, box, FLAME_AFTER, weight);
	return box;
}

#define ADD(b, weight, ...)                                                                        \
	add(b, (const char *const[]){ __VA_ARGS__ },                                               \
	    sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *), weight)

static struct flame *finish(struct flame_builder *b)
{
	struct flame *f = flame_builder_finish(b, false);

	flame_builder_free(b);
	return f;
}

static void assert_box(const struct flame *f, size_t i, const char *name, uint32_t depth,
		       uint64_t total, uint64_t self)
{
	assert_true(i < f->n);
	assert_string_equal(f->boxes[i].name, name);
	assert_int_equal(f->boxes[i].depth, depth);
	assert_int_equal(f->boxes[i].value[FLAME_AFTER].total, total);
	assert_int_equal(f->boxes[i].value[FLAME_AFTER].self, self);
}

static void stacks_merge_by_their_outer_frames_and_siblings_go_by_name(void **state)
{
	struct flame_builder *b = flame_builder_new("all");

	(void)state;
	ADD(b, 3, "sh", "main", "write");
	ADD(b, 2, "sh", "main", "read");
	ADD(b, 1, "sh", "main");
	ADD(b, 4, "cat", "main");

	_cleanup_(flame_freep) struct flame *f = finish(b);

	assert_int_equal(f->n, 7);
	assert_int_equal(f->depth, 3);
	assert_box(f, 0, "all", 0, 10, 0);
	assert_box(f, 1, "cat", 1, 4, 0);
	assert_box(f, 2, "main", 2, 4, 4);
	assert_box(f, 3, "sh", 1, 6, 0);
	assert_box(f, 4, "main", 2, 6, 1);
	assert_box(f, 5, "read", 3, 2, 2);
	assert_box(f, 6, "write", 3, 3, 3);
	assert_int_equal(f->boxes[0].parent, FLAME_NONE);
	assert_int_equal(f->boxes[5].parent, 4);
	assert_int_equal(f->boxes[0].end, 7);
	assert_int_equal(f->boxes[1].end, 3);
	assert_int_equal(f->boxes[3].end, 7);
	assert_int_equal(f->boxes[5].end, 6);
	assert_float_equal(flame_share(f, &f->boxes[3], FLAME_AFTER), 60, 1e-9);
}

static void recursion_stays_apart(void **state)
{
	struct flame_builder *b = flame_builder_new("all");

	(void)state;
	ADD(b, 1, "f", "f");

	_cleanup_(flame_freep) struct flame *f = finish(b);

	assert_int_equal(f->n, 3);
	assert_box(f, 1, "f", 1, 1, 0);
	assert_box(f, 2, "f", 2, 1, 1);
}

static void boxes_without_weight_are_left_out(void **state)
{
	struct flame_builder *b = flame_builder_new("all");

	(void)state;
	ADD(b, 0, "sh", "main");

	_cleanup_(flame_freep) struct flame *f = finish(b);

	assert_int_equal(f->n, 1);
	assert_box(f, 0, "all", 0, 0, 0);
	assert_float_equal(flame_share(f, &f->boxes[0], FLAME_AFTER), 0, 0);
}

static void sides_are_summed_apart(void **state)
{
	_cleanup_(flame_builder_freep) struct flame_builder *b = flame_builder_new("all");
	uint32_t box = ADD(b, 3, "sh");

	(void)state;
	flame_builder_weigh(b, box, FLAME_BEFORE, 7);
	flame_builder_weigh(b, ADD(b, 0, "gone"), FLAME_BEFORE, 1);

	_cleanup_(flame_freep) struct flame *f = flame_builder_finish(b, true);

	assert_int_equal(f->n, 3); /* boxes of only one side are included */
	assert_string_equal(f->boxes[1].name, "gone");
	assert_int_equal(f->boxes[0].value[FLAME_BEFORE].total, 8);
	assert_int_equal(f->boxes[0].value[FLAME_AFTER].total, 3);
}

static void what_a_box_is_does_not_depend_on_the_order(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct flame_builder *b = flame_builder_new("all");
		const char *name = flame_builder_text(b, "memcpy");
		const char *objects[] = { flame_builder_text(b, "libc.so.6"),
					  flame_builder_text(b, "a.out") };
		enum flame_kind kinds[] = { FLAME_INLINED, FLAME_USER };

		for (int i = 0; i < 2; i++)
			flame_builder_weigh(
				b,
				flame_builder_box(b, 0, name, objects[i ^ turn], kinds[i ^ turn]),
				FLAME_AFTER, 1);

		_cleanup_(flame_freep) struct flame *f = finish(b);

		assert_int_equal(f->n, 2);
		assert_string_equal(f->boxes[1].object, "a.out");
		assert_int_equal(f->boxes[1].kind, FLAME_USER);
	}
}

static void many_and_deep_stacks(void **state)
{
	struct flame_builder *b = flame_builder_new("all");
	const char *none = flame_builder_text(b, "");
	uint32_t box = 0;

	(void)state;
	for (int i = 0; i < 100000; i++)
		box = flame_builder_box(b, box, flame_builder_text(b, "deeper"), none, FLAME_USER);
	flame_builder_weigh(b, box, FLAME_AFTER, 1);
	for (int i = 0; i < 5000; i++) {
		_cleanup_(freep) char *name = xasprintf("f%d", i);

		ADD(b, 1, name);
	}

	_cleanup_(flame_freep) struct flame *f = finish(b);

	assert_int_equal(f->n, 1 + 100000 + 5000);
	assert_int_equal(f->depth, 100000);
	assert_int_equal(f->boxes[0].value[FLAME_AFTER].total, 5001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_merge_by_their_outer_frames_and_siblings_go_by_name),
		cmocka_unit_test(recursion_stays_apart),
		cmocka_unit_test(boxes_without_weight_are_left_out),
		cmocka_unit_test(sides_are_summed_apart),
		cmocka_unit_test(what_a_box_is_does_not_depend_on_the_order),
		cmocka_unit_test(many_and_deep_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
