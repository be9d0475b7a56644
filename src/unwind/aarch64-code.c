/* SPDX-License-Identifier: MIT */
/*
 * The encodings are those of the Arm Architecture Reference Manual, C4.1. Conditional branches are
 * never taken, as one way is enough; what is not understood and could touch the frame ends it.
 */
#include "unwind/aarch64-code.h"

#define FP 29
#define LR 30
#define SP 31

/* What an instruction does to the frame. */
enum effect {
	EFFECT_NONE,
	EFFECT_UNKNOWN,
	EFFECT_MOVE_SP,    /* sp += offset */
	EFFECT_FREE_SP,    /* sp grows by what is in a register: the frame is large */
	EFFECT_SP_FROM_FP, /* sp = x29 + offset */
	EFFECT_FP_FROM_SP, /* x29 = sp + offset */
	EFFECT_STORE,      /* registers to sp + offset on */
	EFFECT_LOAD,
	EFFECT_RETURN,
	EFFECT_JUMP,
	EFFECT_STUB, /* BR X17, which ends a stub */
};

struct effect_of {
	enum effect effect;
	int32_t offset;
	int32_t before, after; /* what sp moves by, of STORE and LOAD */
	uint8_t first, second; /* their registers; SP: none of interest */
};

static struct effect_of plain(enum effect e)
{
	return (struct effect_of){ .effect = e };
}

static struct effect_of moving(enum effect e, int32_t offset)
{
	return (struct effect_of){ .effect = e, .offset = offset };
}

static uint32_t op_at(const uint8_t *code, size_t i)
{
	const uint8_t *c = code + i * AARCH64_INSTRUCTION_SIZE;

	/* Instructions are little-endian, whatever the data. */
	return c[0] | c[1] << 8 | c[2] << 16 | (uint32_t)c[3] << 24;
}

/* The @n bits from bit @low on, with a sign. */
static int32_t signed_bits(uint32_t op, unsigned low, unsigned n)
{
	return (int32_t)(op << (32 - low - n)) >> (32 - n);
}

static bool is_frame_register(uint32_t reg)
{
	return reg == FP || reg == LR;
}

static struct effect_of unless_frame_register(uint32_t reg)
{
	return plain(is_frame_register(reg) ? EFFECT_UNKNOWN : EFFECT_NONE);
}

/* STP X29, Xn, [SP, #-n], where Xn is not X30: a record for a function that will be called. */
static bool stores_callee_record(uint32_t op)
{
	return (op & 0xffe003ff) == 0xa92003fd && (op >> 10 & 31) != LR;
}

static struct effect_of of_branch(uint32_t op)
{
	/* RET, RETAA, RETAB. */
	if (op == 0xd65f03c0 || op == 0xd65f0bff || op == 0xd65f0fff)
		return plain(EFFECT_RETURN);
	if (op == 0xd61f0220)
		return plain(EFFECT_STUB);
	/* B; BR. */
	if ((op & 0xfc000000) == 0x14000000 || (op & 0xfffffc1f) == 0xd61f0000)
		return plain(EFFECT_JUMP);
	/* B.cond; CBZ, CBNZ, TBZ, TBNZ. */
	if ((op & 0xff000000) == 0x54000000 || (op & 0x7c000000) == 0x34000000)
		return plain(EFFECT_NONE);
	/* Hints, barriers, MRS and MSR; SVC. */
	if ((op & 0xffc00000) == 0xd5000000 || (op & 0xffe0001f) == 0xd4000001)
		return unless_frame_register(op & 31);
	return plain(EFFECT_UNKNOWN);
}

/* A pair of registers; those of other kinds than X matter only for what sp moves by. */
static struct effect_of of_pair(uint32_t op)
{
	bool is_vector = op >> 26 & 1, is_load = op >> 22 & 1;
	unsigned opc = op >> 30, mode = op >> 23 & 3, base = op >> 5 & 31;
	int32_t scale = is_vector ? 4 << opc : opc == 2 ? 8 : opc == 1 && !is_load ? 16 : 4;
	int32_t offset = signed_bits(op, 15, 7) * scale;
	uint8_t first = op & 31, second = op >> 10 & 31;
	struct effect_of e = {
		.effect = is_load ? EFFECT_LOAD : EFFECT_STORE,
		.first = SP,
		.second = SP,
	};

	if (!is_vector && (opc == 2 || is_load)) {
		e.first = first;
		e.second = second;
	}
	if (base != SP) {
		bool writes = is_load &&
			      (is_frame_register(e.first) || is_frame_register(e.second));

		return plain(writes || (is_frame_register(base) && mode & 1) ? EFFECT_UNKNOWN
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

/* Loads and stores of one register by a number from @offset on. */
static struct effect_of of_single(uint32_t op, int32_t offset, int32_t before, int32_t after)
{
	bool is_vector = op >> 26 & 1, is_load = op >> 22 & 3;
	uint32_t reg = op & 31, base = op >> 5 & 31;
	struct effect_of e = {
		.effect = is_load ? EFFECT_LOAD : EFFECT_STORE,
		.offset = offset,
		.before = before,
		.after = after,
		.first = is_vector ? SP : (uint8_t)reg,
		.second = SP,
	};

	if (base == SP)
		return e;
	if (is_frame_register(base) && (before || after))
		return plain(EFFECT_UNKNOWN);
	return is_load && !is_vector ? unless_frame_register(reg) : plain(EFFECT_NONE);
}

static struct effect_of of_memory(uint32_t op)
{
	bool is_vector = op >> 26 & 1;
	int32_t offset = signed_bits(op, 12, 9);

	if (stores_callee_record(op))
		return plain(EFFECT_UNKNOWN); /* a call follows */
	if ((op & 0x3a000000) == 0x28000000)
		return of_pair(op);
	/* By an unsigned number of 12 bits, in the register's size. */
	if ((op & 0x3b000000) == 0x39000000)
		return of_single(op, (int32_t)((op >> 10 & 0xfff) << (op >> 30)), 0, 0);
	/* By one of 9 bits: without change of the base, after and before. */
	if ((op & 0x3b200c00) == 0x38000000)
		return of_single(op, offset, 0, 0);
	if ((op & 0x3b200c00) == 0x38000400)
		return of_single(op, 0, 0, offset);
	if ((op & 0x3b200c00) == 0x38000c00)
		return of_single(op, 0, offset, 0);
	/* What is left may load into the lowest bits' register, or, if a pair, into another. */
	return is_vector ? plain(EFFECT_NONE) : unless_frame_register(op & 31);
}

/* ADD and SUB of a number, which know sp. */
static struct effect_of of_immediate(uint32_t op)
{
	uint32_t to = op & 31, from = op >> 5 & 31;
	int32_t n = (int32_t)((op >> 10 & 0xfff) << (op >> 22 & 1 ? 12 : 0));
	int32_t offset = op >> 30 & 1 ? -n : n;

	if (to == SP && from == SP)
		return moving(EFFECT_MOVE_SP, offset);
	if (to == SP && from == FP)
		return moving(EFFECT_SP_FROM_FP, offset);
	if (to == FP && from == SP)
		return moving(EFFECT_FP_FROM_SP, offset);
	return to == SP ? plain(EFFECT_UNKNOWN) : unless_frame_register(to);
}

static struct effect_of of_arithmetic(uint32_t op)
{
	if ((op & 0xbf800000) == 0x91000000)
		return of_immediate(op);
	/* ADD SP, SP, Xn. */
	if ((op & 0xffe003ff) == 0x8b2003ff)
		return plain(EFFECT_FREE_SP);
	/* ADD and SUB of an extended register, AND, ORR and EOR of a number: these know sp, too. */
	if ((op & 31) == SP && ((op & 0x3fe00000) == 0x0b200000 ||
				((op & 0x1f800000) == 0x12000000 && (op >> 29 & 3) != 3)))
		return plain(EFFECT_UNKNOWN);
	return unless_frame_register(op & 31);
}

static struct effect_of effect_of(uint32_t op)
{
	uint32_t group = op >> 25 & 15;

	if ((group & 14) == 10)
		return of_branch(op);
	if ((group & 5) == 4)
		return of_memory(op);
	if ((group & 7) == 7) /* vectors and floating point */
		return plain(EFFECT_NONE);
	return group & 12 ? of_arithmetic(op) : plain(EFFECT_UNKNOWN);
}

/* The frame on the way; offsets are from the stack pointer (or x29) that it began with. */
struct way {
	int32_t sp;
	bool sp_from_fp;     /* it is counted from x29 */
	bool has_fp, has_lr; /* there are places for them */
	int32_t fp_at, lr_at;
	/* On the way in: x29 is the function's own. */
	bool fp_is_set;
	int32_t fp;
	/* On the way out: what is stored only now is still in its register; the frame is gone. */
	bool keeps_fp, keeps_lr, has_freed;
	bool is_large; /* nobody knows sp any more */
};

/* Where @e stores or loads the frame's registers. */
static void note_places(struct way *w, const struct effect_of *e)
{
	int32_t at = w->sp + e->before + e->offset;

	if (e->first == FP || e->second == FP) {
		w->has_fp = true;
		w->fp_at = e->first == FP ? at : at + 8;
	}
	if (e->first == LR || e->second == LR) {
		w->has_lr = true;
		w->lr_at = e->first == LR ? at : at + 8;
	}
}

/*
 * What was loaded is the caller's again. What is stored stays so, whatever happens to its register
 * on other ways, as in a loop.
 */
static void restore(struct way *w, const struct effect_of *e)
{
	if (e->first == FP || e->second == FP)
		w->fp_is_set = w->has_fp = false;
	if (e->first == LR || e->second == LR)
		w->has_lr = false;
}

/* One instruction on the way in. False: it leads elsewhere, or nobody knows. */
static bool enter(struct way *w, const struct effect_of *e)
{
	switch (e->effect) {
	case EFFECT_NONE:
		return true;
	case EFFECT_MOVE_SP:
		w->sp += e->offset;
		return true;
	case EFFECT_FP_FROM_SP:
		w->fp_is_set = true;
		w->fp = w->sp + e->offset;
		return true;
	case EFFECT_SP_FROM_FP:
		w->sp = w->fp + e->offset;
		return w->fp_is_set;
	case EFFECT_STORE:
		note_places(w, e);
		w->sp += e->before + e->after;
		return true;
	case EFFECT_LOAD:
		restore(w, e);
		w->sp += e->before + e->after;
		return true;
	default:
		return false; /* a call may be the last thing that is done on this way */
	}
}

bool aarch64_frame_from_entry(const uint8_t *code, size_t at, struct aarch64_frame *ret)
{
	struct way w = { 0 };

	if (at > AARCH64_WAY_MAX)
		return false;
	for (size_t i = 0; i < at; i++) {
		struct effect_of e = effect_of(op_at(code, i));

		if (!enter(&w, &e))
			return false;
	}
	if (w.fp_is_set && !w.has_fp)
		return false;
	*ret = (struct aarch64_frame){
		.has_cfa = true,
		.cfa_offset = -w.sp,
		.ra_is_saved = w.has_lr,
		.ra_offset = w.lr_at,
		.fp_is_saved = w.has_fp,
		.fp_offset = w.fp_at,
	};
	return true;
}

static void keep(struct way *w, const struct effect_of *e)
{
	w->keeps_fp |= e->first == FP || e->second == FP;
	w->keeps_lr |= e->first == LR || e->second == LR;
}

/* One instruction on the way out. False: it leads elsewhere, or nobody knows. */
static bool leave(struct way *w, const struct effect_of *e)
{
	switch (e->effect) {
	case EFFECT_NONE:
		return true;
	case EFFECT_MOVE_SP:
		w->sp += e->offset;
		w->has_freed |= e->offset > 0;
		return true;
	case EFFECT_FREE_SP:
		w->is_large = w->has_freed = true;
		return !w->has_fp && !w->has_lr;
	case EFFECT_SP_FROM_FP:
		w->sp_from_fp = true;
		w->sp = e->offset;
		return !w->has_fp && !w->has_lr;
	case EFFECT_STORE:
		keep(w, e);
		w->sp += e->before + e->after;
		return true;
	case EFFECT_LOAD:
		note_places(w, e);
		w->sp += e->before + e->after;
		w->has_freed |= e->after > 0;
		return !w->is_large || (!w->has_fp && !w->has_lr);
	default:
		return false;
	}
}

/* Whether the function ends with @e: with a tail call only if it has given back its frame. */
static bool is_end(const struct way *w, enum effect e, bool may_be_stub)
{
	return e == EFFECT_RETURN || (e == EFFECT_STUB && may_be_stub) ||
	       ((e == EFFECT_JUMP || e == EFFECT_STUB) && w->has_freed);
}

static struct aarch64_frame before_exit(const struct way *w)
{
	return (struct aarch64_frame){
		.has_cfa = !w->is_large,
		.cfa_from_fp = w->sp_from_fp,
		.cfa_offset = w->sp,
		.ra_is_saved = w->has_lr && !w->keeps_lr,
		.ra_offset = w->lr_at - w->sp,
		.fp_is_saved = w->has_fp && !w->keeps_fp,
		.fp_offset = w->fp_at - w->sp,
	};
}

bool aarch64_frame_from_exit(const uint8_t *code, size_t n, bool may_be_stub,
			     struct aarch64_frame *ret)
{
	struct way w = { 0 };

	for (size_t i = 0; i < n && i < AARCH64_WAY_MAX; i++) {
		struct effect_of e = effect_of(op_at(code, i));

		if (is_end(&w, e.effect, may_be_stub)) {
			*ret = before_exit(&w);
			return true;
		}
		/* The frame is still being built, and how much of it stands is not known. */
		if (e.effect == EFFECT_FP_FROM_SP && !w.has_fp && !w.has_lr && !w.sp_from_fp) {
			*ret = (struct aarch64_frame){ .is_being_built = true };
			return true;
		}
		if (!leave(&w, &e))
			return false;
	}
	return false;
}

enum aarch64_callee_record aarch64_callee_record(const uint8_t *code, size_t n)
{
	if (n >= 1 && stores_callee_record(op_at(code, n - 1)))
		return CALLEE_RECORD_STORED;
	for (size_t i = 2; i <= n && i <= AARCH64_CALLEE_RECORD_SIZE; i++)
		if (stores_callee_record(op_at(code, n - i)) &&
		    effect_of(op_at(code, n - i + 1)).effect == EFFECT_FP_FROM_SP)
			return CALLEE_RECORD_IN_USE;
	return CALLEE_RECORD_NONE;
}
