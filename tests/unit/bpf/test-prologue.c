/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "bpf/prologue.h"

/* The state that a program sees: registers at the probe, and memory from address 0x1000 on. */
struct machine {
	uint64_t r[11];
	uint8_t regs[512], memory[64], stack[64];
	bool was_user, has_called;
};

static uint64_t read_at(const uint8_t *at, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, at, n);
	return v;
}

/* Imitates bpf_probe_read_kernel(r1, r2, r3), to the stack. */
static void call(struct machine *m, int helper)
{
	uint64_t from = m->r[3] - 0x1000, n = m->r[2];

	assert_true(helper == BPF_FUNC_probe_read_kernel || helper == BPF_FUNC_probe_read_user);
	m->has_called = true;
	m->was_user = helper == BPF_FUNC_probe_read_user;
	m->r[0] = from > sizeof(m->memory) - n;
	if (!m->r[0])
		memcpy(m->stack + m->r[1], m->memory + from, n);
	/* The kernel's functions may overwrite these registers. */
	for (int i = 1; i < 6; i++)
		m->r[i] = 0xdeadbeef;
}

static void compute(struct machine *m, const struct bpf_insn *i)
{
	uint64_t by = BPF_SRC(i->code) == BPF_X ? m->r[i->src_reg] : (uint64_t)(int64_t)i->imm;
	uint64_t *to = &m->r[i->dst_reg];

	switch (BPF_OP(i->code)) {
	case BPF_MOV:
		*to = by;
		break;
	case BPF_ADD:
		*to += by;
		break;
	case BPF_LSH:
		*to <<= by;
		break;
	case BPF_RSH:
		*to >>= by;
		break;
	case BPF_ARSH:
		*to = (uint64_t)((int64_t)*to >> by);
		break;
	default:
		fail();
	}
}

/* Runs the program: r1 is 0, the address of the registers, and r10 is the end of the stack. */
static void run(struct machine *m, const struct bpf_prologue *p)
{
	m->r[10] = sizeof(m->stack);
	for (size_t at = 0; at < p->n; at++) {
		const struct bpf_insn *i = &p->insns[at];
		uint64_t where = m->r[i->src_reg] + (uint64_t)i->off;

		if (BPF_CLASS(i->code) == BPF_ALU64)
			compute(m, i);
		else if (BPF_CLASS(i->code) == BPF_LDX)
			m->r[i->dst_reg] = i->src_reg == BPF_REG_10 ? read_at(m->stack + where, 8)
								    : read_at(m->regs + where, 8);
		else if (BPF_CLASS(i->code) == BPF_STX)
			memcpy(m->stack + m->r[i->dst_reg] + i->off, &m->r[i->src_reg], 8);
		else if (BPF_OP(i->code) == BPF_CALL)
			call(m, i->imm);
		else if (BPF_OP(i->code) == BPF_JA || m->r[i->dst_reg])
			at += (size_t)i->off;
	}
}

static void make_and_run(const char *machine, struct machine *m, bool is_user,
			 const struct bpf_prologue_arg *args, size_t n)
{
	_cleanup_(bpf_prologue_done) struct bpf_prologue p = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(bpf_prologue_make(arch_find(machine), is_user, args, n, &p, &d), 0);
	run(m, &p);
	assert_int_equal(m->r[1], 0);
	/* A prologue that cannot fail has no jumps: the verifier refuses unreachable code. */
	for (size_t i = 0; i < p.n && !m->has_called; i++)
		assert_int_not_equal(BPF_CLASS(p.insns[i].code), BPF_JMP);
}

static void put(uint8_t *at, uint64_t v, size_t n)
{
	memcpy(at, &v, n);
}

static void registers_become_parameters(void **state)
{
	static const struct bpf_prologue_arg arm[] = { { "%x2", "u64" }, { "%x0", "s32" } };
	static const struct bpf_prologue_arg intel[] = { { "%di", NULL }, { "%r15", "x8" } };
	struct machine m = { 0 };

	(void)state;
	put(m.regs + 16, 0x1234567890, 8);
	put(m.regs, 0xfffffff0, 8);
	make_and_run("aarch64", &m, false, arm, 2);
	assert_int_equal(m.r[2], 0);
	assert_int_equal(m.r[3], 0x1234567890);
	assert_int_equal(m.r[4], (uint64_t)-16);
	assert_int_equal(m.r[5], 0);

	m = (struct machine){ 0 };
	put(m.regs + 112, 77, 8);
	put(m.regs, 0x1ff, 8);
	make_and_run("x86_64", &m, false, intel, 2);
	assert_int_equal(m.r[3], 77);
	assert_int_equal(m.r[4], 0xff);
}

static void memory_is_followed_from_the_inside(void **state)
{
	static const struct bpf_prologue_arg args[] = { { "+4(+8(%x0))", "s16" },
							{ "-8(%x1)", "u8" },
							{ "+8(%x0)", "b3@12/16" } };
	struct machine m = { 0 };

	(void)state;
	put(m.regs, 0x1000, 8);
	put(m.regs + 8, 0x1010, 8);
	put(m.memory + 8, 0x1020, 8);
	put(m.memory + 0x24, (uint64_t)-77, 2);
	make_and_run("aarch64", &m, false, args, 3);
	assert_int_equal(m.r[2], 0);
	assert_int_equal(m.r[3], (uint64_t)-77);
	assert_int_equal(m.r[4], 0x20);
	assert_int_equal(m.r[5], 1);
	assert_false(m.was_user);
}

static void memory_of_programs_is_read_as_such(void **state)
{
	static const struct bpf_prologue_arg inside[] = { { "+0(%x0)", "u32" } };
	static const struct bpf_prologue_arg marked[] = { { "+u0(%x0)", "u32" } };
	struct machine m = { 0 };

	(void)state;
	put(m.regs, 0x1000, 8);
	make_and_run("aarch64", &m, true, inside, 1);
	assert_true(m.was_user);
	m.r[1] = 0;
	make_and_run("aarch64", &m, false, marked, 1);
	assert_true(m.was_user);
}

static void what_cannot_be_read_is_told(void **state)
{
	static const struct bpf_prologue_arg args[] = { { "%x1", NULL }, { "+0(%x0)", "u32" } };
	struct machine m = { 0 };

	(void)state;
	put(m.regs + 8, 5, 8);
	make_and_run("aarch64", &m, false, args, 2);
	assert_int_equal(m.r[2], 1);
	assert_int_equal(m.r[3], 0);
	assert_int_equal(m.r[4], 0);
	assert_int_equal(m.r[5], 0);
}

static void the_value_of_a_return_is_known(void **state)
{
	static const struct bpf_prologue_arg args[] = { { "$retval", NULL } };
	struct machine m = { 0 };

	(void)state;
	put(m.regs + 80, 9, 8);
	make_and_run("x86_64", &m, false, args, 1);
	assert_int_equal(m.r[3], 9);
}

static void assert_refused(const char *value, const char *type)
{
	const struct bpf_prologue_arg arg = { value, type };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bpf_prologue p = { 0 };

	assert_int_equal(bpf_prologue_make(arch_find("aarch64"), false, &arg, 1, &p, &d),
			 -EOPNOTSUPP);
	assert_non_null(d.message);
	assert_null(p.insns);
}

static void what_is_no_number_is_refused(void **state)
{
	static const struct bpf_prologue_arg many[4] = {
		{ "%x0", NULL }, { "%x0", NULL }, { "%x0", NULL }, { "%x0", NULL }
	};
	_cleanup_(diag_done) struct diag d = { 0 };
	struct bpf_prologue p = { 0 };

	(void)state;
	assert_refused("%x99", NULL);
	assert_refused("@jiffies", NULL);
	assert_refused("$stack2", NULL);
	assert_refused("$comm", "string");
	assert_refused("+0(%x0)", "string");
	assert_refused("+0(%x0)", "u7");
	assert_refused("+0(%x0)", "x8[4]");
	assert_refused("+0(%x0)", "b9@28/32");
	assert_refused("+0(%x0", NULL);
	assert_refused("+0(%x0))", NULL);
	assert_refused("+(%x0)", NULL);
	assert_refused("+1(+1(+1(+1(+1(+1(+1(+1(+1(%x0)))))))))", NULL);
	assert_refused("", NULL);
	assert_int_equal(bpf_prologue_make(arch_find("aarch64"), false, many, 4, &p, &d),
			 -EOPNOTSUPP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_become_parameters),
		cmocka_unit_test(memory_is_followed_from_the_inside),
		cmocka_unit_test(memory_of_programs_is_read_as_such),
		cmocka_unit_test(what_cannot_be_read_is_told),
		cmocka_unit_test(the_value_of_a_return_is_known),
		cmocka_unit_test(what_is_no_number_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
