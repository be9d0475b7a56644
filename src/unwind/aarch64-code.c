/* SPDX-License-Identifier: MIT */
/*
 * Code is read from its end, so that what follows an instruction is known. One way from it to its
 * function's end proves where the return address is, so conditional branches are never taken; calls
 * and jumps end the way. The encodings are those of the Arm Architecture Reference Manual, C4.1.
 */
#include "unwind/aarch64-code.h"

#define FP 29
#define LR 30

/* Whether an instruction runs with the return address in LR and the caller's FP. */
enum leaf {
	LEAF_NO,
	LEAF_YES,
	LEAF_IF_FREED, /* if the stack frame was given back before */
};

static bool is_frame_register(uint32_t reg)
{
	return reg == FP || reg == LR;
}

static enum leaf at_branch(uint32_t op, bool may_be_stub, enum leaf next)
{
	/* RET, RETAA, RETAB; BR X17, which ends a stub. */
	if (op == 0xd65f03c0 || op == 0xd65f0bff || op == 0xd65f0fff ||
	    (op == 0xd61f0220 && may_be_stub))
		return LEAF_YES;
	/* B or BR without a frame is a tail call. */
	if ((op & 0xfc000000) == 0x14000000 || (op & 0xfffffc1f) == 0xd61f0000)
		return LEAF_IF_FREED;
	/* B.cond; CBZ, CBNZ, TBZ, TBNZ. */
	if ((op & 0xff000000) == 0x54000000 || (op & 0x7c000000) == 0x34000000)
		return next;
	/* Hints, barriers, MRS and MSR; SVC. */
	if ((op & 0xffc00000) == 0xd5000000 || (op & 0xffe0001f) == 0xd4000001)
		return is_frame_register(op & 31) ? LEAF_NO : next;
	return LEAF_NO;
}

static enum leaf at_freeing(enum leaf next)
{
	return next == LEAF_IF_FREED ? LEAF_YES : next;
}

/* What loads FP or LR restores them: they are not what they were yet. */
static enum leaf at_memory(uint32_t op, enum leaf next)
{
	bool is_vector = op >> 26 & 1, is_pair = (op & 0x3a000000) == 0x28000000;
	bool is_literal = (op & 0x3b000000) == 0x18000000;
	bool is_load = is_literal || (op >> 22 & (is_pair ? 1 : 3));

	if (is_load && !is_vector &&
	    (is_frame_register(op & 31) || (is_pair && is_frame_register(op >> 10 & 31))))
		return LEAF_NO;
	/* LDP with SP as its base, which it then moves. */
	return (op & 0x3bc003e0) == 0x28c003e0 ? at_freeing(next) : next;
}

static enum leaf at_arithmetic(uint32_t op, enum leaf next)
{
	switch (op & 0xff8003ff) {
	case 0x910003fd: /* ADD X29, SP, #n, also known as MOV X29, SP */
		return LEAF_YES;
	case 0x910003ff: /* ADD SP, SP, #n */
		return at_freeing(next);
	default:
		return is_frame_register(op & 31) ? LEAF_NO : next;
	}
}

static enum leaf at(uint32_t op, bool may_be_stub, enum leaf next)
{
	uint32_t group = op >> 25 & 15;

	if ((group & 14) == 10)
		return at_branch(op, may_be_stub, next);
	if ((group & 5) == 4)
		return at_memory(op, next);
	if ((group & 7) == 7) /* vectors and floating point */
		return next;
	return group & 12 ? at_arithmetic(op, next) : LEAF_NO;
}

void aarch64_mark_leaf(const uint8_t *code, size_t size, bool may_be_stub, bool *ret)
{
	enum leaf leaf = LEAF_NO;

	for (size_t i = size / AARCH64_INSTRUCTION_SIZE; i-- > 0;) {
		const uint8_t *c = code + i * AARCH64_INSTRUCTION_SIZE;

		/* Instructions are little-endian, whatever the data. */
		leaf = at(c[0] | c[1] << 8 | c[2] << 16 | (uint32_t)c[3] << 24, may_be_stub, leaf);
		ret[i] = leaf == LEAF_YES;
	}
}
