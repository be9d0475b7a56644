/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "profile/collector.h"
#include "profile/frames.h"
#include "symbol/symbol.h"
#include "tools/diff/streams-model.h"

/* Two builds of two functions. */
static const struct symbol functions[] = {
	{ .start = 0x100, .end = 0x200, .name = "work" },
	{ .start = 0x500, .end = 0x600, .name = "work" },
	{ .start = 0x300, .end = 0x400, .name = "rest" },
};

static uint32_t place(struct frames *f, size_t function, uint64_t offset)
{
	uint64_t addr = functions[function].start + offset;
	const struct location loc = { .addr = addr,
				      .image_addr = addr,
				      .sym = &functions[function] };

	return frames_add(f, &loc, ADDRESS_USER, FRAME_OF_STACK);
}

/* Adds a stack of a caller and @n branches to @t: the frames from the outermost on. */
static uint32_t add_stack(struct tally *t, uint32_t caller, const uint32_t *frames, size_t n,
			  uint64_t period, uint64_t cycles)
{
	uint32_t node = stacks_child(&t->stacks, stacks_root(&t->stacks, 0), caller);

	branch_notes_at(&t->notes, node)->callers++;
	for (size_t i = 0; i < n; i++) {
		node = stacks_child(&t->stacks, node, frames[i]);
		branch_notes_at(&t->notes, node)->to++;
	}
	stack_weight_add(&t->stacks.weights[node], (struct weight){ period, 1 }, period, 1);
	while (t->branch_sums.n <= node)
		ARRAY_ADD(&t->branch_sums);
	t->branch_sums.items[node].n += n;
	t->branch_sums.items[node].cycles += cycles;
	return node;
}

static void tally_free(struct tally *t)
{
	stacks_done(&t->stacks);
	branch_notes_done(&t->notes);
	free(t->branch_sums.items);
}

static void the_hottest_come_first_without_their_callers(void **state)
{
	struct frames *f = frames_new(true);
	struct tally t = { 0 };
	struct streams s;
	uint32_t places[] = { place(f, 0, 1), place(f, 0, 2), place(f, 2, 3) };
	uint32_t caller = place(f, 2, 9);

	(void)state;
	add_stack(&t, caller, places, 2, 10, 5);
	add_stack(&t, caller, places, 3, 20, 6);
	add_stack(&t, caller, places, 3, 10, 9);
	add_stack(&t, caller, NULL, 0, 1000, 0);
	streams_find(&s, &t);
	assert_int_equal(s.whole, 40);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.items[0].period, 30);
	assert_int_equal(s.items[0].cycles, 7);
	assert_int_equal(s.items[0].n, 3);
	assert_int_equal(s.items[0].frames[0], places[2]);
	assert_int_equal(s.items[0].frames[2], places[0]);
	assert_int_equal(s.items[1].period, 10);
	streams_done(&s);
	tally_free(&t);
	frames_free(f);
}

static void only_so_many_are_kept(void **state)
{
	struct frames *f = frames_new(true);
	struct tally t = { 0 };
	struct streams s;

	(void)state;
	for (uint64_t i = 0; i < 2 * STREAMS_MAX; i++) {
		uint32_t at = place(f, 0, i);

		add_stack(&t, place(f, 2, 0), &at, 1, 1 + i, 0);
	}
	streams_find(&s, &t);
	assert_int_equal(s.n, STREAMS_MAX);
	assert_int_equal(s.items[0].period, 2 * STREAMS_MAX);
	assert_int_equal(s.whole, STREAMS_MAX * (2 * STREAMS_MAX + 1));
	streams_done(&s);
	tally_free(&t);
	frames_free(f);
}

static void streams_of_two_builds_match_by_function_and_offset(void **state)
{
	struct frames *f = frames_new(true);
	uint32_t one[] = { place(f, 0, 1), place(f, 2, 3) },
		 same[] = { place(f, 1, 1), place(f, 2, 3) };
	uint32_t moved[] = { place(f, 1, 2), place(f, 2, 3) };
	struct streams a = { .items = { { .frames = one, .n = 2 } }, .n = 1 };
	struct streams b = { .items = { { .frames = moved, .n = 2 },
					{ .frames = same, .n = 1 },
					{ .frames = same, .n = 2 },
					{ .frames = same, .n = 2 } },
			     .n = 4 };
	size_t partner[STREAMS_MAX];

	(void)state;
	streams_match(&a, &b, f, partner);
	assert_int_equal(partner[0], 2);
	b.n = 2;
	streams_match(&a, &b, f, partner);
	assert_int_equal(partner[0], STREAM_NONE);
	frames_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hottest_come_first_without_their_callers),
		cmocka_unit_test(only_so_many_are_kept),
		cmocka_unit_test(streams_of_two_builds_match_by_function_and_offset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
