/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "followed-code.h"

#define X86_RDI 5

static void pointers_are_followed_through_members(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x07,       /* 0: mov (%rdi),%rax */
		0x48, 0x8b, 0x50, 0x10, /* 3: mov 0x10(%rax),%rdx */
		0x8b, 0x42, 0x08,       /* 7: mov 0x8(%rdx),%eax */
		0x8b, 0x08,             /* a: mov (%rax),%ecx: through a number */
		0xc3,
	};
	struct typed_variable p = { .where = TYPED_REGISTER,
				    .reg = X86_RDI,
				    .start = AT,
				    .end = AT + 1, /* the parameter is not needed later */
				    .type = &types[T_NODE_POINTER] };
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), &p, 1);

	(void)state;
	check_access(&f, 0, T_NODE, 0);
	check_access(&f, 3, T_NODE, 16);
	check_access(&f, 7, T_NODE, 8);
	check_access(&f, 0xa, -1, 0);
	assert_false(followed_find(&f, AT)->is_followed);
	assert_true(followed_find(&f, AT + 3)->is_followed);
	assert_int_equal(followed_find(&f, AT + 0xc)->status, FOLLOW_STACK);
	assert_null(followed_find(&f, AT + 1));
	followed_done(&f);
}

static void a_loop_is_followed_until_nothing_changes(void **state)
{
	static const uint8_t code[] = {
		0x8b, 0x47, 0x08,       /* 0: mov 0x8(%rdi),%eax */
		0x48, 0x8b, 0x3f,       /* 3: mov (%rdi),%rdi */
		0x48, 0x85, 0xff,       /* 6: test %rdi,%rdi */
		0x75, 0xf5,             /* 9: jne 0 */
		0xc3,                   /* b: */
		0x0f, 0x1f, 0x40, 0x00, /* c: padding, which nothing jumps to */
	};
	struct typed_variable p = { .where = TYPED_REGISTER,
				    .reg = X86_RDI,
				    .start = AT,
				    .end = AT + 1,
				    .type = &types[T_NODE_POINTER] };
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), &p, 1);

	(void)state;
	check_access(&f, 0, T_NODE, 8);
	check_access(&f, 3, T_NODE, 0);
	assert_int_equal(followed_find(&f, AT + 6)->status, FOLLOW_NO_MEMORY);
	assert_int_equal(followed_find(&f, AT + 0xc)->status, FOLLOW_NO_MEMORY);
	followed_done(&f);
}

/* `int *at = &p->id`, as the variable of a loop over nodes may be: the register is p. */
static void a_pointer_to_a_member_does_not_hide_the_structure(void **state)
{
	static const uint8_t code[] = {
		0x8b, 0x47, 0x08, /* 0: mov 0x8(%rdi),%eax */
		0x48, 0x8b, 0x3f, /* 3: mov (%rdi),%rdi */
		0x48, 0x85, 0xff, /* 6: test %rdi,%rdi */
		0x75, 0xf5,       /* 9: jne 0 */
		0xc3,             /* b: */
	};
	struct typed_variable variables[] = {
		{ .where = TYPED_REGISTER,
		  .reg = X86_RDI,
		  .start = AT,
		  .end = AT + 1,
		  .type = &types[T_NODE_POINTER] },
		{ .where = TYPED_SUM,
		  .reg = X86_RDI,
		  .offset = 8,
		  .start = AT + 6,
		  .end = AT + 0xb,
		  .type = &types[T_INT_POINTER] },
	};
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), variables, 2);

	(void)state;
	check_access(&f, 0, T_NODE, 8);
	check_access(&f, 3, T_NODE, 0);
	assert_int_equal(followed_find(&f, AT)->size, 4);
	assert_int_equal(followed_find(&f, AT + 3)->size, 8);
	followed_done(&f);
}

static void the_instruction_that_ran_before_is_known(void **state)
{
	static const uint8_t code[] = {
		0x8b, 0x47, 0x08,             /* 0: mov 0x8(%rdi),%eax */
		0x48, 0x8b, 0x3f,             /* 3: mov (%rdi),%rdi, the jump's target */
		0x48, 0x85, 0xff,             /* 6: test %rdi,%rdi */
		0x75, 0xf8,                   /* 9: jne 3 */
		0xe8, 0x00, 0x00, 0x00, 0x00, /* b: call */
		0x31, 0xc0,                   /* 10: xor %eax,%eax, where the call returns */
		0xc3,                         /* 12: */
	};
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), NULL, 0);

	(void)state;
	assert_int_equal(followed_find(&f, AT)->preceding, 0);
	assert_int_equal(followed_find(&f, AT + 3)->preceding, 0);
	assert_int_equal(followed_find(&f, AT + 6)->preceding, 3);
	assert_int_equal(followed_find(&f, AT + 9)->preceding, 3);
	assert_int_equal(followed_find(&f, AT + 0xb)->preceding, 0);
	assert_int_equal(followed_find(&f, AT + 0x10)->preceding, 0);
	assert_int_equal(followed_find(&f, AT + 0x12)->preceding, 2);
	followed_done(&f);
}

static void the_same_on_aarch64(void **state)
{
	static const uint32_t code[] = {
		0xa9be7bfd, /* 0: stp x29, x30, [sp, #-32]! */
		0xf9000fe0, /* 4: str x0, [sp, #24] */
		0x94000010, /* 8: bl: returns a node */
		0xf9400801, /* c: ldr x1, [x0, #16] */
		0xb9400822, /* 10: ldr w2, [x1, #8] */
		0xf9400fe3, /* 14: ldr x3, [sp, #24] */
		0xb9400862, /* 18: ldr w2, [x3, #8] */
		0x90000004, /* 1c: adrp x4, this page */
		0x91000084, /* 20: add x4, x4, #0 */
		0xb9400880, /* 24: ldr w0, [x4, #8]: of code, not of data */
		0xa8c27bfd, /* 28: ldp x29, x30, [sp], #32 */
		0xd65f03c0,
	};
	struct typed_variable p = { .where = TYPED_REGISTER,
				    .reg = 0,
				    .start = AT,
				    .end = AT + 8,
				    .type = &types[T_NODE_POINTER] };
	struct followed f = follow_bytes(&arch_aarch64, code, sizeof(code), &p, 1);

	(void)state;
	assert_int_equal(followed_find(&f, AT)->status, FOLLOW_STACK);
	check_access(&f, 4, T_NODE_POINTER, 0);
	check_access(&f, 0xc, T_NODE, 16);
	check_access(&f, 0x10, T_NODE, 8);
	check_access(&f, 0x18, T_NODE, 8);
	check_access(&f, 0x24, -1, 0);
	assert_int_equal(followed_find(&f, AT + 0xc)->preceding, 0);
	assert_int_equal(followed_find(&f, AT + 0x10)->preceding, 4);
	assert_int_equal(followed_find(&f, AT + 0x28)->status, FOLLOW_STACK);
	followed_done(&f);
}

static void code_of_other_machines_is_not_followed(void **state)
{
	static const uint8_t code[] = { 0xc3 };
	struct followed f = follow_bytes(NULL, code, sizeof(code), NULL, 0);

	(void)state;
	assert_int_equal(f.n, 0);
	assert_null(followed_find(&f, AT));
	followed_done(&f);
}

static void what_is_returned_in_memory_has_a_type(void **state)
{
	static const uint8_t code[] = {
		0xc7, 0x47, 0x08, 1, 0, 0, 0, /* 0: movl $1,0x8(%rdi) */
		0xc3,
	};
	struct followed f = follow_returning(&types[T_NODE], &arch_x86_64, code, sizeof(code), NULL,
					     0);

	(void)state;
	check_access(&f, 0, T_NODE, 8);
	followed_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pointers_are_followed_through_members),
		cmocka_unit_test(a_loop_is_followed_until_nothing_changes),
		cmocka_unit_test(a_pointer_to_a_member_does_not_hide_the_structure),
		cmocka_unit_test(the_instruction_that_ran_before_is_known),
		cmocka_unit_test(the_same_on_aarch64),
		cmocka_unit_test(what_is_returned_in_memory_has_a_type),
		cmocka_unit_test(code_of_other_machines_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
