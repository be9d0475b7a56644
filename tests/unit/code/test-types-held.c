/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/types/held.h"
#include "example-types.h"

static struct held pointer(int64_t offset)
{
	return (struct held){ .kind = HELD_POINTER, .type = &types[T_NODE], .offset = offset };
}

static struct held address(int64_t addr)
{
	return (struct held){ .kind = HELD_ADDRESS, .offset = addr };
}

static void a_variable_holds_what_it_points_to(void **state)
{
	struct held h = held_of_type(&types[T_NODE_POINTER]);

	(void)state;
	assert_int_equal(h.kind, HELD_POINTER);
	assert_ptr_equal(h.type, &types[T_NODE]);
	assert_ptr_equal(h.value, &types[T_NODE_POINTER]);
	assert_int_equal(held_of_type(&types[T_INT]).kind, HELD_NUMBER);
	assert_int_equal(held_of_type(NULL).kind, HELD_UNKNOWN);
}

static void a_sum_keeps_the_pointer(void **state)
{
	struct held number = { .kind = HELD_NUMBER, .stride = 1 };

	(void)state;
	assert_int_equal(held_sum(pointer(8), number).stride, 1);
	assert_int_equal(held_sum(number, pointer(8)).stride, 1);
	assert_int_equal(held_sum(pointer(8), (struct held){ .kind = HELD_UNKNOWN }).stride, 1);
	assert_int_equal(held_sum(pointer(8), address(16)).offset, 24);
	/* A large number is not taken for a second pointer. */
	assert_int_equal(held_sum(pointer(8), address(100000)).offset, 100008);
	assert_int_equal(held_sum(address(0x404000), address(0x404000)).kind, HELD_UNKNOWN);
	assert_int_equal(held_sum(pointer(0), pointer(0)).kind, HELD_UNKNOWN);
	assert_int_equal(held_sum(number, number).kind, HELD_NUMBER);
	assert_int_equal(held_plus(pointer(8), -8).offset, 0);
}

static void an_index_keeps_its_stride(void **state)
{
	struct held index = { .kind = HELD_NUMBER, .stride = 1 }, h;

	(void)state;
	/* &p[i + 2].next, of 40 bytes each */
	h = held_sum(pointer(8), held_scaled(held_plus(held_scaled(index, 5), 10), 8));
	assert_int_equal(h.kind, HELD_POINTER);
	assert_int_equal(h.stride, 40);
	assert_int_equal(h.offset, 88);
	h = held_difference(h, address(80));
	assert_int_equal(h.offset, 8);
	assert_int_equal(held_difference(pointer(8), held_scaled(index, 40)).stride, 40);
	assert_int_equal(held_difference(pointer(8), pointer(0)).kind, HELD_NUMBER);
	assert_int_equal(held_difference(index, pointer(0)).kind, HELD_UNKNOWN);
	assert_int_equal(held_product(index, address(40)).stride, 40);
	assert_int_equal(held_product(address(40), index).stride, 1);
	assert_int_equal(held_scaled(index, UINT64_MAX).stride, 1);
	/* The sum of two constants is a constant. */
	h = held_sum(address(8), address(16));
	assert_int_equal(h.kind, HELD_ADDRESS);
	assert_int_equal(h.offset, 24);
	assert_int_equal(held_scaled(address(8), 3).offset, 24);
}

static void where_blocks_meet_only_what_both_hold_is_left(void **state)
{
	struct held frame = { .kind = HELD_FRAME, .offset = -8 };

	(void)state;
	assert_int_equal(held_merge(pointer(0), pointer(0)).kind, HELD_POINTER);
	assert_int_equal(held_merge(pointer(0), frame).kind, HELD_UNKNOWN);
	/* As in a loop over an array. */
	assert_int_equal(held_merge(pointer(0), pointer(40)).stride, 40);
	assert_int_equal(held_merge(address(0), address(24)).kind, HELD_NUMBER);
	assert_int_equal(held_merge(address(0), address(24)).stride, 24);
	/* if (x) p = NULL; */
	assert_int_equal(held_merge(address(0), pointer(0)).kind, HELD_POINTER);
	assert_int_equal(held_merge(frame, held_plus(frame, 8)).stride, 8);
	assert_int_equal(held_choose(pointer(0), (struct held){ .kind = HELD_UNKNOWN }).kind,
			 HELD_POINTER);
}

static void slots_that_overlap_are_forgotten(void **state)
{
	struct held_state s = { .slots = NULL };

	(void)state;
	held_slot_set(&s, -16, 8, pointer(0));
	assert_int_equal(held_slot_get(&s, -16, 8).kind, HELD_POINTER);
	assert_int_equal(held_slot_get(&s, -16, 4).kind, HELD_UNKNOWN);
	held_slot_set(&s, -12, 4, (struct held){ .kind = HELD_NUMBER });
	assert_int_equal(held_slot_get(&s, -16, 8).kind, HELD_UNKNOWN);
	held_state_done(&s);
}

static void states_are_merged_until_nothing_changes(void **state)
{
	struct held_state a = { .slots = NULL }, b = { .slots = NULL };

	(void)state;
	a.regs[3] = b.regs[3] = a.regs[4] = pointer(0);
	held_slot_set(&a, -8, 8, pointer(0));
	assert_true(held_state_merge(&a, &b));
	assert_int_equal(a.regs[3].kind, HELD_POINTER);
	assert_int_equal(a.regs[4].kind, HELD_UNKNOWN);
	assert_int_equal(a.n_slots, 0);
	assert_false(held_state_merge(&a, &b));
	held_state_clobber(&a, 1u << 3);
	assert_int_equal(a.regs[3].kind, HELD_UNKNOWN);
	held_state_done(&a);
	held_state_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_variable_holds_what_it_points_to),
		cmocka_unit_test(a_sum_keeps_the_pointer),
		cmocka_unit_test(an_index_keeps_its_stride),
		cmocka_unit_test(where_blocks_meet_only_what_both_hold_is_left),
		cmocka_unit_test(slots_that_overlap_are_forgotten),
		cmocka_unit_test(states_are_merged_until_nothing_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
