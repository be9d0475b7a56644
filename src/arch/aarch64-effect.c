/* SPDX-License-Identifier: MIT */
/*
 * The encodings are those of the Arm Architecture Reference Manual, C4.1.
 */
#include "arch/aarch64-effect.h"

static struct aarch64_effect aarch64_effect_plain(enum aarch64_effect_kind kind)
{
	return (struct aarch64_effect){ .kind = kind };
}

static struct aarch64_effect aarch64_effect_moving(enum aarch64_effect_kind kind, int32_t offset)
{
	return (struct aarch64_effect){ .kind = kind, .offset = offset };
}

static struct aarch64_effect with_register(enum aarch64_effect_kind kind, uint32_t reg,
					   int32_t offset)
{
	return (struct aarch64_effect){ .kind = kind, .offset = offset, .first = (uint8_t)reg };
}

uint32_t aarch64_instruction(const uint8_t *code)
{
	return code[0] | code[1] << 8 | code[2] << 16 | (uint32_t)code[3] << 24;
}

/* Returns the @n bits from bit @low on, as a signed number. */
static int32_t aarch64_effect_signed_bits(uint32_t op, unsigned low, unsigned n)
{
	return (int32_t)(op << (32 - low - n)) >> (32 - n);
}

static bool is_frame_register(uint32_t reg)
{
	return reg == AARCH64_FP || reg == AARCH64_LR;
}

/* Returns the effect of writing @reg. */
static struct aarch64_effect aarch64_effect_writing(uint32_t reg)
{
	return aarch64_effect_plain(reg == AARCH64_FP   ? EFFECT_SET_FP
				    : reg == AARCH64_LR ? EFFECT_UNKNOWN
							: EFFECT_NONE);
}

bool aarch64_stores_callee_record(uint32_t op)
{
	return (op & 0xffe003ff) == 0xa92003fd && (op >> 10 & 31) != AARCH64_LR;
}

static struct aarch64_effect of_branch(uint32_t op)
{
	/* RET, RETAA, RETAB. */
	if (op == 0xd65f03c0 || op == 0xd65f0bff || op == 0xd65f0fff)
		return aarch64_effect_plain(EFFECT_RETURN);
	if (op == 0xd61f0220)
		return aarch64_effect_plain(EFFECT_STUB);
	if ((op & 0xfffffc1f) == 0xd61f0000)
		return aarch64_effect_plain(EFFECT_JUMP_REGISTER);
	/* B; BL; BLR. */
	if ((op & 0xfc000000) == 0x14000000)
		return aarch64_effect_moving(EFFECT_JUMP, aarch64_effect_signed_bits(op, 0, 26) *
								  AARCH64_INSTRUCTION_SIZE);
	if ((op & 0xfc000000) == 0x94000000 || (op & 0xfffffc1f) == 0xd63f0000)
		return aarch64_effect_plain(EFFECT_CALL);
	/* B.cond, CBZ and CBNZ; TBZ and TBNZ. */
	if ((op & 0xff000000) == 0x54000000 || (op & 0x7e000000) == 0x34000000)
		return aarch64_effect_moving(EFFECT_BRANCH, aarch64_effect_signed_bits(op, 5, 19) *
								    AARCH64_INSTRUCTION_SIZE);
	if ((op & 0x7e000000) == 0x36000000)
		return aarch64_effect_moving(EFFECT_BRANCH, aarch64_effect_signed_bits(op, 5, 14) *
								    AARCH64_INSTRUCTION_SIZE);
	/* Hints, barriers, MRS and MSR; SVC. */
	if ((op & 0xffc00000) == 0xd5000000 || (op & 0xffe0001f) == 0xd4000001)
		return aarch64_effect_writing(op & 31);
	return aarch64_effect_plain(EFFECT_UNKNOWN);
}

/*
 * Decodes a load or store of a pair of registers. For registers other than X0 to X30, only the
 * change of sp matters.
 */
static struct aarch64_effect of_pair(uint32_t op)
{
	bool is_vector = op >> 26 & 1, is_load = op >> 22 & 1;
	unsigned opc = op >> 30, mode = op >> 23 & 3, base = op >> 5 & 31;
	int32_t scale = is_vector ? 4 << opc : opc == 2 ? 8 : opc == 1 && !is_load ? 16 : 4;
	int32_t offset = aarch64_effect_signed_bits(op, 15, 7) * scale;
	uint8_t first = op & 31, second = op >> 10 & 31;
	struct aarch64_effect e = {
		.kind = is_load ? EFFECT_LOAD : EFFECT_STORE,
		.first = AARCH64_SP,
		.second = AARCH64_SP,
	};

	if (!is_vector && (opc == 2 || is_load)) {
		e.first = first;
		e.second = second;
	}
	if (base != AARCH64_SP) {
		bool writes = is_load &&
			      (is_frame_register(e.first) || is_frame_register(e.second));

		return aarch64_effect_plain(writes || (is_frame_register(base) && mode & 1)
						    ? EFFECT_UNKNOWN
						    : EFFECT_NONE);
	}
	if (mode == 3)
		e.before = offset;
	else if (mode == 1)
		e.after = offset;
	else
		e.offset = offset;
	return e;
}

/* Decodes a load or store of one register at an immediate offset. */
static struct aarch64_effect of_single(uint32_t op, int32_t offset, int32_t before, int32_t after)
{
	bool is_vector = op >> 26 & 1, is_load = op >> 22 & 3;
	uint32_t reg = op & 31, base = op >> 5 & 31;
	struct aarch64_effect e = {
		.kind = is_load ? EFFECT_LOAD : EFFECT_STORE,
		.offset = offset,
		.before = before,
		.after = after,
		.first = is_vector ? AARCH64_SP : (uint8_t)reg,
		.second = AARCH64_SP,
	};

	if (base == AARCH64_SP)
		return e;
	if (is_frame_register(base) && (before || after))
		return aarch64_effect_plain(EFFECT_UNKNOWN);
	return is_load && !is_vector ? aarch64_effect_writing(reg)
				     : aarch64_effect_plain(EFFECT_NONE);
}

static struct aarch64_effect of_memory(uint32_t op)
{
	bool is_vector = op >> 26 & 1;
	int32_t offset = aarch64_effect_signed_bits(op, 12, 9);

	if (aarch64_stores_callee_record(op))
		return aarch64_effect_plain(EFFECT_UNKNOWN); /* a call follows */
	if ((op & 0x3a000000) == 0x28000000)
		return of_pair(op);
	/* An unsigned offset of 12 bits, in units of the register's size. */
	if ((op & 0x3b000000) == 0x39000000)
		return of_single(op, (int32_t)((op >> 10 & 0xfff) << (op >> 30)), 0, 0);
	/* An offset of 9 bits: unchanged base, post-index, pre-index. */
	if ((op & 0x3b200c00) == 0x38000000)
		return of_single(op, offset, 0, 0);
	if ((op & 0x3b200c00) == 0x38000400)
		return of_single(op, 0, 0, offset);
	if ((op & 0x3b200c00) == 0x38000c00)
		return of_single(op, 0, offset, 0);
	/* Other loads write the register that the lowest bits name. */
	return is_vector ? aarch64_effect_plain(EFFECT_NONE) : aarch64_effect_writing(op & 31);
}

/* Decodes ADD and SUB of an immediate, in which register 31 is sp. */
static struct aarch64_effect of_immediate(uint32_t op)
{
	uint32_t to = op & 31, from = op >> 5 & 31;
	int32_t n = (int32_t)((op >> 10 & 0xfff) << (op >> 22 & 1 ? 12 : 0));
	int32_t offset = op >> 30 & 1 ? -n : n;

	if (to == AARCH64_SP && from == AARCH64_SP)
		return aarch64_effect_moving(EFFECT_MOVE_SP, offset);
	if (to == AARCH64_SP && from == AARCH64_FP)
		return aarch64_effect_moving(EFFECT_SP_FROM_FP, offset);
	if (to == AARCH64_FP && from == AARCH64_SP)
		return aarch64_effect_moving(EFFECT_FP_FROM_SP, offset);
	return to == AARCH64_SP ? aarch64_effect_plain(EFFECT_UNKNOWN) : aarch64_effect_writing(to);
}

static struct aarch64_effect of_arithmetic(uint32_t op)
{
	if ((op & 0xbf800000) == 0x91000000)
		return of_immediate(op);
	/* ADD SP, SP, Xn; SUB SP, SP, Xn; MOVZ. */
	if ((op & 0xffe003ff) == 0x8b2003ff)
		return with_register(EFFECT_FREE_SP, op >> 16 & 31, 0);
	if ((op & 0xffe003ff) == 0xcb2003ff)
		return with_register(EFFECT_TAKE_SP, op >> 16 & 31, 0);
	if ((op & 0x7fe00000) == 0x52800000 && !is_frame_register(op & 31))
		return with_register(EFFECT_CONSTANT, op & 31, (int32_t)(op >> 5 & 0xffff));
	/*
	 * ADD and SUB of an extended register, AND, ORR and EOR of an immediate: register 31 is sp.
	 */
	if ((op & 31) == AARCH64_SP && ((op & 0x3fe00000) == 0x0b200000 ||
					((op & 0x1f800000) == 0x12000000 && (op >> 29 & 3) != 3)))
		return aarch64_effect_plain(EFFECT_UNKNOWN);
	return aarch64_effect_writing(op & 31);
}

struct aarch64_effect aarch64_effect(uint32_t op)
{
	uint32_t group = op >> 25 & 15;

	if ((group & 14) == 10)
		return of_branch(op);
	if ((group & 5) == 4)
		return of_memory(op);
	if ((group & 7) == 7) /* vectors and floating point */
		return aarch64_effect_plain(EFFECT_NONE);
	return group & 12 ? of_arithmetic(op) : aarch64_effect_plain(EFFECT_UNKNOWN);
}
