/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "code/types/follow-step.h"
#include "followed-code.h"

#define X86_RDI 5

/* A variable that points to a node, at AT. */
#define TYPED(w, r)                                                                                \
	.where = (w), .reg = (r), .start = AT, .end = AT + 1, .type = &types[T_NODE_POINTER]

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
		0x8b, 0x50, 0x40,       /* a: mov 0x40(%rax),%edx: beyond its end */
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

static void an_index_that_is_added_to_itself_is_a_multiple(void **state)
{
	/* p[i].id of 40 bytes: 5 * 8 * i */
	static const uint8_t x86[] = {
		0x48, 0x8d, 0x14, 0x92, /* 0: lea (%rdx,%rdx,4),%rdx */
		0x8b, 0x44, 0xd7, 0x08, /* 4: mov 0x8(%rdi,%rdx,8),%eax */
		0xc3,
	};
	static const uint32_t aarch64[] = {
		0x8b010821, /* 0: add x1, x1, x1, lsl #2 */
		0x8b010c00, /* 4: add x0, x0, x1, lsl #3 */
		0xb9400802, /* 8: ldr w2, [x0, #8] */
		0xd65f03c0, /* c: ret */
	};
	struct typed_variable in_rdi = node_in_rdi, in_x0 = node_in_rdi;
	struct followed f;

	(void)state;
	in_rdi.end = AT + sizeof(x86);
	f = follow_bytes(&arch_x86_64, x86, sizeof(x86), &in_rdi, 1);
	check_access(&f, 4, T_NODE, 8);
	followed_done(&f);
	in_x0.reg = 0;
	f = follow_bytes(&arch_aarch64, aarch64, sizeof(aarch64), &in_x0, 1);
	check_access(&f, 8, T_NODE, 8);
	followed_done(&f);
}

static void unrolled_code_accesses_the_next_element(void **state)
{
	static const uint8_t code[] = {
		0x8b, 0x47, 0x08,       /* 0: mov 0x8(%rdi),%eax */
		0x8b, 0x47, 0x30,       /* 3: mov 0x30(%rdi),%eax */
		0x48, 0x83, 0xc7, 0x50, /* 6: add $0x50,%rdi */
		0x75, 0xf4,             /* a: jne 0 */
		0xc3,
	};
	struct typed_variable v = node_in_rdi;
	struct followed f;

	(void)state;
	v.end = AT + sizeof(code);
	f = follow_bytes(&arch_x86_64, code, sizeof(code), &v, 1);
	check_access(&f, 0, T_NODE, 8);
	check_access(&f, 3, T_NODE, 8);
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
		0x48,
		0x8b,
		0x05,
		0xf9,
		0x3f,
		0x00,
		0x00, /* 0: mov 0x3ff9(%rip),%rax: GOT */
		0x8b,
		0x50,
		0x08, /* 7: mov 0x8(%rax),%edx */
		/* a: mov 0x3eef(%rip),%rax: not in the GOT */
		0x48,
		0x8b,
		0x05,
		0xef,
		0x3e,
		0x00,
		0x00,
		0x8b,
		0x50,
		0x08, /* 11: mov 0x8(%rax),%edx */
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
	/*
	 * A variable at the place of the return address shows that the push moved the stack
	 * pointer.
	 */
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
		0x8b, 0x44, 0x24, 0xd0, /* 4: mov -0x30(%rsp),%eax: two variables */
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

/* As clang describes variables: DW_OP_fbreg, and the frame base is a register. */
static void a_variable_may_count_from_a_register_of_the_frame(void **state)
{
	static const uint8_t code[] = {
		0x55,                         /* 00 push %rbp */
		0x48, 0x89, 0xe5,             /* 01 mov %rsp,%rbp */
		0x48, 0x83, 0xec, 0x40,       /* 04 sub $0x40,%rsp */
		0x48, 0x89, 0x7d, 0xd8,       /* 08 mov %rdi,-0x28(%rbp) */
		0x48, 0x89, 0x7c, 0x24, 0x18, /* 0c mov %rdi,0x18(%rsp): the same */
		0x48, 0x8d, 0x45, 0xd0,       /* 11 lea -0x30(%rbp),%rax */
		0x48, 0x8b, 0x48, 0x08,       /* 15 mov 8(%rax),%rcx: again */
		0xc9,                         /* 19 leave */
		0xc3,
	};
	struct typed_variable v = { .where = TYPED_AT_REGISTER,
				    .reg = 6, /* %rbp */
				    .offset = -0x30,
				    .start = AT,
				    .end = AT + sizeof(code),
				    .type = &types[T_NODE] };
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), &v, 1);

	(void)state;
	check_access(&f, 0x08, T_NODE, 8);
	check_access(&f, 0x0c, T_NODE, 8);
	check_access(&f, 0x15, T_NODE, 8);
	followed_done(&f);
}

static void what_is_stored_into_a_member_has_its_type(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x8b, 0x02, /* 0: mov (%rdx),%rax */
		0x48, 0x89, 0x07, /* 3: mov %rax,(%rdi): next */
		0x8b, 0x48, 0x08, /* 6: mov 0x8(%rax),%ecx */
		0xc3,
	};
	struct typed_variable p = node_in_rdi;
	struct followed f = follow_bytes(&arch_x86_64, code, sizeof(code), &p, 1);

	(void)state;
	assert_int_equal(followed_find(&f, AT)->status, FOLLOW_NO_TYPE);
	check_access(&f, 3, T_NODE, 0);
	check_access(&f, 6, T_NODE, 8);
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

/* One instruction at AT, with the state before it. */
struct stepping {
	struct debug_function_types function;
	struct follow_source source;
	struct follow_context c;
	struct held_state s;
	struct held behind; /* follows the state: nothing may write here */
};

#define NO ACCESS_NONE

/* The registers of an instruction of 4 bytes. */
#define REGISTERS(t, f, o, n) .to = (t), .from = (f), .other = (o), .second = (n), .length = 4
#define NO_MEMORY             .memory = { .base = ACCESS_NONE, .index = ACCESS_NONE }

static void stepping_init(struct stepping *t, const struct arch *arch,
			  struct typed_variable *variables, size_t n)
{
	*t = (struct stepping){ .function = { .entry = AT,
					      .variables = { .items = variables, .n = n } },
				.source = { .arch = arch,
					    .static_type = example_static,
					    .thread_start = THREAD_START,
					    .thread_type = example_thread,
					    .constant = example_constant,
					    .returned = example_returned } };
	t->c = (struct follow_context){ .source = &t->source, .function = &t->function };
	scope_variables_init(&t->c.variables, &t->function);
}

static void stepping_done(struct stepping *t)
{
	held_state_done(&t->s);
	scope_variables_done(&t->c.variables);
}

static struct held node_at(int64_t offset)
{
	return (struct held){ .kind = HELD_POINTER, .type = &types[T_NODE], .offset = offset };
}

static struct held held(enum held_kind kind, int64_t offset, uint64_t stride)
{
	return (struct held){ .kind = kind, .offset = offset, .stride = stride };
}

static void check_held(struct held h, enum held_kind kind, int64_t offset, uint64_t stride)
{
	assert_int_equal(h.kind, kind);
	assert_int_equal(h.offset, offset);
	assert_int_equal(h.stride, stride);
}

static void check_node(struct held h, int64_t offset)
{
	check_held(h, HELD_POINTER, offset, 0);
	assert_ptr_equal(h.type, &types[T_NODE]);
}

/*
 * Returns the contents of register 5, which held @followed, with a variable of @type that is
 * register 5 plus @offset.
 */
static struct held with_variable(int type, int64_t offset, struct held followed)
{
	struct typed_variable v = { .where = TYPED_SUM,
				    .reg = 5,
				    .offset = offset,
				    .start = AT,
				    .end = AT + 1,
				    .type = &types[type] };
	struct stepping t;
	struct held h;

	stepping_init(&t, &arch_x86_64, &v, 1);
	t.s.regs[5] = followed;
	h = follow_register(&t.c, &t.s, 5, AT);
	stepping_done(&t);
	return h;
}

static void a_variable_is_surer_unless_it_says_less(void **state)
{
	const struct held nothing = { .kind = HELD_UNKNOWN };

	(void)state;
	check_node(with_variable(T_NODE_POINTER, 0, nothing), 0);
	check_node(with_variable(T_NODE_POINTER, 0, node_at(24)), 0);
	/* The last byte of a node, the first byte behind it, and the one before it. */
	check_node(with_variable(T_NODE_POINTER, -39, node_at(24)), 39);
	check_node(with_variable(T_NODE_POINTER, -40, node_at(24)), 24);
	check_node(with_variable(T_NODE_POINTER, -40, nothing), 40);
	check_node(with_variable(T_NODE_POINTER, 1, node_at(24)), 24);
	check_held(with_variable(T_NODE_POINTER, 0, held(HELD_FRAME, -8, 0)), HELD_FRAME, -8, 0);
	/* Pointers to characters and void give no type. */
	check_node(with_variable(T_CHAR_POINTER, 0, node_at(24)), 24);
	check_node(with_variable(T_VOID_POINTER, 0, node_at(24)), 24);
	check_held(with_variable(T_CHAR_POINTER, 0, held(HELD_ADDRESS, 9, 0)), HELD_ADDRESS, 9, 0);
	assert_ptr_equal(with_variable(T_CHAR_POINTER, 0, held(HELD_NUMBER, 9, 1)).type,
			 &types[T_CHAR]);
	/* A number. */
	check_held(with_variable(T_LONG, 0, held(HELD_NUMBER, 8, 16)), HELD_NUMBER, 8, 16);
	check_held(with_variable(T_LONG, 0, nothing), HELD_NUMBER, 0, 1);
	check_node(with_variable(T_LONG, 0, node_at(24)), 24);
}

static void other_registers_hold_nothing(void **state)
{
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_x86_64, NULL, 0);
	t.s.regs[31] = node_at(8);
	check_node(follow_register(&t.c, &t.s, 31, AT), 8);
	assert_int_equal(follow_register(&t.c, &t.s, 32, AT).kind, HELD_UNKNOWN);
	assert_int_equal(follow_register(&t.c, &t.s, ACCESS_NONE, AT).kind, HELD_UNKNOWN);
	stepping_done(&t);
}

static void a_variable_that_begins_is_in_its_register(void **state)
{
	struct typed_variable v[] = {
		{ TYPED(TYPED_REGISTER, 3) },  { TYPED(TYPED_SUM, 4) },
		{ TYPED(TYPED_REGISTER, 5) },  { TYPED(TYPED_AT_REGISTER, 5) },
		{ TYPED(TYPED_REGISTER, 32) },
	};
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_x86_64, v, ARRAY_SIZE(v));
	held_slot_set(&t.s, -8, 8, node_at(0));
	t.behind = node_at(1);
	follow_variable(&t.c, &t.s, &v[0], AT);
	check_node(t.s.regs[3], 0);
	assert_int_equal(t.s.regs[4].kind, HELD_UNKNOWN);
	follow_variable(&t.c, &t.s, &v[1], AT);
	check_node(t.s.regs[4], 0);
	follow_variable(&t.c, &t.s, &v[3], AT);
	assert_int_equal(t.s.regs[5].kind, HELD_UNKNOWN);
	follow_variable(&t.c, &t.s, &v[4], AT);
	check_node(held_slot_get(&t.s, -8, 8), 0);
	check_node(t.behind, 1);
	follow_variables(&t.c, &t.s, AT);
	check_node(t.s.regs[5], 0);
	stepping_done(&t);
}

/* Returns the result of a load of @size bytes from register 1. */
static struct followed_access operand_at(struct held base, unsigned size)
{
	const struct code_access a = { REGISTERS(NO, NO, NO, NO), .has_memory = true,
				       .action = ACCESS_LOAD, .size = (uint8_t)size,
				       .memory = { .base = 1, .index = ACCESS_NONE } };
	struct followed_access ret;
	struct stepping t;

	stepping_init(&t, &arch_x86_64, NULL, 0);
	t.s.regs[1] = base;
	follow_operand(&t.c, &t.s, &a, AT, &ret);
	stepping_done(&t);
	assert_int_equal(ret.addr, AT);
	assert_int_equal(ret.size, size);
	return ret;
}

static void an_index_stays_within_its_variable(void **state)
{
	(void)state;
	assert_int_equal(operand_at(held(HELD_ADDRESS, STATIC + 8, 40), 4).status, FOLLOW_FOUND);
	assert_int_equal(operand_at(held(HELD_ADDRESS, STATIC + 8, 320), 4).status, FOLLOW_NO_TYPE);
	assert_int_equal(operand_at(held(HELD_THREAD, THREAD_START, 0), 8).status, FOLLOW_FOUND);
	assert_int_equal(operand_at(held(HELD_THREAD, THREAD_START, 40), 8).status, FOLLOW_NO_TYPE);
	assert_int_equal(operand_at(held(HELD_THREAD, THREAD_START + 40, 0), 8).status,
			 FOLLOW_NO_TYPE);
	assert_int_equal(operand_at(held(HELD_THREAD, THREAD_START + 8, 0), 4).place.offset, 8);
	assert_int_equal(operand_at(held(HELD_NUMBER, STATIC, 0), 4).status, FOLLOW_NO_TYPE);
	assert_true(operand_at(node_at(8), 4).is_followed);
}

static void characters_are_not_read_in_pieces(void **state)
{
	struct held text = { .kind = HELD_POINTER, .type = &types[T_CHAR] };

	(void)state;
	assert_int_equal(operand_at(text, 2).status, FOLLOW_FOUND);
	text.offset = 1;
	assert_int_equal(operand_at(text, 1).status, FOLLOW_FOUND);
	assert_int_equal(operand_at(text, 2).status, FOLLOW_BAD_OFFSET);
	assert_int_equal(operand_at(text, 7).status, FOLLOW_BAD_OFFSET);
	assert_int_equal(operand_at(text, 8).status, FOLLOW_FOUND);
	text.offset = -1;
	assert_int_equal(operand_at(text, 8).status, FOLLOW_BAD_OFFSET);
	assert_int_equal(operand_at(text, 1).status, FOLLOW_FOUND);
	text.stride = 1;
	assert_int_equal(operand_at(text, 8).status, FOLLOW_FOUND);
}

static void a_variable_is_told_from_what_was_followed(void **state)
{
	struct typed_variable v = { TYPED(TYPED_REGISTER, 5) };
	struct code_access a = { REGISTERS(NO, NO, NO, NO), .has_memory = true,
				 .action = ACCESS_LOAD, .size = 4,
				 .memory = { .base = 5, .index = ACCESS_NONE, .offset = 8 } };
	struct followed_access ret;
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_x86_64, &v, 1);
	follow_operand(&t.c, &t.s, &a, AT, &ret);
	assert_int_equal(ret.status, FOLLOW_FOUND);
	assert_int_equal(ret.place.offset, 8);
	assert_false(ret.is_followed);
	t.s.regs[5] = node_at(16);
	follow_operand(&t.c, &t.s, &a, AT + 1, &ret); /* the variable has ended */
	assert_int_equal(ret.place.offset, 24);
	assert_true(ret.is_followed);
	stepping_done(&t);
}

static void the_place_on_the_frame_counts_what_is_added_before(void **state)
{
	struct code_access a = { REGISTERS(NO, NO, NO, NO), .before = 16, .after = 32,
				 .memory = { .base = 7, .index = ACCESS_NONE, .offset = 8 } };
	struct stepping t;
	int64_t at = 99;

	(void)state;
	stepping_init(&t, &arch_x86_64, NULL, 0);
	t.s.regs[7] = held(HELD_FRAME, -64, 0);
	assert_true(follow_on_frame(&t.c, &t.s, &a, AT, &at));
	assert_int_equal(at, -40);
	at = 99;
	t.s.regs[7].stride = 8;
	assert_false(follow_on_frame(&t.c, &t.s, &a, AT, &at));
	t.s.regs[7] = held(HELD_ADDRESS, -64, 0);
	assert_false(follow_on_frame(&t.c, &t.s, &a, AT, &at));
	t.s.regs[7] = held(HELD_FRAME, -64, 0);
	a.memory.index = 3;
	assert_false(follow_on_frame(&t.c, &t.s, &a, AT, &at));
	a.memory.index = a.memory.base = ACCESS_NONE;
	assert_false(follow_on_frame(&t.c, &t.s, &a, AT, &at));
	assert_int_equal(at, 99);
	stepping_done(&t);
}

/* Returns the contents of register 2 after a load of @size bytes from register 1. */
static struct held loaded_from(struct held base, unsigned size, enum access_segment segment)
{
	const struct code_access a = {
		REGISTERS(2, NO, NO, NO), .has_memory = true, .action = ACCESS_LOAD,
		.size = (uint8_t)size,
		.memory = { .base = 1, .index = ACCESS_NONE, .segment = segment }
	};
	struct stepping t;
	struct held h;

	stepping_init(&t, &arch_x86_64, NULL, 0);
	t.s.regs[1] = base;
	follow_step(&t.c, &t.s, &a, AT);
	h = t.s.regs[2];
	stepping_done(&t);
	return h;
}

static void constants_are_whole_words_at_a_known_address(void **state)
{
	(void)state;
	check_held(loaded_from(held(HELD_ADDRESS, GOT, 0), 8, ACCESS_FLAT), HELD_ADDRESS, STATIC,
		   0);
	assert_int_equal(loaded_from(held(HELD_ADDRESS, GOT, 0), 4, ACCESS_FLAT).kind,
			 HELD_UNKNOWN);
	assert_int_equal(loaded_from(held(HELD_ADDRESS, GOT, 8), 8, ACCESS_FLAT).kind,
			 HELD_UNKNOWN);
	assert_int_equal(loaded_from(held(HELD_FRAME, GOT, 0), 8, ACCESS_FLAT).kind, HELD_UNKNOWN);
	check_held(loaded_from(held(HELD_ADDRESS, 0, 0), 8, ACCESS_FS), HELD_THREAD, 0, 0);
	assert_int_equal(loaded_from(held(HELD_ADDRESS, 8, 0), 8, ACCESS_FS).kind, HELD_UNKNOWN);
	assert_int_equal(loaded_from(held(HELD_ADDRESS, 0, 0), 8, ACCESS_GS).kind, HELD_UNKNOWN);
	check_node(loaded_from(node_at(0), 8, ACCESS_FLAT), 0);
}

static void pairs_are_stored_and_loaded(void **state)
{
	struct code_access a = {
		REGISTERS(NO, 1, NO, 2), .has_memory = true,
		.action = ACCESS_STORE,  .size = 8,
		.before = -32,           .memory = { .base = 31, .index = ACCESS_NONE }
	};
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_aarch64, NULL, 0);
	t.s.regs[31] = held(HELD_FRAME, 0, 0);
	t.s.regs[1] = node_at(0);
	t.s.regs[2] = node_at(8);
	follow_step(&t.c, &t.s, &a, AT);
	check_held(t.s.regs[31], HELD_FRAME, -32, 0);
	check_node(held_slot_get(&t.s, -32, 8), 0);
	check_node(held_slot_get(&t.s, -24, 8), 8);
	a.action = ACCESS_LOAD;
	a.to = 3;
	a.second = 4;
	a.before = 0;
	a.after = 16;
	follow_step(&t.c, &t.s, &a, AT);
	check_node(t.s.regs[3], 0);
	check_node(t.s.regs[4], 8);
	check_held(t.s.regs[31], HELD_FRAME, -16, 0);
	/* Without a second register the next slot is unchanged. */
	a = (struct code_access){ REGISTERS(NO, 5, NO, NO), .has_memory = true,
				  .action = ACCESS_STORE, .size = 8,
				  .memory = { .base = 31, .index = ACCESS_NONE, .offset = -16 } };
	follow_step(&t.c, &t.s, &a, AT);
	assert_int_equal(held_slot_get(&t.s, -32, 8).kind, HELD_UNKNOWN);
	check_node(held_slot_get(&t.s, -24, 8), 8);
	stepping_done(&t);
}

static void a_load_into_its_base_does_not_move_it(void **state)
{
	struct code_access a = { REGISTERS(1, NO, NO, NO),
				 .has_memory = true,
				 .action = ACCESS_LOAD,
				 .size = 8,
				 .after = 16,
				 .memory = { .base = 1, .index = ACCESS_NONE } };
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_aarch64, NULL, 0);
	t.s.regs[1] = node_at(0);
	follow_step(&t.c, &t.s, &a, AT);
	check_node(t.s.regs[1], 0);
	a.to = 2;
	a.before = 8;
	follow_step(&t.c, &t.s, &a, AT);
	check_node(t.s.regs[1], 24);
	stepping_done(&t);
}

/*
 * Returns the contents of register 3 after @a, with @first in register 1 and @other in register 2.
 */
static struct held computed(struct code_access a, struct held first, struct held other)
{
	struct stepping t;
	struct held h;

	a.to = 3;
	a.from = 1;
	a.other = 2;
	a.second = ACCESS_NONE;
	a.memory.base = a.memory.index = ACCESS_NONE;
	stepping_init(&t, &arch_x86_64, NULL, 0);
	t.s.regs[1] = first;
	t.s.regs[2] = other;
	follow_step(&t.c, &t.s, &a, AT);
	h = t.s.regs[3];
	check_held(t.s.regs[1], first.kind, first.offset, first.stride);
	stepping_done(&t);
	return h;
}

static void registers_are_computed(void **state)
{
	const struct held eight = held(HELD_ADDRESS, 8, 0);

	(void)state;
	check_node(computed((struct code_access){ .action = ACCESS_COPY }, node_at(4), eight), 4);
	check_node(computed((struct code_access){ .action = ACCESS_ADD }, node_at(4), eight), 12);
	check_node(computed((struct code_access){ .action = ACCESS_ADD, .scale = 1 }, node_at(4),
			    eight),
		   12);
	check_node(computed((struct code_access){ .action = ACCESS_ADD, .scale = 2 }, node_at(4),
			    eight),
		   20);
	check_node(computed((struct code_access){ .action = ACCESS_SUBTRACT }, node_at(12), eight),
		   4);
	assert_int_equal(computed((struct code_access){ .action = ACCESS_ADD, .is_narrow = true },
				  node_at(4), eight)
				 .kind,
			 HELD_NUMBER);
	check_node(computed((struct code_access){ .action = ACCESS_CHOOSE }, node_at(4), eight), 4);
	check_held(computed((struct code_access){ .action = ACCESS_THREAD }, node_at(4), eight),
		   HELD_THREAD, 0, 0);
	check_held(computed((struct code_access){ .action = ACCESS_SCALE, .scale = 5 }, eight,
			    node_at(4)),
		   HELD_ADDRESS, 40, 0);
	check_held(computed((struct code_access){ .action = ACCESS_MULTIPLY },
			    held(HELD_NUMBER, 0, 1), eight),
		   HELD_NUMBER, 0, 8);
	assert_int_equal(
		computed((struct code_access){ .action = ACCESS_OTHER }, node_at(4), eight).kind,
		HELD_UNKNOWN);
}

static void a_product_may_be_added_to(void **state)
{
	const struct code_access a = { REGISTERS(3, 1, 2, 4), NO_MEMORY,
				       .action = ACCESS_MULTIPLY };
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_aarch64, NULL, 0);
	t.s.regs[1] = held(HELD_NUMBER, 0, 1);
	t.s.regs[2] = held(HELD_ADDRESS, 40, 0);
	t.s.regs[4] = node_at(8);
	follow_step(&t.c, &t.s, &a, AT);
	check_held(t.s.regs[3], HELD_POINTER, 8, 40);
	stepping_done(&t);
}

static void an_address_may_have_an_index(void **state)
{
	struct code_access a = { REGISTERS(3, NO, NO, NO), .action = ACCESS_ADDRESS,
				 .memory = { .base = 1, .index = 2, .scale = 4, .offset = 24 } };
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_x86_64, NULL, 0);
	t.s.regs[1] = node_at(0);
	t.s.regs[2] = held(HELD_NUMBER, 0, 1);
	follow_step(&t.c, &t.s, &a, AT);
	check_held(t.s.regs[3], HELD_POINTER, 24, 4);
	a.memory.scale = 1;
	follow_step(&t.c, &t.s, &a, AT);
	check_held(t.s.regs[3], HELD_POINTER, 24, 1);
	a.memory.base = a.memory.index = ACCESS_NONE;
	follow_step(&t.c, &t.s, &a, AT);
	check_held(t.s.regs[3], HELD_ADDRESS, 24, 0);
	a.memory.segment = ACCESS_FS;
	follow_step(&t.c, &t.s, &a, AT);
	assert_int_equal(t.s.regs[3].kind, HELD_UNKNOWN);
	stepping_done(&t);
}

static void the_address_of_a_variable_is_a_pointer_to_it(void **state)
{
	struct typed_variable v = { TYPED(TYPED_AT_REGISTER, 1) };
	struct code_access a = { REGISTERS(3, NO, NO, NO), .action = ACCESS_ADDRESS,
				 .memory = { .base = 1, .index = ACCESS_NONE, .offset = 8 } };
	struct stepping t;

	(void)state;
	v.type = &types[T_NODE];
	stepping_init(&t, &arch_x86_64, &v, 1);
	follow_step(&t.c, &t.s, &a, AT);
	check_node(t.s.regs[3], 8);
	t.s.regs[1] = held(HELD_ADDRESS, STATIC, 0);
	follow_step(&t.c, &t.s, &a, AT);
	check_held(t.s.regs[3], HELD_ADDRESS, STATIC + 8, 0);
	stepping_done(&t);
}

static void the_stack_pointer_is_moved(void **state)
{
	const struct code_access a = { REGISTERS(NO, NO, NO, NO), NO_MEMORY, .stack_step = -8,
				       .written = 1u << 4 };
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_x86_64, NULL, 0);
	t.s.regs[7] = held(HELD_FRAME, -16, 0);
	t.s.regs[4] = t.s.regs[3] = node_at(0);
	follow_step(&t.c, &t.s, &a, AT);
	check_held(t.s.regs[7], HELD_FRAME, -24, 0);
	assert_int_equal(t.s.regs[4].kind, HELD_UNKNOWN);
	check_node(t.s.regs[3], 0);
	stepping_done(&t);
}

static void a_call_returns_what_its_entry_or_the_function_says(void **state)
{
	struct typed_call calls[] = { { .addr = AT + 4, .type = &types[T_INT_POINTER] },
				      { .addr = AT + 12, .type = NULL } };
	struct code_access a = { REGISTERS(NO, NO, NO, NO), NO_MEMORY, .flow = ACCESS_CALL };
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_x86_64, NULL, 0);
	t.function.calls.items = calls;
	t.function.calls.n = 2;
	t.s.regs[0] = t.s.regs[3] = t.s.regs[5] = node_at(8);
	follow_step(&t.c, &t.s, &a, AT);
	assert_ptr_equal(t.s.regs[0].type, &types[T_INT]);
	assert_int_equal(t.s.regs[5].kind, HELD_UNKNOWN);
	check_node(t.s.regs[3], 8); /* %rbx is the caller's */
	follow_step(&t.c, &t.s, &a, AT + 8);
	assert_int_equal(t.s.regs[0].kind, HELD_UNKNOWN);
	follow_step(&t.c, &t.s, &a, AT + 4);
	assert_int_equal(t.s.regs[0].kind, HELD_UNKNOWN);
	a.has_target = true;
	follow_step(&t.c, &t.s, &a, AT + 4);
	check_node(t.s.regs[0], 0);
	assert_ptr_equal(follow_call(&t.c, AT + 4), &calls[0]);
	assert_ptr_equal(follow_call(&t.c, AT + 12), &calls[1]);
	assert_null(follow_call(&t.c, AT));
	assert_null(follow_call(&t.c, AT + 5));
	assert_null(follow_call(&t.c, AT + 13));
	stepping_done(&t);
}

/*
 * Returns the status of an access of @size bytes on aarch64, with the base register @base, if
 * nothing is known.
 */
static enum follow_status saved(enum access_action action, uint8_t reg, uint8_t base, uint8_t size)
{
	const struct code_access a = { REGISTERS(action == ACCESS_LOAD ? reg : NO,
						 action == ACCESS_LOAD ? NO : reg, NO, NO),
				       .has_memory = true, .action = action, .size = size,
				       .memory = { .base = base, .index = ACCESS_NONE } };
	struct followed_access ret;
	struct stepping t;

	stepping_init(&t, &arch_aarch64, NULL, 0);
	follow_operand(&t.c, &t.s, &a, AT, &ret);
	stepping_done(&t);
	return ret.status;
}

static void registers_of_the_caller_are_saved_on_the_stack(void **state)
{
	(void)state;
	assert_int_equal(saved(ACCESS_STORE, 30, 31, 8), FOLLOW_STACK); /* the link register */
	assert_int_equal(saved(ACCESS_LOAD, 30, 31, 8), FOLLOW_STACK);
	assert_int_equal(saved(ACCESS_STORE, 19, 31, 8), FOLLOW_STACK);
	assert_int_equal(saved(ACCESS_LOAD, 19, 31, 8), FOLLOW_STACK);
	assert_int_equal(saved(ACCESS_STORE, 0, 31, 8), FOLLOW_NO_TYPE);
	assert_int_equal(saved(ACCESS_STORE, 19, 31, 4), FOLLOW_NO_TYPE);
	assert_int_equal(saved(ACCESS_STORE, 19, 2, 8), FOLLOW_NO_TYPE);
	assert_int_equal(saved(ACCESS_OTHER, 19, 31, 8), FOLLOW_NO_TYPE);
	assert_int_equal(saved(ACCESS_STORE, ACCESS_NONE, 31, 8), FOLLOW_NO_TYPE);
}

static void what_is_stored_is_told(void **state)
{
	struct code_access a = { REGISTERS(NO, NO, NO, NO), .has_memory = true,
				 .action = ACCESS_STORE, .size = 8,
				 .memory = { .base = 1, .index = ACCESS_NONE } };
	struct held h = held(HELD_THREAD, 7, 0);
	struct stepping t;

	(void)state;
	stepping_init(&t, &arch_x86_64, NULL, 0);
	assert_false(follow_stored(&t.c, &t.s, &a, AT, 0, &h));
	check_held(h, HELD_THREAD, 7, 0);
	t.s.regs[1] = node_at(0);
	assert_true(follow_stored(&t.c, &t.s, &a, AT, 0, &h));
	check_node(h, 0);
	a.size = 4;
	assert_true(follow_stored(&t.c, &t.s, &a, AT, 8, &h));
	assert_int_equal(h.kind, HELD_NUMBER);
	assert_ptr_equal(h.value, &types[T_INT]);
	assert_false(follow_stored(&t.c, &t.s, &a, AT, 40, &h));
	stepping_done(&t);
}

static void a_pointer_that_is_added_once_stays_one(void **state)
{
	(void)state;
	check_node(computed((struct code_access){ .action = ACCESS_ADD, .scale = 1 },
			    held(HELD_ADDRESS, 8, 0), node_at(4)),
		   12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_address_of_a_member_leads_back),
		cmocka_unit_test(a_global_array_is_indexed),
		cmocka_unit_test(an_index_that_is_added_to_itself_is_a_multiple),
		cmocka_unit_test(unrolled_code_accesses_the_next_element),
		cmocka_unit_test(globals_are_reached_through_the_got),
		cmocka_unit_test(thread_local_variables_are_found),
		cmocka_unit_test(an_index_of_a_member_array_is_not_that_of_the_structure),
		cmocka_unit_test(memory_that_is_pushed_is_told),
		cmocka_unit_test(words_before_and_in_strings_are_not_characters),
		cmocka_unit_test(the_only_variable_of_a_place_is_there_outside_of_its_block),
		cmocka_unit_test(a_variable_may_count_from_a_register_of_the_frame),
		cmocka_unit_test(what_is_stored_into_a_member_has_its_type),
		cmocka_unit_test(nothing_flows_out_of_a_call_that_does_not_return),
		cmocka_unit_test(what_is_saved_on_the_stack_is_known_again),
		cmocka_unit_test(a_variable_of_the_frame_is_found_through_the_stack_pointer),
		cmocka_unit_test(a_variable_is_surer_unless_it_says_less),
		cmocka_unit_test(other_registers_hold_nothing),
		cmocka_unit_test(a_variable_that_begins_is_in_its_register),
		cmocka_unit_test(an_index_stays_within_its_variable),
		cmocka_unit_test(characters_are_not_read_in_pieces),
		cmocka_unit_test(a_variable_is_told_from_what_was_followed),
		cmocka_unit_test(the_place_on_the_frame_counts_what_is_added_before),
		cmocka_unit_test(constants_are_whole_words_at_a_known_address),
		cmocka_unit_test(pairs_are_stored_and_loaded),
		cmocka_unit_test(a_load_into_its_base_does_not_move_it),
		cmocka_unit_test(registers_are_computed),
		cmocka_unit_test(a_product_may_be_added_to),
		cmocka_unit_test(an_address_may_have_an_index),
		cmocka_unit_test(the_address_of_a_variable_is_a_pointer_to_it),
		cmocka_unit_test(the_stack_pointer_is_moved),
		cmocka_unit_test(a_call_returns_what_its_entry_or_the_function_says),
		cmocka_unit_test(registers_of_the_caller_are_saved_on_the_stack),
		cmocka_unit_test(what_is_stored_is_told),
		cmocka_unit_test(a_pointer_that_is_added_once_stays_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
