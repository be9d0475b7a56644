/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "arch/x86-walk.h"
#include "base/cleanup.h"

#define RET        0xc3
#define PUSH_RBX   0x53
#define POP_RBX    0x5b
#define PUSH_RBP   0x55
#define POP_RBP    0x5d
#define LEAVE      0xc9
#define PUSHF      0x9c
#define PUSH_1     0x6a, 0x01
#define UD2        0x0f, 0x0b
#define SUB_24     0x48, 0x83, 0xec, 0x18
#define ADD_24     0x48, 0x83, 0xc4, 0x18
#define ALIGN_64   0x48, 0x83, 0xe4, 0xc0       /* and $-64, %rsp */
#define RBP_RSP    0x48, 0x89, 0xe5             /* mov %rsp, %rbp */
#define RSP_RBP    0x48, 0x89, 0xec             /* mov %rbp, %rsp */
#define RSP_RAX    0x48, 0x89, 0xc4             /* mov %rax, %rsp */
#define RSP_RBP_8  0x48, 0x8d, 0x65, 0xf8       /* lea -8(%rbp), %rsp */
#define RBP_77     0xbd, 0x4d, 0, 0, 0          /* mov $77, %ebp */
#define LOAD_RBP_8 0x48, 0x8b, 0x6c, 0x24, 0x08 /* mov 8(%rsp), %rbp */
#define CALL       0xe8, 0, 0, 0, 0
#define JNE(n)     0x75, (n)
#define JMP(n)     0xeb, (n)
#define JMP_MEMORY 0xff, 0x25, 0, 0, 0, 0 /* jmp *0(%rip) */
#define JMP_RAX    0xff, 0xe0
#define ENDBR64    0xf3, 0x0f, 0x1e, 0xfa

#define BASE 0x1000

struct code {
	const uint8_t *bytes;
	size_t n;
};

static size_t read_code(void *arg, uint64_t addr, void *ret, size_t n)
{
	const struct code *c = arg;
	uint64_t at = addr - BASE;

	if (at >= c->n)
		return 0;
	n = n < c->n - at ? n : c->n - at;
	memcpy(ret, c->bytes + at, n);
	return n;
}

static bool walk(const uint8_t *bytes, size_t n, struct code_frame *ret)
{
	struct code c = { bytes, n };

	return x86_frame_by_walk(read_code, &c, BASE, ret);
}

#define WALK(ret, ...)                                                                             \
	walk((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }), ret)

/*
 * Checks that the return address is right below the CFA, that the CFA is @cfa from rsp, and that
 * the caller's rbp is at @fp, or in rbp if @fp is 0.
 */
static void assert_frame(const struct code_frame *f, int cfa, int fp)
{
	assert_true(f->has_cfa && f->ra_is_saved && !f->cfa_from_fp);
	assert_int_equal(f->ra_offset, -8);
	assert_int_equal(f->cfa_offset, cfa);
	assert_int_equal(f->fp_is_saved, fp != 0);
	assert_int_equal(f->fp_offset, fp);
}

static void what_moves_the_stack_pointer_is_added_up(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(&f, RET));
	assert_frame(&f, 8, 0);
	assert_true(WALK(&f, PUSH_RBX, SUB_24, CALL, ADD_24, POP_RBX, RET));
	assert_frame(&f, 8, 0);
	assert_true(WALK(&f, CALL, ADD_24, POP_RBX, RET));
	assert_frame(&f, 40, 0);
	assert_true(WALK(&f, PUSH_1, CALL, ADD_24, RET));
	assert_frame(&f, 24, 0);
}

static void the_callers_frame_pointer_is_where_it_is_loaded_from(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(&f, ADD_24, POP_RBP, RET));
	assert_frame(&f, 40, -16);
	assert_true(WALK(&f, LOAD_RBP_8, ADD_24, RET));
	assert_frame(&f, 32, -24);
	assert_true(WALK(&f, RBP_77, POP_RBP, POP_RBX, RET));
	assert_frame(&f, 24, -24);
	/* A register that the path itself saves is still the caller's. */
	assert_true(WALK(&f, PUSH_RBP, RBP_RSP, SUB_24, CALL, LEAVE, RET));
	assert_frame(&f, 8, 0);
	assert_true(WALK(&f, PUSH_RBP, RBP_77, POP_RBP, RET));
	assert_frame(&f, 8, 0);
	/* The caller's rbp is lost, or is never restored. */
	assert_false(WALK(&f, RBP_77, RET));
	assert_false(WALK(&f, RBP_RSP, RET));
}

static void a_frame_pointer_leads_to_the_frame(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(&f, CALL, LEAVE, RET));
	assert_true(f.cfa_from_fp && f.fp_is_saved);
	assert_int_equal(f.cfa_offset, 16);
	assert_int_equal(f.fp_offset, -16);
	assert_true(WALK(&f, ALIGN_64, RSP_RBP_8, POP_RBX, POP_RBP, RET));
	assert_true(f.cfa_from_fp && f.fp_is_saved);
	assert_int_equal(f.cfa_offset, 16);
	assert_true(WALK(&f, RSP_RAX, RSP_RBP, POP_RBP, RET));
	assert_int_equal(f.cfa_offset, 16);
	assert_true(WALK(&f, PUSH_RBP, RBP_RSP, ALIGN_64, CALL, LEAVE, RET));
	assert_frame(&f, 8, 0);
	/* rbp is not the function's any more. */
	assert_false(WALK(&f, RBP_77, LEAVE, RET));
}

static void a_stack_pointer_that_is_computed_tells_nothing(void **state)
{
	struct code_frame f;

	(void)state;
	assert_false(WALK(&f, RSP_RAX, RET));
	assert_false(WALK(&f, ALIGN_64, RET));
	assert_false(WALK(&f, ALIGN_64, RBP_RSP, LEAVE, RET));
	assert_false(WALK(&f, PUSHF, RET));
}

static void both_sides_of_a_branch_are_tried(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(&f, JNE(2), UD2, POP_RBX, RET));
	assert_frame(&f, 16, 0);
	assert_true(WALK(&f, JNE(2), POP_RBX, RET, UD2));
	assert_frame(&f, 16, 0);
	assert_false(WALK(&f, JNE(2), UD2, UD2));
	assert_false(WALK(&f, JMP(0xfe))); /* for ever */
	assert_false(WALK(&f, PUSH_RBX, JMP(0xfd)));
}

static void functions_that_are_jumped_to_return_in_its_place(void **state)
{
	struct code_frame f;

	(void)state;
	assert_true(WALK(&f, ADD_24, JMP(2), UD2, PUSH_RBX, CALL, POP_RBX, RET));
	assert_frame(&f, 32, 0);
	assert_true(WALK(&f, POP_RBX, JMP_RAX));
	assert_frame(&f, 16, 0);
	/* Stubs. The first one of a table pushes before it jumps. */
	assert_true(WALK(&f, ENDBR64, JMP_MEMORY));
	assert_frame(&f, 8, 0);
	assert_true(WALK(&f, PUSH_1, JMP(2), UD2, PUSH_1, JMP_MEMORY));
	assert_frame(&f, 8, 0);
	/* A return to a pushed address is a jump. */
	assert_true(WALK(&f, PUSH_1, RET));
	assert_frame(&f, 8, 0);
	/* A switch. */
	assert_false(WALK(&f, JMP_RAX));
	assert_false(WALK(&f, CALL, JMP_MEMORY));
}

static void a_call_that_does_not_return_is_not_passed(void **state)
{
	struct code_frame f;

	(void)state;
	assert_false(WALK(&f, CALL, ENDBR64, PUSH_RBX, POP_RBX, RET));
	assert_false(WALK(&f, CALL, UD2));
}

static void code_that_is_cut_off_leads_nowhere(void **state)
{
	static const uint8_t code[] = { PUSH_RBX, SUB_24, CALL, ADD_24, POP_RBX, RET };
	struct code_frame f;

	(void)state;
	for (size_t n = 0; n < sizeof(code); n++)
		assert_false(walk(code, n, &f));
	assert_true(walk(code, sizeof(code), &f));
}

/* The walk ends for bytes of any kind. */
static void any_bytes_end(void **state)
{
	uint8_t code[512];
	uint32_t x = 1;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct code_frame f;

		for (size_t k = 0; k < sizeof(code); k++) {
			x = x * 1664525 + 1013904223;
			code[k] = (uint8_t)(x >> 24);
		}
		if (walk(code, sizeof(code), &f))
			assert_true(f.has_cfa && (f.cfa_from_fp || f.cfa_offset >= 8));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_moves_the_stack_pointer_is_added_up),
		cmocka_unit_test(the_callers_frame_pointer_is_where_it_is_loaded_from),
		cmocka_unit_test(a_frame_pointer_leads_to_the_frame),
		cmocka_unit_test(a_stack_pointer_that_is_computed_tells_nothing),
		cmocka_unit_test(both_sides_of_a_branch_are_tried),
		cmocka_unit_test(functions_that_are_jumped_to_return_in_its_place),
		cmocka_unit_test(a_call_that_does_not_return_is_not_passed),
		cmocka_unit_test(code_that_is_cut_off_leads_nowhere),
		cmocka_unit_test(any_bytes_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
