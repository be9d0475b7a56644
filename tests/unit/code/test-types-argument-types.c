/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "followed-code.h"

static struct typed_variable in_frame(int64_t offset, int type)
{
	return (struct typed_variable){ .where = TYPED_FRAME,
					.offset = offset,
					.start = AT,
					.end = AT + 0x40,
					.type = &types[type] };
}

static void a_copy_has_the_type_of_the_variable(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x89, 0x7c, 0x24, 0xe0, /* 0: mov %rdi,-0x20(%rsp) */
		0x48, 0x89, 0x7c, 0x24, 0xf0, /* 5: mov %rdi,-0x10(%rsp): the variable */
		0x48, 0x8b, 0x44, 0x24, 0xe0, /* a: mov -0x20(%rsp),%rax */
		0x8b, 0x50, 0x08,             /* f: mov 0x8(%rax),%edx */
		0xc3,
	};
	struct typed_variable p = in_frame(-0x18, T_NODE_POINTER);
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), &p, 1);

	(void)state;
	check_access(&f, 0, T_NODE_POINTER, 0);
	check_access(&f, 5, T_NODE_POINTER, 0);
	check_access(&f, 0xa, T_NODE_POINTER, 0);
	check_access(&f, 0xf, T_NODE, 8);
	followed_done(&f);
}

static void a_copy_of_a_copy_is_one_on_aarch64(void **state)
{
	static const uint32_t code[] = {
		0xd10083ff, /* 0: sub sp, sp, #0x20 */
		0xaa0003e8, /* 4: mov x8, x0 */
		0xf90003e8, /* 8: str x8, [sp] */
		0xf94003e9, /* c: ldr x9, [sp] */
		0xf9000be9, /* 10: str x9, [sp, #16]: the variable */
		0xb940080a, /* 14: ldr w10, [x0, #8] */
		0xd65f03c0, /* 18: ret */
	};
	struct typed_variable p = in_frame(-16, T_NODE_POINTER);
	struct followed f = follow_bytes(&arch_aarch64, code, sizeof(code), &p, 1);

	(void)state;
	check_access(&f, 0x14, T_NODE, 8);
	followed_done(&f);
}

static void what_is_overwritten_is_no_copy(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x89, 0x7c, 0x24, 0xe0, /* 0: mov %rdi,-0x20(%rsp) */
		0x48, 0x8b, 0x3e,             /* 5: mov (%rsi),%rdi */
		0x48, 0x89, 0x7c, 0x24, 0xf0, /* 8: mov %rdi,-0x10(%rsp): the variable */
		0x48, 0x8b, 0x44, 0x24, 0xe0, /* d: mov -0x20(%rsp),%rax */
		0x8b, 0x50, 0x08,             /* 12: mov 0x8(%rax),%edx */
		0x8b, 0x57, 0x08,             /* 15: mov 0x8(%rdi),%edx */
		0xc3,
	};
	struct typed_variable p = in_frame(-0x18, T_NODE_POINTER);
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), &p, 1);

	(void)state;
	assert_int_equal(followed_find(&f, AT + 0x12)->status, FOLLOW_NO_TYPE);
	check_access(&f, 0x15, T_NODE, 8);
	followed_done(&f);
}

static void variables_of_different_types_tell_nothing(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x89, 0x7c, 0x24, 0xe0, /* 0: mov %rdi,-0x20(%rsp) */
		0x48, 0x89, 0x7c, 0x24, 0xf0, /* 5: mov %rdi,-0x10(%rsp): a node */
		0x48, 0x89, 0x7c, 0x24, 0xe8, /* a: mov %rdi,-0x18(%rsp): an int */
		0x48, 0x8b, 0x44, 0x24, 0xe0, /* f: mov -0x20(%rsp),%rax */
		0x8b, 0x50, 0x08,             /* 14: mov 0x8(%rax),%edx */
		0xc3,
	};
	struct typed_variable variables[] = { in_frame(-0x18, T_NODE_POINTER),
					      in_frame(-0x20, T_INT_POINTER) };
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), variables, 2);

	(void)state;
	assert_int_equal(followed_find(&f, AT + 0x14)->status, FOLLOW_NO_TYPE);
	followed_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_the_type_of_the_variable),
		cmocka_unit_test(a_copy_of_a_copy_is_one_on_aarch64),
		cmocka_unit_test(what_is_overwritten_is_no_copy),
		cmocka_unit_test(variables_of_different_types_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
