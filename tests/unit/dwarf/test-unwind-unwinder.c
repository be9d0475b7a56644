/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "dwarf/unwind/frame-rules.h"
#include "dwarf/unwind/unwinder.h"

#define STACK 0x7000

/* An x86_64 thread with sixteen words of stack. */
struct stage {
	struct unwinder u;
	struct unwind_registers regs;
	struct unwind_memory memory;
	uint64_t words[16];
};

static int set_up(void **state)
{
	static struct stage g;

	g = (struct stage){ .regs = { .known = 0xffff, .pc = 0x1000 } };
	for (size_t i = 0; i < 16; i++) {
		g.regs.values[i] = 100 + i;
		g.words[i] = 0x2000 + i;
	}
	g.regs.values[7] = STACK;
	g.regs.values[6] = STACK + 0x40;
	g.memory = (struct unwind_memory){ .stack = (const uint8_t *)g.words,
					   .start = STACK,
					   .size = sizeof(g.words) };
	unwinder_begin(&g.u, arch_x86_64.convention, &g.regs, &g.memory);
	*state = &g;
	return 0;
}

static int tear_down(void **state)
{
	struct stage *g = *state;

	unwinder_done(&g->u);
	return 0;
}

/* Returns the rule CFA = @reg + @offset, with the return address below the CFA. */
static struct unwind_rule rule(uint8_t reg, int32_t offset)
{
	return (struct unwind_rule){ .cfa_register = reg,
				     .ra_register = 16,
				     .ra = UNWIND_AT_CFA,
				     .fp = UNWIND_SAME,
				     .cfa_offset = offset,
				     .ra_offset = -8 };
}

static void a_step_is_to_the_caller(void **state)
{
	struct stage *g = *state;
	struct unwind_rule r = rule(7, 0x20);

	assert_true(g->u.now.is_interrupted);
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x2003);
	assert_int_equal(g->u.now.sp, STACK + 0x20);
	assert_int_equal(g->u.now.fp, STACK + 0x40);
	assert_false(g->u.now.is_interrupted);
}

static void the_frame_pointer_is_followed(void **state)
{
	struct stage *g = *state;
	const struct unwind_rule r = unwind_rule_by_record(g->u.convention);

	g->words[8] = STACK + 0x60;
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x2009);
	assert_int_equal(g->u.now.sp, STACK + 0x50);
	assert_int_equal(g->u.now.fp, STACK + 0x60);
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x200d);
}

/* As in glibc's _dl_runtime_resolve(), to which PLT0 jumps with two words on the stack. */
static void a_return_address_above_the_cfa_was_pushed(void **state)
{
	struct stage *g = *state;
	struct unwind_rule r = rule(7, 0x20);

	r.ra_offset = 8;
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x2005);
	assert_int_equal(g->u.now.sp, STACK + 0x30);
}

static void memory_that_was_not_copied_is_missed(void **state)
{
	struct stage *g = *state;
	struct unwind_rule above = rule(7, 0x100), across = rule(7, 0x84), below = rule(7, 0);

	assert_int_equal(unwinder_step(&g->u, &above), UNWIND_NO_MEMORY);
	assert_true(g->u.is_beyond);
	assert_int_equal(unwinder_step(&g->u, &across), UNWIND_NO_MEMORY);
	assert_int_equal(unwinder_step(&g->u, &below), UNWIND_NO_MEMORY);
	assert_false(g->u.is_beyond);
	assert_int_equal(g->u.now.pc, 0x1000); /* nothing has changed */
	assert_int_equal(g->u.n, 0);
}

static int read_above(void *arg, uint64_t addr, void *to, size_t n)
{
	uint64_t value = 0x9999;

	if (addr != STACK + 0xf8 || n != sizeof(value))
		return -EFAULT;
	++*(int *)arg;
	memcpy(to, &value, sizeof(value));
	return 0;
}

static void somebody_may_be_asked_for_what_is_missing(void **state)
{
	struct stage *g = *state;
	struct unwind_rule there = rule(7, 0x100), not_there = rule(7, 0x200);
	int asked = 0;

	g->u.memory.read = read_above;
	g->u.memory.arg = &asked;
	assert_int_equal(unwinder_step(&g->u, &there), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x9999);
	assert_int_equal(asked, 1);
	assert_int_equal(unwinder_step(&g->u, &not_there), UNWIND_NO_MEMORY);
}

static void callers_lie_above(void **state)
{
	struct stage *g = *state;
	struct unwind_rule up = rule(7, 0x20), same = rule(7, 0), down = rule(7, -8);

	assert_int_equal(unwinder_step(&g->u, &up), UNWIND_STEPPED);
	assert_int_equal(unwinder_step(&g->u, &same), UNWIND_NO_RULE);
	assert_int_equal(unwinder_step(&g->u, &down), UNWIND_NO_RULE);
}

static void the_outermost_frame_has_no_caller(void **state)
{
	struct stage *g = *state;
	struct unwind_rule r = rule(7, 0x20);

	r.ra = UNWIND_UNDEFINED;
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_OUTERMOST);
}

static void a_register_is_looked_for_in_the_frames_passed(void **state)
{
	static const struct unwind_detail saves_rbx = {
		.n = 1, .items = { { 3, { .where = CFI_AT_CFA, .offset = -16 } } }
	};
	struct stage *g = *state;
	struct unwind_rule first = rule(7, 0x10), second = rule(7, 0x20), third = rule(3, 0x10);
	uint64_t value;

	/* The second frame has saved rbx, and the CFA of the third is in rbx. */
	second.detail = &saves_rbx;
	g->words[4] = STACK + 0x60;
	assert_int_equal(unwinder_step(&g->u, &first), UNWIND_STEPPED);
	assert_true(unwinder_register(&g->u, 3, &value));
	assert_int_equal(value, 103);
	assert_int_equal(unwinder_step(&g->u, &second), UNWIND_STEPPED);
	assert_true(unwinder_register(&g->u, 3, &value));
	assert_int_equal(value, STACK + 0x60);
	assert_int_equal(unwinder_step(&g->u, &third), UNWIND_STEPPED);
	assert_int_equal(g->u.now.sp, STACK + 0x70);
	assert_int_equal(g->u.now.pc, 0x200d);
}

static void registers_may_have_moved_or_be_computed(void **state)
{
	static const uint8_t expression[] = { 0x23, 8 }; /* CFA + 8 */
	static const struct unwind_detail d = {
		.is_64 = true,
		.n = 5,
		.items = { { 0, { .where = CFI_REGISTER, .reg = 1 } },
			   { 1, { .where = CFI_IS_CFA, .offset = 24 } },
			   { 2,
			     { .where = CFI_AT_EXPRESSION, .size = 2, .expression = expression } },
			   { 4,
			     { .where = CFI_IS_EXPRESSION, .size = 2, .expression = expression } },
			   { 5, { .where = CFI_UNDEFINED } } }
	};
	struct stage *g = *state;
	struct unwind_rule r = rule(7, 0x10);
	uint64_t value;

	r.detail = &d;
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_true(unwinder_register(&g->u, 0, &value));
	assert_int_equal(value, 101);
	assert_true(unwinder_register(&g->u, 1, &value));
	assert_int_equal(value, STACK + 0x10 + 24);
	assert_true(unwinder_register(&g->u, 2, &value));
	assert_int_equal(value, 0x2003);
	assert_true(unwinder_register(&g->u, 4, &value));
	assert_int_equal(value, STACK + 0x18);
	assert_false(unwinder_register(&g->u, 5, &value));
	assert_false(unwinder_register(&g->u, 40, &value));
	assert_true(unwinder_register(&g->u, 7, &value));
	assert_int_equal(value, STACK + 0x10);
}

static void a_cfa_may_be_computed(void **state)
{
	static const uint8_t expression[] = { 0x77, 0x10, 0x06 }; /* reads the word at rsp + 16 */
	static const struct unwind_detail d = {
		.is_64 = true,
		.cfa = { .where = CFI_IS_EXPRESSION, .size = 3, .expression = expression },
	};
	struct stage *g = *state;
	struct unwind_rule r = rule(UNWIND_NO_REGISTER, 0);

	r.detail = &d;
	g->words[2] = STACK + 0x48;
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.sp, STACK + 0x48);
	assert_int_equal(g->u.now.pc, 0x2008);
}

static void without_a_rule_there_is_no_step(void **state)
{
	struct stage *g = *state;
	struct unwind_rule unknown = rule(UNWIND_NO_REGISTER, 0), lost = rule(12, 0);

	assert_int_equal(unwinder_step(&g->u, &unknown), UNWIND_NO_RULE);
	g->regs.known &= ~((uint64_t)1 << 12);
	assert_int_equal(unwinder_step(&g->u, &lost), UNWIND_NO_RULE);
}

static void a_step_can_be_taken_back(void **state)
{
	struct stage *g = *state;
	struct unwind_frame before = g->u.now;
	struct unwind_rule r = rule(7, 0x20);

	unwinder_step(&g->u, &r);
	unwinder_step_back(&g->u, &before);
	assert_int_equal(g->u.now.pc, 0x1000);
	assert_int_equal(g->u.now.sp, STACK);
	assert_true(g->u.now.is_interrupted);
	assert_int_equal(g->u.n, 0);
}

static void words_of_the_other_order_are_turned_around(void **state)
{
	struct stage *g = *state;
	struct unwind_rule r = rule(7, 0x10);

	g->u.memory.swap = true;
	g->words[1] = __builtin_bswap64(0x1234);
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x1234);
}

static void begin_aarch64(struct stage *g)
{
	g->regs.known = UINT32_MAX;
	g->regs.values[29] = STACK + 0x20;
	g->regs.values[30] = 0x4444;
	g->regs.values[31] = STACK;
	unwinder_begin(&g->u, arch_aarch64.convention, &g->regs, &g->memory);
}

static void a_leaf_returns_by_the_link_register(void **state)
{
	struct stage *g = *state;
	struct unwind_rule leaf;

	begin_aarch64(g);
	leaf = unwind_rule_by_link_register(g->u.convention);
	assert_int_equal(unwinder_step(&g->u, &leaf), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x4444);
	assert_int_equal(g->u.now.sp, STACK);
	/* The function has made a call, so the register is lost. */
	assert_int_equal(unwinder_step(&g->u, &leaf), UNWIND_NO_RULE);
}

/* As with caml_c_call of OCaml, which keeps its return address in x19. */
static void who_has_called_may_have_no_frame(void **state)
{
	struct stage *g = *state;
	struct unwind_rule leaf = {
		.cfa_register = 31, .ra_register = 30, .ra = UNWIND_SAME, .fp = UNWIND_SAME
	};
	static const struct unwind_detail in_x19 = {
		.n = 1, .items = { { 30, { .where = CFI_REGISTER, .reg = 19 } } }
	};
	struct unwind_rule by_x19 = {
		.cfa_register = 31, .ra_register = 30, .fp = UNWIND_SAME, .detail = &in_x19
	};

	g->regs.values[19] = 0x5555;
	begin_aarch64(g);
	assert_int_equal(unwinder_step(&g->u, &leaf), UNWIND_STEPPED);
	assert_int_equal(unwinder_step(&g->u, &by_x19), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x5555);
	assert_int_equal(g->u.now.sp, STACK);
	/* The function cannot have called itself. */
	assert_int_equal(unwinder_step(&g->u, &by_x19), UNWIND_NO_RULE);
}

static void empty_frames_do_not_go_on_forever(void **state)
{
	static const struct unwind_detail in_x19 = {
		.n = 1, .items = { { 30, { .where = CFI_REGISTER, .reg = 19 } } }
	};
	static const struct unwind_detail in_x20 = {
		.n = 1, .items = { { 30, { .where = CFI_REGISTER, .reg = 20 } } }
	};
	struct unwind_rule rule = { .cfa_register = 31, .ra_register = 30, .fp = UNWIND_SAME };
	struct stage *g = *state;
	int steps = 0;

	g->regs.values[19] = 0x5555;
	g->regs.values[20] = 0x6666;
	begin_aarch64(g);
	do {
		rule.detail = steps % 2 ? &in_x20 : &in_x19;
	} while (unwinder_step(&g->u, &rule) == UNWIND_STEPPED && ++steps < 100);
	assert_int_equal(steps, 4);
}

static void behind_a_record_the_next_one_tells_where_its_frame_is(void **state)
{
	struct stage *g = *state;
	struct unwind_rule by_record, by_sp = { .cfa_register = 31,
						.ra_register = 30,
						.ra = UNWIND_AT_CFA,
						.fp = UNWIND_AT_CFA,
						.cfa_offset = 64,
						.ra_offset = -24,
						.fp_offset = -32 };

	begin_aarch64(g);
	g->words[4] = STACK + 0x40;
	g->words[8] = STACK + 0x70;
	by_record = unwind_rule_by_record(g->u.convention);
	assert_int_equal(unwinder_step(&g->u, &by_record), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x2005);
	assert_false(g->u.now.has_sp);
	assert_int_equal(unwinder_step(&g->u, &by_sp), UNWIND_STEPPED);
	assert_int_equal(g->u.now.sp, STACK + 0x60);
	assert_int_equal(g->u.now.pc, 0x2009);
	assert_true(g->u.now.has_sp);
}

static void rules_that_ask_for_one_another_come_to_an_end(void **state)
{
	/* The register of each frame is computed from eight values of the frame before. */
	static const uint8_t many[] = { 0x70, 0, 0x70, 0, 0x70, 0, 0x70, 0,
					0x70, 0, 0x70, 0, 0x70, 0, 0x70, 0 };
	static const struct unwind_detail d = {
		.is_64 = true,
		.n = 1,
		.items = { { 0, { .where = CFI_IS_EXPRESSION, .size = 16, .expression = many } } }
	};
	struct stage *g = *state;
	struct unwind_rule r = rule(7, 8);
	uint64_t value;

	r.detail = &d;
	for (int i = 0; i < 12; i++)
		assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_false(unwinder_register(&g->u, 0, &value));
}

/* Returns a rule whose CFA is the number that @detail computes. */
static struct unwind_rule computed(struct unwind_detail *detail, const uint8_t *bytes, uint32_t n)
{
	struct unwind_rule r = rule(UNWIND_NO_REGISTER, 0);

	*detail = (struct unwind_detail){
		.is_64 = true,
		.cfa = { .where = CFI_IS_EXPRESSION, .size = n, .expression = bytes },
	};
	r.detail = detail;
	return r;
}

/* Returns the result of a step whose CFA is read from @size bytes at rsp + @offset. */
static enum unwind_step step_by_memory(struct stage *g, uint8_t offset, uint8_t size)
{
	const uint8_t expression[] = { 0x77, (uint8_t)(0x80 | offset), offset >> 7, 0x94, size };
	struct unwind_detail d;
	struct unwind_rule r = computed(&d, expression, sizeof(expression));

	unwinder_begin(&g->u, arch_x86_64.convention, &g->regs, &g->memory);
	return unwinder_step(&g->u, &r);
}

static void an_expression_reads_no_more_than_was_copied(void **state)
{
	struct stage *g = *state;

	g->words[15] = (uint64_t)(STACK + 0x20) << 32 | (STACK + 0x20);
	assert_int_equal(step_by_memory(g, 0x78, 4), UNWIND_STEPPED);
	assert_int_equal(g->u.now.sp, STACK + 0x20);
	assert_int_equal(step_by_memory(g, 0x7c, 4), UNWIND_STEPPED);
	assert_int_equal(g->u.now.sp, STACK + 0x20);
	assert_int_equal(step_by_memory(g, 0x7d, 4), UNWIND_NO_MEMORY);
	assert_true(g->u.is_beyond);
	assert_int_equal(step_by_memory(g, 0x80, 4), UNWIND_NO_MEMORY);
	assert_int_equal(step_by_memory(g, 0x78, 0), UNWIND_NO_RULE);
	assert_int_equal(step_by_memory(g, 0x78, 9), UNWIND_NO_RULE);
}

static void an_expression_reads_in_the_order_of_the_process(void **state)
{
	struct stage *g = *state;
	static const uint8_t bytes[] = { 0x00, 0x70, 0x20, 0x99 };

	g->memory.swap = true;
	memcpy(&g->words[2], bytes, sizeof(bytes));
	g->words[3] = __builtin_bswap64(0x3333); /* the return address */
	assert_int_equal(step_by_memory(g, 0x10, 3), UNWIND_STEPPED);
	assert_int_equal(g->u.now.sp, STACK + 0x20);
	assert_int_equal(g->u.now.pc, 0x3333);
}

static void an_expression_of_a_caller_has_its_stack_pointer(void **state)
{
	static const uint8_t expression[] = { 0x77, 0x18 }; /* rsp + 24 */
	struct stage *g = *state;
	struct unwind_rule first = rule(7, 0x10), second;
	struct unwind_detail d;

	second = computed(&d, expression, sizeof(expression));
	assert_int_equal(unwinder_step(&g->u, &first), UNWIND_STEPPED);
	assert_int_equal(unwinder_step(&g->u, &second), UNWIND_STEPPED);
	assert_int_equal(g->u.now.sp, STACK + 0x28);
	assert_int_equal(g->u.now.pc, 0x2004);
}

static void without_stack_pointer_and_record_there_is_no_frame(void **state)
{
	struct stage *g = *state;
	struct unwind_rule by_record, by_sp = { .cfa_register = 31,
						.ra_register = 30,
						.ra = UNWIND_AT_CFA,
						.fp = UNWIND_SAME,
						.cfa_offset = 64,
						.ra_offset = -24 };

	begin_aarch64(g);
	g->words[4] = STACK + 0x40;
	by_record = unwind_rule_by_record(g->u.convention);
	assert_int_equal(unwinder_step(&g->u, &by_record), UNWIND_STEPPED);
	assert_int_equal(unwinder_step(&g->u, &by_sp), UNWIND_NO_RULE);
	by_sp.fp = UNWIND_AT_CFA;
	g->u.now.has_fp = false;
	assert_int_equal(unwinder_step(&g->u, &by_sp), UNWIND_NO_RULE);
	assert_int_equal(g->u.n, 1);
}

static void a_return_address_at_the_cfa_was_pushed_too(void **state)
{
	struct stage *g = *state;
	struct unwind_rule r = rule(7, 0x20);

	r.ra_offset = 0;
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x2004);
	assert_int_equal(g->u.now.sp, STACK + 0x28);
}

/* Steps out of a signal frame to code whose stack pointer was @sp. */
static void step_out_of_signal(struct stage *g, uint64_t sp)
{
	static const struct unwind_detail saves_rsp = {
		.n = 1, .items = { { 7, { .where = CFI_AT_CFA, .offset = -16 } } }
	};
	struct unwind_rule r = rule(7, 0x20);

	r.is_signal = true;
	r.detail = &saves_rsp;
	g->words[2] = sp;
	g->memory.read = read_above;
	unwinder_begin(&g->u, arch_x86_64.convention, &g->regs, &g->memory);
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x2003);
	assert_int_equal(g->u.now.sp, sp);
	assert_true(g->u.now.is_interrupted);
}

static void a_signal_frame_says_where_the_stack_of_the_interrupted_code_is(void **state)
{
	struct stage *g = *state;
	const uint64_t most = 256 << 10;

	step_out_of_signal(g, STACK + 0x7f);
	assert_non_null(g->u.memory.read);
	assert_false(g->u.is_elsewhere);
	step_out_of_signal(g, STACK + 0x80);
	assert_null(g->u.memory.read);
	assert_false(g->u.is_elsewhere);
	step_out_of_signal(g, STACK + most);
	assert_false(g->u.is_elsewhere);
	step_out_of_signal(g, STACK + most + 1);
	assert_true(g->u.is_elsewhere);
	step_out_of_signal(g, STACK - 8);
	assert_true(g->u.is_elsewhere);
}

/* Steps out by a rule like glibc's CFI for x86_64: the CFA is the interrupted stack pointer. */
static void step_out_of_signal_by_cfa(struct stage *g, uint64_t sp)
{
	static const struct unwind_detail saves = {
		.n = 2,
		.items = { { 7, { .where = CFI_IS_CFA } },
			   { 16, { .where = CFI_REGISTER, .reg = 3 } } }
	};
	struct unwind_rule r = rule(6, 0);

	r.is_signal = true;
	r.ra = UNWIND_OTHER;
	r.detail = &saves;
	g->regs.values[6] = sp;
	g->memory.read = read_above;
	unwinder_begin(&g->u, arch_x86_64.convention, &g->regs, &g->memory);
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 103);
	assert_int_equal(g->u.now.sp, sp);
}

static void a_second_stack_is_noticed_by_where_the_handler_was(void **state)
{
	struct stage *g = *state;
	const uint64_t most = 256 << 10;

	step_out_of_signal_by_cfa(g, STACK + 0x80);
	assert_null(g->u.memory.read);
	assert_false(g->u.is_elsewhere);
	step_out_of_signal_by_cfa(g, STACK + most);
	assert_false(g->u.is_elsewhere);
	step_out_of_signal_by_cfa(g, STACK + most + 1);
	assert_true(g->u.is_elsewhere);
	step_out_of_signal_by_cfa(g, STACK - 8);
	assert_true(g->u.is_elsewhere);
}

/* Register 3 was saved by two frames, and register 12 is unchanged in the inner one. */
static void saved_registers_come_from_the_nearest_frame(void **state)
{
	static const struct unwind_detail inner = {
		.n = 2,
		.items = { { 12, { .where = CFI_SAME } },
			   { 3, { .where = CFI_AT_CFA, .offset = -16 } } }
	};
	struct stage *g = *state;
	struct unwind_rule first = rule(7, 0x10), second = rule(7, 0x20), third = rule(7, 0x10);
	uint64_t value;

	first.detail = second.detail = &inner;
	assert_int_equal(unwinder_step(&g->u, &first), UNWIND_STEPPED);
	assert_int_equal(unwinder_step(&g->u, &second), UNWIND_STEPPED);
	assert_int_equal(unwinder_step(&g->u, &third), UNWIND_STEPPED);
	assert_true(unwinder_register(&g->u, 3, &value));
	assert_int_equal(value, 0x2004);
	assert_true(unwinder_register(&g->u, 12, &value));
	assert_int_equal(value, 112);
	assert_false(unwinder_register(&g->u, 16, &value));
	g->regs.known = UINT64_MAX;
	assert_true(unwinder_register(&g->u, CFI_REGISTERS - 1, &value));
	assert_false(unwinder_register(&g->u, CFI_REGISTERS, &value));
}

static void without_a_copy_the_first_word_is_missed_too(void **state)
{
	struct stage *g = *state;
	struct unwind_rule r = rule(7, 8);

	g->u.memory.size = 0;
	assert_int_equal(unwinder_step(&g->u, &r), UNWIND_NO_MEMORY);
	assert_true(g->u.is_beyond);
}

static void a_step_may_lose_the_frame_pointer(void **state)
{
	struct stage *g = *state;
	struct unwind_rule undefined = rule(7, 0x20), far = rule(7, 0x20);

	undefined.fp = UNWIND_UNDEFINED;
	assert_int_equal(unwinder_step(&g->u, &undefined), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x2003);
	assert_int_equal(g->u.now.sp, STACK + 0x20);
	assert_false(g->u.now.has_fp);
	assert_int_equal(g->u.n, 1);
	/* The frame pointer was saved in memory that was not copied. */
	far.fp = UNWIND_AT_CFA;
	far.fp_offset = 0x100;
	assert_int_equal(unwinder_step(&g->u, &far), UNWIND_STEPPED);
	assert_int_equal(g->u.now.pc, 0x2007);
	assert_false(g->u.now.has_fp);
	assert_int_equal(g->u.n, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(a_step_is_to_the_caller),
		TEST(the_frame_pointer_is_followed),
		TEST(a_return_address_above_the_cfa_was_pushed),
		TEST(memory_that_was_not_copied_is_missed),
		TEST(somebody_may_be_asked_for_what_is_missing),
		TEST(callers_lie_above),
		TEST(the_outermost_frame_has_no_caller),
		TEST(a_register_is_looked_for_in_the_frames_passed),
		TEST(registers_may_have_moved_or_be_computed),
		TEST(a_cfa_may_be_computed),
		TEST(without_a_rule_there_is_no_step),
		TEST(a_step_can_be_taken_back),
		TEST(words_of_the_other_order_are_turned_around),
		TEST(a_leaf_returns_by_the_link_register),
		TEST(who_has_called_may_have_no_frame),
		TEST(empty_frames_do_not_go_on_forever),
		TEST(behind_a_record_the_next_one_tells_where_its_frame_is),
		TEST(rules_that_ask_for_one_another_come_to_an_end),
		TEST(an_expression_reads_no_more_than_was_copied),
		TEST(an_expression_reads_in_the_order_of_the_process),
		TEST(an_expression_of_a_caller_has_its_stack_pointer),
		TEST(without_stack_pointer_and_record_there_is_no_frame),
		TEST(a_return_address_at_the_cfa_was_pushed_too),
		TEST(a_signal_frame_says_where_the_stack_of_the_interrupted_code_is),
		TEST(a_second_stack_is_noticed_by_where_the_handler_was),
		TEST(saved_registers_come_from_the_nearest_frame),
		TEST(without_a_copy_the_first_word_is_missed_too),
		TEST(a_step_may_lose_the_frame_pointer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
