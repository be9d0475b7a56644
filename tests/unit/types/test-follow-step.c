/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "types/followed-code.h"

#define X86_RDI 5

static struct typed_variable node_in_rdi = { .where = TYPED_REGISTER,
					     .reg = X86_RDI,
					     .start = AT,
					     .end = AT + 1,
					     .type = &types[T_NODE_POINTER] };

static void the_address_of_a_member_leads_back(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x8d, 0x47, 0x10, /* 0: lea 0x10(%rdi),%rax */
		0x48, 0x83, 0xe8, 0x08, /* 4: sub $8,%rax */
		0x8b, 0x10,             /* 8: mov (%rax),%edx */
		0x8b, 0x50, 0x40,       /* a: mov 0x40(%rax),%edx: behind its end */
		0xc3,
	};
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), &node_in_rdi, 1);

	(void)state;
	assert_int_equal(followed_find(&f, AT)->status, FOLLOW_NO_MEMORY);
	check_access(&f, 8, T_NODE, 8);
	assert_int_equal(followed_find(&f, AT + 0xa)->status, FOLLOW_BAD_OFFSET);
	followed_done(&f);
}

static void a_global_array_is_indexed(void **state)
{
	static const uint8_t code[] = {
		0xbf, 0x00, 0x40, 0x40, 0x00,             /* 0: mov $0x404000,%edi */
		0x8b, 0x44, 0x07, 0x08,                   /* 5: mov 0x8(%rdi,%rax,1),%eax */
		0x8b, 0x05, 0x29, 0x30, 0x00, 0x00,       /* 9: mov 0x3029(%rip),%eax */
		0x8b, 0x04, 0x8d, 0x1c, 0x40, 0x40, 0x00, /* f: mov 0x40401c(,%rcx,4),%eax */
		0xc3,
	};
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), NULL, 0);

	(void)state;
	check_access(&f, 5, T_NODE, 8);
	check_access(&f, 9, T_NODE, 0x38 % 40);
	check_access(&f, 0xf, T_NODE, 0x1c);
	followed_done(&f);
}

static void what_is_saved_on_the_stack_is_known_again(void **state)
{
	static const uint8_t code[] = {
		0x55,                         /* 0: push %rbp */
		0x48, 0x83, 0xec, 0x20,       /* 1: sub $0x20,%rsp */
		0x48, 0x89, 0x7c, 0x24, 0x08, /* 5: mov %rdi,0x8(%rsp) */
		0xe8, 0x00, 0x00, 0x00, 0x00, /* a: call */
		0x48, 0x8b, 0x4c, 0x24, 0x08, /* f: mov 0x8(%rsp),%rcx */
		0x8b, 0x41, 0x08,             /* 14: mov 0x8(%rcx),%eax */
		0x8b, 0x47, 0x08,             /* 17: mov 0x8(%rdi),%eax: no longer known */
		0xc3,
	};
	struct typed_variable v = node_in_rdi;
	struct followed f;

	(void)state;
	v.end = AT + 0xa;
	f = follow_bytes(&arch_x86_64, code, sizeof(code), &v, 1);
	check_access(&f, 5, T_NODE_POINTER, 0);
	check_access(&f, 0xf, T_NODE_POINTER, 0);
	check_access(&f, 0x14, T_NODE, 8);
	check_access(&f, 0x17, -1, 0);
	followed_done(&f);
}

static void a_variable_of_the_frame_is_found_through_the_stack_pointer(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x83, 0xec, 0x38,                         /* 0: sub $0x38,%rsp */
		0xc7, 0x44, 0x24, 0x10, 0x01, 0x00, 0x00, 0x00, /* 4: movl $1,0x10(%rsp) */
		0x48, 0x8d, 0x44, 0x24, 0x08,                   /* c: lea 0x8(%rsp),%rax */
		0x8b, 0x40, 0x08,                               /* 11: mov 0x8(%rax),%eax */
		0xc3,
	};
	/* The CFA is 8 above the stack pointer at the entry. */
	struct typed_variable v = { .where = TYPED_FRAME,
				    .offset = -0x40 + 8,
				    .start = AT,
				    .end = AT + sizeof(code),
				    .type = &types[T_NODE] };
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), &v, 1);

	(void)state;
	check_access(&f, 4, T_NODE, 8);
	check_access(&f, 0x11, T_NODE, 8);
	followed_done(&f);
}

static void globals_are_reached_through_the_got(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x05, 0xf9, 0x3f, 0x00, 0x00, /* 0: mov 0x3ff9(%rip),%rax: GOT */
		0x8b, 0x50, 0x08,                         /* 7: mov 0x8(%rax),%edx */
		0x48, 0x8b, 0x05, 0xef, 0x3e, 0x00, 0x00, /* a: mov 0x3eef(%rip),%rax: not of it */
		0x8b, 0x50, 0x08,                         /* 11: mov 0x8(%rax),%edx */
		0xc3,
	};
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), NULL, 0);

	(void)state;
	check_access(&f, 7, T_NODE, 8);
	check_access(&f, 0x11, -1, 0);
	followed_done(&f);
}

static void thread_local_variables_are_found(void **state)
{
	static const uint8_t code[] = {
		0x64, 0x8b, 0x04, 0x25, 0xc8, 0xff, 0xff, 0xff, /* 0: mov %fs:-56,%eax */
		0x48, 0x8b, 0x05, 0xf9, 0x3f, 0x00, 0x00, /* 8: mov 0x3ff9(%rip),%rax: GOT+8 */
		0x64, 0x8b, 0x50, 0x10,                   /* f: mov %fs:0x10(%rax),%edx */
		0x64, 0x48, 0x03, 0x04, 0x25, 0,    0,    0,    0, /* 13: add %fs:0,%rax */
		0x8b, 0x10,                                        /* 1c: mov (%rax),%edx */
		0xc3,
	};
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), NULL, 0);

	(void)state;
	check_access(&f, 0, T_NODE, 8);
	check_access(&f, 0xf, T_NODE, 16);
	check_access(&f, 0x1c, T_NODE, 0);
	followed_done(&f);
}

static void an_index_of_a_member_array_is_not_that_of_the_structure(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x63, 0xf6,       /* 0: movslq %esi,%rsi */
		0x8b, 0x44, 0xb7, 0x18, /* 3: mov 0x18(%rdi,%rsi,4),%eax: table[i] */
		0x48, 0x83, 0xc6, 0x06, /* 7: add $6,%rsi */
		0x8b, 0x04, 0xb7,       /* b: mov (%rdi,%rsi,4),%eax: table[i] */
		0x8b, 0x44, 0xb7, 0xf0, /* e: mov -0x10(%rdi,%rsi,4),%eax: no array */
		0x48, 0x6b, 0xf2, 0x28, /* 12: imul $40,%rdx,%rsi */
		0x8b, 0x44, 0x37, 0x08, /* 16: mov 0x8(%rdi,%rsi,1),%eax: p[i].id */
		0xc3,
	};
	struct typed_variable v = node_in_rdi;
	struct followed f;

	(void)state;
	v.end = AT + sizeof(code);
	f = follow_bytes(&arch_x86_64, code, sizeof(code), &v, 1);
	check_access(&f, 3, T_NODE, 24);
	check_access(&f, 0xb, T_NODE, 24);
	assert_int_equal(followed_find(&f, AT + 0xe)->status, FOLLOW_BAD_OFFSET);
	check_access(&f, 0x16, T_NODE, 8);
	followed_done(&f);
}

static void memory_that_is_pushed_is_told(void **state)
{
	static const uint8_t code[] = {
		0xff, 0x77, 0x08,       /* 0: push 0x8(%rdi) */
		0x8b, 0x44, 0x24, 0x08, /* 3: mov 0x8(%rsp),%eax */
		0xc3,
	};
	/* A variable where the return address is: the stack pointer was moved. */
	struct typed_variable v[] = { node_in_rdi,
				      { .where = TYPED_FRAME,
					.offset = -8,
					.start = AT,
					.end = AT + sizeof(code),
					.type = &types[T_LONG] } };
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), v, 2);

	(void)state;
	check_access(&f, 0, T_NODE, 8);
	check_access(&f, 3, T_LONG, 0);
	followed_done(&f);
}

static void words_before_and_in_strings_are_not_characters(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x47, 0xef, /* 0: mov -0x11(%rdi),%rax */
		0x8b, 0x47, 0x24,       /* 4: mov 0x24(%rdi),%eax */
		0x8a, 0x47, 0xff,       /* 7: mov -0x1(%rdi),%al */
		0x48, 0x8b, 0x07,       /* a: mov (%rdi),%rax */
		0xc3,
	};
	struct typed_variable v = node_in_rdi;
	struct followed f;

	(void)state;
	v.end = AT + sizeof(code);
	v.type = &types[T_CHAR_POINTER];
	f = follow_bytes(&arch_x86_64, code, sizeof(code), &v, 1);
	check_access(&f, 0, -1, 0);
	check_access(&f, 4, -1, 0);
	check_access(&f, 7, T_CHAR, 0);
	check_access(&f, 0xa, T_CHAR, 0);
	followed_done(&f);
}

static void the_only_variable_of_a_place_is_there_outside_of_its_block(void **state)
{
	static const uint8_t code[] = {
		0x8b, 0x44, 0x24, 0xf0, /* 0: mov -0x10(%rsp),%eax */
		0x8b, 0x44, 0x24, 0xd0, /* 4: mov -0x30(%rsp),%eax: two are there */
		0xc3,
	};
	struct typed_variable v[] = {
		{ .where = TYPED_FRAME, .offset = -0x20, .end = 1, .type = &types[T_NODE] },
		{ .where = TYPED_FRAME, .offset = -0x38, .end = 1, .type = &types[T_INT] },
		{ .where = TYPED_FRAME, .offset = -0x38, .end = 1, .type = &types[T_LONG] },
	};
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), v, 3);

	(void)state;
	check_access(&f, 0, T_NODE, 8);
	check_access(&f, 4, -1, 0);
	followed_done(&f);
}

static void nothing_flows_out_of_a_call_that_does_not_return(void **state)
{
	static const uint8_t code[] = {
		0x85, 0xf6,                         /* 0: test %esi,%esi */
		0x74, 0x0c,                         /* 2: je 10 */
		0x48, 0x89, 0xfb,                   /* 4: mov %rdi,%rbx */
		0xeb, 0x0c,                         /* 7: jmp 15 */
		0x0f, 0x1f, 0x80, 0,    0,    0, 0, /* 9: nop */
		0xe8, 0xeb, 0x2f, 0x00, 0x00,       /* 10: call 0x404000 */
		0x8b, 0x43, 0x08,                   /* 15: mov 0x8(%rbx),%eax */
		0xc3,
	};
	struct typed_variable v = node_in_rdi;
	struct followed f;

	(void)state;
	v.end = AT + 8;
	f = follow_bytes(&arch_x86_64, code, sizeof(code), &v, 1);
	check_access(&f, 0x15, T_NODE, 8);
	followed_done(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_address_of_a_member_leads_back),
		cmocka_unit_test(a_global_array_is_indexed),
		cmocka_unit_test(globals_are_reached_through_the_got),
		cmocka_unit_test(thread_local_variables_are_found),
		cmocka_unit_test(an_index_of_a_member_array_is_not_that_of_the_structure),
		cmocka_unit_test(memory_that_is_pushed_is_told),
		cmocka_unit_test(words_before_and_in_strings_are_not_characters),
		cmocka_unit_test(the_only_variable_of_a_place_is_there_outside_of_its_block),
		cmocka_unit_test(nothing_flows_out_of_a_call_that_does_not_return),
		cmocka_unit_test(what_is_saved_on_the_stack_is_known_again),
		cmocka_unit_test(a_variable_of_the_frame_is_found_through_the_stack_pointer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
