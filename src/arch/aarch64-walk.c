/* SPDX-License-Identifier: MIT */
#include "arch/aarch64-walk.h"

#include "arch/aarch64-effect.h"
#include "arch/code-walk.h"

/* Limits on the number of instructions: on one path, and on all of them. */
#define LENGTH_MAX 256
#define ALL_MAX    1024

static bool aarch64_walk_touches(const struct aarch64_effect *e, uint8_t reg)
{
	return e->first == reg || e->second == reg;
}

static enum code_path_state aarch64_walk_load(struct code_path *p, const struct aarch64_effect *e)
{
	int64_t at = p->sp + e->before + e->offset;

	if (aarch64_walk_touches(e, AARCH64_FP)) {
		p->has_fp = true;
		p->fp_at = e->first == AARCH64_FP ? at : at + 8;
		p->fp_is_set = p->fp_is_lost = false;
	}
	if (aarch64_walk_touches(e, AARCH64_LR)) {
		p->has_lr = true;
		p->lr_at = e->first == AARCH64_LR ? at : at + 8;
	}
	p->sp += e->before + e->after;
	p->has_freed |= e->after > 0;
	return PATH_GOES_ON;
}

/*
 * Follows a store. A function stores x30 when it begins, so a store after a call belongs to another
 * function.
 */
static enum code_path_state aarch64_walk_store(struct code_path *p, const struct aarch64_effect *e)
{
	if (aarch64_walk_touches(e, AARCH64_LR) && (p->has_called || p->has_lr))
		return PATH_IS_LOST;
	p->stores_fp |= aarch64_walk_touches(e, AARCH64_FP);
	p->stores_lr |= aarch64_walk_touches(e, AARCH64_LR);
	p->sp += e->before + e->after;
	return PATH_GOES_ON;
}

static enum code_path_state set_sp(struct code_path *p, int32_t offset)
{
	p->has_freed = true;
	if (p->fp_is_set) {
		p->sp = p->fp + offset;
		return PATH_GOES_ON;
	}
	if (p->has_fp || p->has_lr || p->fp_is_lost)
		return PATH_IS_LOST;
	p->sp_from_fp = true;
	p->sp = offset;
	return PATH_GOES_ON;
}

/* Moves sp by a register. The frame is too large for an immediate, so its size is in a register. */
static enum code_path_state move_sp(struct code_path *p, uint8_t reg, int32_t sign)
{
	if (!p->constant || p->constant_in != reg)
		return PATH_IS_LOST;
	p->sp += sign * p->constant;
	p->has_freed |= sign > 0;
	return PATH_GOES_ON;
}

/* True if x30 holds the function's return address. */
static bool has_return_address(const struct code_path *p)
{
	return p->has_lr || !p->has_called;
}

static uint64_t aarch64_walk_target_of(const struct code_path *p, int32_t offset)
{
	return p->addr + (uint64_t)(int64_t)offset - AARCH64_INSTRUCTION_SIZE;
}

static enum code_path_state aarch64_walk_jump(struct code_walk *k, struct code_path *p,
					      int32_t offset)
{
	if (p->has_freed && has_return_address(p))
		return PATH_ENDS; /* a tail call */
	return code_walk_jump(k, p, aarch64_walk_target_of(p, offset));
}

/* Follows one instruction; p->addr has already been advanced past it. */
static enum code_path_state aarch64_walk_advance(struct code_walk *k, struct code_path *p,
						 const struct aarch64_effect *e)
{
	switch (e->kind) {
	case EFFECT_NONE:
		return PATH_GOES_ON;
	case EFFECT_BRANCH:
		return code_walk_branch(k, p, aarch64_walk_target_of(p, e->offset));
	case EFFECT_MOVE_SP:
		p->sp += e->offset;
		p->has_freed |= e->offset > 0;
		return PATH_GOES_ON;
	case EFFECT_CONSTANT:
		p->constant_in = e->first;
		p->constant = e->offset;
		return PATH_GOES_ON;
	case EFFECT_FREE_SP:
		return move_sp(p, e->first, 1);
	case EFFECT_TAKE_SP:
		return move_sp(p, e->first, -1);
	case EFFECT_FP_FROM_SP:
		p->fp_is_set = true;
		p->fp = p->sp + e->offset;
		return PATH_GOES_ON;
	case EFFECT_SET_FP:
		p->fp_is_set = false;
		p->fp_is_lost = true;
		return PATH_GOES_ON;
	case EFFECT_SP_FROM_FP:
		return set_sp(p, e->offset);
	case EFFECT_STORE:
		return aarch64_walk_store(p, e);
	case EFFECT_LOAD:
		return aarch64_walk_load(p, e);
	case EFFECT_CALL:
		p->has_called = true;
		return p->has_lr ? PATH_IS_LOST : PATH_GOES_ON;
	case EFFECT_JUMP:
		return aarch64_walk_jump(k, p, e->offset);
	case EFFECT_JUMP_REGISTER:
		return p->has_freed && has_return_address(p) ? PATH_ENDS : PATH_IS_LOST;
	case EFFECT_STUB:
		return p->has_called ? PATH_IS_LOST : PATH_ENDS;
	case EFFECT_RETURN:
		return has_return_address(p) ? PATH_ENDS : PATH_IS_LOST;
	default:
		return PATH_IS_LOST;
	}
}

static enum code_path_state aarch64_walk_step(struct code_walk *k, struct code_path *p)
{
	uint8_t code[AARCH64_INSTRUCTION_SIZE];
	struct aarch64_effect e;

	if (k->read(k->arg, p->addr, code, sizeof(code)) != sizeof(code))
		return PATH_IS_LOST;
	e = aarch64_effect(aarch64_instruction(code));
	p->addr += AARCH64_INSTRUCTION_SIZE;
	return aarch64_walk_advance(k, p, &e);
}

static bool aarch64_walk_frame_of(const struct code_path *p, struct code_frame *ret)
{
	/* the code has pushed something */
	bool is_stub = p->sp < 0 && !p->has_lr && !p->sp_from_fp;

	if (p->fp_is_set || p->fp_is_lost)
		return false; /* x29 would not be the caller's */
	if (p->sp < 0 && !is_stub && !p->sp_from_fp)
		return false;
	*ret = (struct code_frame){
		.has_cfa = true,
		.cfa_from_fp = p->sp_from_fp,
		.cfa_offset = is_stub ? 0 : (int32_t)p->sp,
		.ra_is_saved = p->has_lr && !p->stores_lr,
		.ra_offset = (int32_t)(p->lr_at - p->sp),
		.fp_is_saved = p->has_fp && !p->stores_fp,
		.fp_offset = (int32_t)(p->fp_at - p->sp),
	};
	return true;
}

bool aarch64_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret)
{
	struct code_walk k = { .read = read,
			       .arg = arg,
			       .length_max = LENGTH_MAX,
			       .left = ALL_MAX,
			       .step = aarch64_walk_step,
			       .frame = aarch64_walk_frame_of };

	return code_walk(&k, addr, ret);
}
