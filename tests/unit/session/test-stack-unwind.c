/* SPDX-License-Identifier: MIT */
#include "leaf-program.h"

#include <errno.h>

#include "session/call-chain.h"
#include "session/stack-unwind.h"

#define GONE      0xbbbb00000000
#define JIT       0xcccc00000000
#define STACK     0xffff00001000
#define REGISTERS 33
#define ALL       (((uint64_t)1 << REGISTERS) - 1)
#define FP        29
#define LR        30
#define SP        31
#define PC        32

/*
 * A session with the program of dwarf/leaf-elf.h, with or without its CFI, and a thread of it.
 */
struct stage {
	struct leaf_program leaf;
	struct stack_unwinder *unwinder;
	uint64_t regs[REGISTERS], stack[128];
	struct sample sample;
};

static int set_up_with(void **state, const char *frames)
{
	static struct stage g;

	memset(&g, 0, sizeof(g));
	leaf_program_map(&g.leaf, frames, 10);
	mmaps(&g.leaf.rec, LEAF_PID, GONE, 0x10000, "/nowhere/gone", 10);
	mmaps(&g.leaf.rec, LEAF_PID, JIT, 0x10000, "//anon", 10);
	leaf_program_open(&g.leaf);
	g.unwinder = stack_unwinder_new();
	g.regs[SP] = STACK;
	g.sample = (struct sample){
		.misc = PERF_RECORD_MISC_USER,
		.pid = LEAF_PID,
		.tid = LEAF_PID,
		.user_regs = { .abi = 2,
			       .mask = ALL,
			       .values = { .bytes = (const uint8_t *)g.regs, .n = REGISTERS } },
		.stack = (const uint8_t *)g.stack,
		.stack_size = sizeof(g.stack),
		.stack_dyn_size = sizeof(g.stack),
	};
	*state = &g;
	return 0;
}

static int set_up(void **state)
{
	return set_up_with(state, ".eh_frame");
}

static int set_up_without_cfi(void **state)
{
	return set_up_with(state, ".nothing");
}

static int tear_down(void **state)
{
	struct stage *g = *state;

	stack_unwinder_free(g->unwinder);
	leaf_program_done(&g->leaf);
	return 0;
}

static struct unwound unwind(struct stage *g, size_t max)
{
	return stack_unwind(g->unwinder, g->leaf.session, &g->sample, 20, max);
}

/*
 * Puts the thread into a leaf. Its caller has a frame record, and the caller of that is the
 * outermost function.
 */
static void be_in_leaf(struct stage *g)
{
	g->regs[PC] = g->leaf.text + LEAF_LEAF;
	g->regs[LR] = g->leaf.text + LEAF_CALLS + 4;
	g->stack[1] = g->leaf.text + LEAF_SIGNAL; /* the end of LEAF_START */
}

static void a_stack_is_followed_to_its_root(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	be_in_leaf(g);
	u = unwind(g, 127);
	assert_int_equal(u.end, UNWIND_ROOT);
	assert_int_equal(u.n, 3);
	assert_int_equal(u.ips[0], g->leaf.text + LEAF_LEAF);
	assert_int_equal(u.ips[1], g->leaf.text + LEAF_CALLS + 3);
	assert_int_equal(u.ips[2], g->leaf.text + LEAF_SIGNAL - 1);
	/* The remembered places give the same. */
	assert_int_equal(unwind(g, 127).n, 3);
	assert_int_equal(session_unwind_counts(g->leaf.session).stacks, 2);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_CUT], 0);
}

static void signatures_are_no_part_of_an_address(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	be_in_leaf(g);
	g->regs[LR] |= 0x005a000000000000;
	g->stack[1] |= 0x12a5000000000000;
	u = unwind(g, 127);
	assert_int_equal(u.n, 3);
	assert_int_equal(u.ips[1], g->leaf.text + LEAF_CALLS + 3);
	assert_int_equal(u.end, UNWIND_ROOT);
}

static void an_unknown_program_counter_stays_as_it_is(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	g->regs[PC] = 0xffff8c10c88c;
	u = unwind(g, 127);
	assert_int_equal(u.n, 1);
	assert_int_equal(u.ips[0], 0xffff8c10c88c);
}

static void a_copy_that_is_too_short_is_told_of(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	be_in_leaf(g);
	g->sample.stack_size = g->sample.stack_dyn_size = 8;
	u = unwind(g, 127);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.end, UNWIND_CUT);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_CUT], 1);
}

/* Copying more of it would not help. */
static void a_stack_that_ends_with_its_memory_is_not_cut(void **state)
{
	struct stage *g = *state;

	be_in_leaf(g);
	g->sample.stack_dyn_size = 8;
	assert_int_equal(unwind(g, 127).end, UNWIND_LOST);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_CUT], 0);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_LOST], 1);
}

static void without_any_copy_there_is_no_stack(void **state)
{
	struct stage *g = *state;

	be_in_leaf(g);
	g->sample.stack_dyn_size = 0;
	assert_int_equal(unwind(g, 127).end, UNWIND_NONE);
	assert_int_equal(session_unwind_counts(g->leaf.session).stacks, 0);
}

static int read_live(void *arg, uint64_t addr, void *to, size_t n)
{
	struct stage *g = arg;

	if (addr < STACK || addr + n > STACK + sizeof(g->stack))
		return -EFAULT;
	memcpy(to, (const uint8_t *)g->stack + (addr - STACK), n);
	return 0;
}

static void the_process_may_be_asked_for_what_is_missing(void **state)
{
	struct stage *g = *state;

	be_in_leaf(g);
	g->sample.stack_dyn_size = 8;
	stack_unwinder_read_with(g->unwinder, read_live, g);
	assert_int_equal(unwind(g, 127).end, UNWIND_ROOT);
}

static void a_caller_that_cannot_be_is_left_out(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	be_in_leaf(g);
	g->stack[1] = 0x1234567;
	g->regs[FP] = 1;
	g->stack[0] = 1;
	u = unwind(g, 127);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.end, UNWIND_LOST);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_LOST], 1);
}

static void no_more_frames_are_taken_than_wanted(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	be_in_leaf(g);
	u = unwind(g, 2);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.end, UNWIND_MAX);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_MAX],
			 0); /* as asked */
	assert_int_equal(unwind(g, 3).n, 3);
	assert_int_equal(unwind(g, 0).n, 0);
}

static void without_registers_there_is_nothing_to_unwind(void **state)
{
	struct stage *g = *state;

	be_in_leaf(g);
	assert_true(stack_unwind_can(&g->sample));
	g->sample.user_regs.abi = 1; /* a 32-bit process */
	assert_int_equal(unwind(g, 127).end, UNWIND_NONE);
	g->sample.user_regs.abi = 2;
	g->sample.user_regs.mask &= ~((uint64_t)1 << PC);
	assert_int_equal(unwind(g, 127).end, UNWIND_NONE);
	g->sample.user_regs.abi = 0; /* a kernel thread */
	assert_false(stack_unwind_can(&g->sample));
	assert_int_equal(unwind(g, 127).n, 0);
	assert_int_equal(session_unwind_counts(g->leaf.session).stacks, 0);
}

static void a_handler_returns_to_what_was_interrupted(void **state)
{
	struct stage *g = *state;
	uint64_t *regs = &g->stack[39]; /* siginfo, ucontext and the fault address come before */
	struct unwound u;

	/* The handler is in a leaf, and it interrupted a leaf without a frame. */
	g->regs[PC] = g->leaf.text + LEAF_LEAF;
	g->regs[LR] = g->leaf.text + LEAF_SIGNAL;
	regs[LR] = g->leaf.text + LEAF_CALLS + 4;
	regs[SP] = STACK + 0x300;
	regs[PC] = g->leaf.text + LEAF_LEAF + 4;
	g->stack[0x300 / 8 + 1] = 0;
	u = unwind(g, 127);
	assert_int_equal(u.n, 4);
	assert_int_equal(u.ips[1], g->leaf.text + LEAF_SIGNAL);
	assert_int_equal(u.ips[2], g->leaf.text + LEAF_LEAF + 4);
	assert_int_equal(u.ips[3], g->leaf.text + LEAF_CALLS + 3);
}

static void a_handler_may_have_a_stack_of_its_own(void **state)
{
	struct stage *g = *state;
	uint64_t *regs = &g->stack[39];

	g->regs[PC] = g->leaf.text + LEAF_LEAF;
	g->regs[LR] = g->leaf.text + LEAF_SIGNAL;
	regs[SP] = STACK + (1 << 20);
	regs[PC] = g->leaf.text + LEAF_CALLS;
	assert_int_equal(unwind(g, 127).end, UNWIND_OTHER_STACK);
	/* If the stack pointer is not far away, the copy was too small. */
	regs[SP] = STACK + sizeof(g->stack);
	assert_int_equal(unwind(g, 127).end, UNWIND_CUT);
}

static void without_cfi_records_lead_on(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	g->regs[PC] = g->leaf.text + LEAF_CALLS;
	g->regs[FP] = STACK + 0x40;
	g->stack[8] = STACK + 0x80;
	g->stack[9] = g->leaf.text + LEAF_CALLS + 4;
	g->stack[16] = 0;
	g->stack[17] = g->leaf.text + LEAF_CALLS + 4;
	u = unwind(g, 127);
	assert_int_equal(u.end, UNWIND_ROOT);
	assert_int_equal(u.n, 3);
	assert_int_equal(u.ips[2], g->leaf.text + LEAF_CALLS + 3);
}

/* The instructions of LEAF_START do not prove anything. */
static void a_frame_pointer_of_zero_proves_nothing(void **state)
{
	struct stage *g = *state;

	g->regs[PC] = g->leaf.text + LEAF_START;
	assert_int_equal(unwind(g, 127).end, UNWIND_NO_CFI);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_NO_CFI], 1);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_ROOT], 0);
	/* A record of zeroes proves it. */
	g->regs[FP] = STACK + 0x40;
	assert_int_equal(unwind(g, 127).end, UNWIND_ROOT);
}

static void code_of_a_file_that_is_gone_is_no_root(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	g->regs[PC] = GONE + 0x10;
	u = unwind(g, 127);
	assert_int_equal(u.n, 1);
	assert_int_equal(u.end, UNWIND_NO_FILE);
	/* Nor is the code that its records lead to a root. */
	g->regs[FP] = STACK + 0x40;
	g->stack[9] = GONE + 0x20;
	u = unwind(g, 127);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.end, UNWIND_NO_FILE);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_NO_FILE], 2);
}

/*
 * Compilers that keep no frame pointers leave any value in that register, also one that ends a
 * chain.
 */
static void jit_code_is_no_root(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	g->regs[PC] = JIT + 0x100;
	g->regs[FP] = STACK + 0x40;
	g->stack[9] = JIT + 0x200;
	u = unwind(g, 127);
	assert_true(u.n >= 1);
	assert_int_equal(u.end, UNWIND_NO_CFI);
}

static void half_a_record_is_enough(void **state)
{
	struct stage *g = *state;

	/* The record does not rise, but its return address is behind a call. */
	g->regs[PC] = g->leaf.text + LEAF_CALLS;
	g->regs[FP] = STACK + 0x40;
	g->stack[8] = 1;
	g->stack[9] = g->leaf.text + LEAF_CALLS + 4;
	assert_int_equal(unwind(g, 127).n, 2);
	/* The other way round. */
	g->stack[8] = STACK + 0x400000;
	g->stack[9] = g->leaf.text + LEAF_CALLS + 8;
	assert_int_equal(unwind(g, 127).n, 2);
	/* Neither. */
	g->stack[8] = 1;
	assert_int_equal(unwind(g, 127).n, 1);
}

/* At LEAF_START the instructions do not decide. */
static void a_caller_that_is_told_twice_appears_once(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	g->regs[PC] = g->leaf.text + LEAF_START;
	g->regs[FP] = STACK + 0x40;
	g->regs[LR] = g->leaf.text + LEAF_CALLS + 4;
	g->stack[8] = 0;
	g->stack[9] = g->leaf.text + LEAF_CALLS + 4;
	u = unwind(g, 127);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.ips[1], g->leaf.text + LEAF_CALLS + 3);
	assert_int_equal(u.end, UNWIND_ROOT);
	/* A signed address counts as the same. */
	g->stack[9] |= 0x005a000000000000;
	assert_int_equal(unwind(g, 127).n, 2);
	/* If they differ and there are no symbols, the record is right. */
	g->stack[9] = g->leaf.text + LEAF_GO_RETURNED;
	u = unwind(g, 127);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.ips[1], g->leaf.text + LEAF_GO_RETURNED - 1);
	/* Without a record, the register is right. */
	g->regs[FP] = 1;
	u = unwind(g, 127);
	assert_int_equal(u.ips[1], g->leaf.text + LEAF_CALLS + 3);
}

static void without_cfi_the_instructions_tell(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	/* The record is on the stack, and the frame pointer is the caller's already. */
	g->regs[PC] = g->leaf.text + LEAF_CALLS + 4;
	g->regs[FP] = STACK + 0x100;
	g->regs[LR] = g->leaf.text + LEAF_CALLS + 4;
	g->stack[1] = g->leaf.text + LEAF_GO_RETURNED;
	u = unwind(g, 2);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.ips[1], g->leaf.text + LEAF_GO_RETURNED - 1);
}

static void the_chain_of_a_sample_has_the_frames(void **state)
{
	static const uint64_t kernel[] = { PERF_CONTEXT_KERNEL, 0xffff800080010000 };
	struct stage *g = *state;
	struct call_chain c = { 0 };

	be_in_leaf(g);
	g->sample.chain = (struct words){ .bytes = (const uint8_t *)kernel, .n = 2 };
	call_chain_take(&c, g->leaf.session, &g->sample, 20, 127);
	assert_int_equal(c.n, 4);
	assert_int_equal(c.items[0].mode, ADDRESS_KERNEL);
	assert_int_equal(c.items[1].mode, ADDRESS_USER);
	assert_int_equal(c.items[1].ip, g->leaf.text + LEAF_LEAF);
	call_chain_done(&c);
}

static void a_record_of_jit_code_may_lead_to_the_root_in_a_file(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	g->regs[PC] = JIT + 0x100;
	g->regs[FP] = STACK + 0x40;
	g->stack[9] = g->leaf.text + LEAF_CALLS + 4;
	u = unwind(g, 127);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.ips[0], JIT + 0x100);
	assert_int_equal(u.ips[1], g->leaf.text + LEAF_CALLS + 3);
	assert_int_equal(u.end, UNWIND_ROOT);
}

/* A frame pointer that is too far away does not count: the stack ends because the file is gone. */
static void without_a_copy_another_end_is_told_all_the_same(void **state)
{
	struct stage *g = *state;

	g->sample.stack_dyn_size = 0;
	g->regs[PC] = GONE + 0x10;
	g->regs[FP] = STACK + (8 << 20) - 8;
	assert_int_equal(unwind(g, 127).end, UNWIND_NONE);
	g->regs[FP] = STACK + (8 << 20);
	assert_int_equal(unwind(g, 127).end, UNWIND_NO_FILE);
	assert_int_equal(session_unwind_counts(g->leaf.session).stacks, 1);
}

static void a_stack_that_is_as_large_as_its_copy_is_whole(void **state)
{
	struct stage *g = *state;

	be_in_leaf(g);
	g->sample.stack_size = 16;
	g->sample.stack_dyn_size = 16;
	assert_int_equal(unwind(g, 127).end, UNWIND_ROOT);
	/* No more bytes are read than were copied, whatever the size says. */
	g->sample.stack_size = 8;
	assert_int_equal(unwind(g, 127).end, UNWIND_CUT);
}

static void ends_are_counted_but_for_what_is_none(void **state)
{
	struct unwind_counts c = { 0 };

	(void)state;
	unwind_counts_add(&c, UNWIND_NONE);
	assert_int_equal(c.stacks, 0);
	unwind_counts_add(&c, UNWIND_CUT);
	unwind_counts_add(&c, UNWIND_CUT);
	unwind_counts_add(&c, UNWIND_ROOT);
	assert_int_equal(c.stacks, 3);
	assert_int_equal(c.ended[UNWIND_CUT], 2);
	assert_int_equal(c.ended[UNWIND_ROOT], 1);
	assert_int_equal(c.ended[UNWIND_LOST], 0);
}

/* The registers of x86_64 as the kernel numbers them: rbp is 6, rsp 7, rip 8. */
static void on_x86_code_without_a_file_has_a_record_or_just_been_called(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	g->sample.user_regs.mask = 0xff0fff;
	g->sample.user_regs.values.n = 20;
	g->regs[8] = JIT + 0x100;
	g->regs[7] = STACK;
	g->regs[6] = STACK + 0x40;
	g->stack[8] = 0;
	g->stack[9] = JIT + 0x200;
	u = unwind(g, 127);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.ips[1], JIT + 0x1ff);
	/* Without a record, the return address that the call pushed is used. */
	g->regs[6] = 1;
	g->stack[0] = JIT + 0x300;
	u = unwind(g, 127);
	assert_int_equal(u.n, 2);
	assert_int_equal(u.ips[1], JIT + 0x2ff);
	/* Memory above it is not read. */
	g->stack[0] = 0;
	g->stack[1] = JIT + 0x300;
	assert_int_equal(unwind(g, 127).n, 1);
}

static void registers_are_taken_by_the_mask_of_each_sample(void **state)
{
	struct stage *g = *state;

	be_in_leaf(g);
	assert_int_equal(unwind(g, 127).n, 3);
	/* The same without x0: all other registers move up. */
	memmove(g->regs, g->regs + 1, (REGISTERS - 1) * sizeof(g->regs[0]));
	g->regs[REGISTERS - 1] = 0;
	g->sample.user_regs.mask = ALL & ~(uint64_t)1;
	g->sample.user_regs.values.n = REGISTERS - 1;
	assert_int_equal(unwind(g, 127).n, 3);
	assert_int_equal(unwind(g, 127).ips[0], g->leaf.text + LEAF_LEAF);
	g->sample.user_regs.values.n = REGISTERS - 2;
	assert_int_equal(unwind(g, 127).end, UNWIND_NONE);
}

/* The caller of the leaf was called from its own code, and its frame is above the copy. */
static void a_copy_may_end_at_pages_that_were_never_written(void **state)
{
	struct stage *g = *state;
	struct unwound u;

	be_in_leaf(g);
	g->stack[1] = g->leaf.text + LEAF_CALLS + 4;
	g->sample.stack_dyn_size = 16;
	u = unwind(g, 127);
	assert_int_equal(u.n, 3);
	assert_int_equal(u.end, UNWIND_UNTOUCHED);
	assert_int_equal(session_unwind_counts(g->leaf.session).ended[UNWIND_UNTOUCHED], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define BARE(name) cmocka_unit_test_setup_teardown(name, set_up_without_cfi, tear_down)
		TEST(a_stack_is_followed_to_its_root),
		TEST(signatures_are_no_part_of_an_address),
		TEST(an_unknown_program_counter_stays_as_it_is),
		TEST(a_copy_that_is_too_short_is_told_of),
		TEST(a_stack_that_ends_with_its_memory_is_not_cut),
		TEST(without_any_copy_there_is_no_stack),
		TEST(the_process_may_be_asked_for_what_is_missing),
		TEST(a_caller_that_cannot_be_is_left_out),
		TEST(no_more_frames_are_taken_than_wanted),
		TEST(without_registers_there_is_nothing_to_unwind),
		BARE(a_handler_returns_to_what_was_interrupted),
		BARE(a_handler_may_have_a_stack_of_its_own),
		BARE(without_cfi_records_lead_on),
		BARE(a_caller_that_is_told_twice_appears_once),
		BARE(without_cfi_the_instructions_tell),
		BARE(a_frame_pointer_of_zero_proves_nothing),
		TEST(code_of_a_file_that_is_gone_is_no_root),
		TEST(jit_code_is_no_root),
		BARE(half_a_record_is_enough),
		TEST(the_chain_of_a_sample_has_the_frames),
		TEST(a_record_of_jit_code_may_lead_to_the_root_in_a_file),
		TEST(without_a_copy_another_end_is_told_all_the_same),
		TEST(a_stack_that_is_as_large_as_its_copy_is_whole),
		TEST(ends_are_counted_but_for_what_is_none),
		TEST(registers_are_taken_by_the_mask_of_each_sample),
		TEST(a_copy_may_end_at_pages_that_were_never_written),
		TEST(on_x86_code_without_a_file_has_a_record_or_just_been_called),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
