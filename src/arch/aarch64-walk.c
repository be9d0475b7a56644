/* SPDX-License-Identifier: MIT */
#include "arch/aarch64-walk.h"

#include <stddef.h>

#include "arch/aarch64-effect.h"

/* Limits on the number of instructions: on one path, and on all of them. */
#define LENGTH_MAX 256
#define ALL_MAX    1024

/* The number of paths that may wait to be tried; more are dropped. */
#define PATHS_MAX 16

/* No frame is larger than this. */
#define FRAME_MAX (1 << 28)

/* The number of targets of branches and jumps that are noted; more are ignored. */
#define TARGETS_MAX 64

/* A path. Offsets are counted from the sp (or, with sp_from_fp, the x29) at its start. */
struct aarch64_walk_path {
	uint64_t addr;
	int32_t sp, fp;
	int32_t fp_at, lr_at;      /* offsets from which x29 and x30 were loaded */
	bool sp_from_fp;           /* offsets are from x29 */
	bool fp_is_set;            /* x29 was set to fp on the path */
	bool fp_is_lost;           /* x29 was set to something else */
	bool has_fp, has_lr;       /* x29 and x30 were loaded */
	bool stores_fp, stores_lr; /* they were stored, and are still in their registers */
	bool has_called;           /* x30 is lost */
	bool has_freed;            /* sp has grown */
	uint8_t constant_in;       /* the register that was last set to @constant */
	int32_t constant;          /* 0: none */
};

struct aarch64_walk {
	code_read_fn *read;
	void *arg;
	struct aarch64_walk_path paths[PATHS_MAX]; /* paths still to be tried */
	size_t n;
	uint64_t targets[TARGETS_MAX]; /* already followed, or waiting in @paths */
	size_t n_targets;
	unsigned left; /* instructions that may still be read */
};

enum progress {
	PATH_GOES_ON,
	PATH_ENDS, /* the function returns */
	PATH_IS_LOST,
};

static bool aarch64_walk_touches(const struct aarch64_effect *e, uint8_t reg)
{
	return e->first == reg || e->second == reg;
}

static enum progress aarch64_walk_load(struct aarch64_walk_path *p, const struct aarch64_effect *e)
{
	int32_t at = p->sp + e->before + e->offset;

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
static enum progress aarch64_walk_store(struct aarch64_walk_path *p, const struct aarch64_effect *e)
{
	if (aarch64_walk_touches(e, AARCH64_LR) && (p->has_called || p->has_lr))
		return PATH_IS_LOST;
	p->stores_fp |= aarch64_walk_touches(e, AARCH64_FP);
	p->stores_lr |= aarch64_walk_touches(e, AARCH64_LR);
	p->sp += e->before + e->after;
	return PATH_GOES_ON;
}

static enum progress set_sp(struct aarch64_walk_path *p, int32_t offset)
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
static enum progress move_sp(struct aarch64_walk_path *p, uint8_t reg, int32_t sign)
{
	if (!p->constant || p->constant_in != reg)
		return PATH_IS_LOST;
	p->sp += sign * p->constant;
	p->has_freed |= sign > 0;
	return PATH_GOES_ON;
}

/* True if x30 holds the function's return address. */
static bool has_return_address(const struct aarch64_walk_path *p)
{
	return p->has_lr || !p->has_called;
}

/* True if @target is reached for the first time. The frame there is the same on every path. */
static bool aarch64_walk_is_new(struct aarch64_walk *k, uint64_t target)
{
	for (size_t i = 0; i < k->n_targets; i++)
		if (k->targets[i] == target)
			return false;
	if (k->n_targets == TARGETS_MAX)
		return false;
	k->targets[k->n_targets++] = target;
	return true;
}

static uint64_t aarch64_walk_target_of(const struct aarch64_walk_path *p, int32_t offset)
{
	return p->addr + (uint64_t)(int64_t)offset - AARCH64_INSTRUCTION_SIZE;
}

static enum progress aarch64_walk_jump(struct aarch64_walk *k, struct aarch64_walk_path *p,
				       int32_t offset)
{
	if (p->has_freed && has_return_address(p))
		return PATH_ENDS; /* a tail call */
	p->addr = aarch64_walk_target_of(p, offset);
	return aarch64_walk_is_new(k, p->addr) ? PATH_GOES_ON : PATH_IS_LOST;
}

static enum progress aarch64_walk_branch(struct aarch64_walk *k, const struct aarch64_walk_path *p,
					 int32_t offset)
{
	uint64_t target = aarch64_walk_target_of(p, offset);

	if (k->n < PATHS_MAX && aarch64_walk_is_new(k, target)) {
		k->paths[k->n] = *p;
		k->paths[k->n++].addr = target;
	}
	return PATH_GOES_ON;
}

/* Follows one instruction; p->addr has already been advanced past it. */
static enum progress aarch64_walk_advance(struct aarch64_walk *k, struct aarch64_walk_path *p,
					  const struct aarch64_effect *e)
{
	switch (e->kind) {
	case EFFECT_NONE:
		return PATH_GOES_ON;
	case EFFECT_BRANCH:
		return aarch64_walk_branch(k, p, e->offset);
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

/* Follows @p to the function's end. False: the path does not lead there. */
static bool aarch64_walk_follow(struct aarch64_walk *k, struct aarch64_walk_path *p)
{
	for (unsigned i = 0; i < LENGTH_MAX && k->left; i++, k->left--) {
		uint8_t code[AARCH64_INSTRUCTION_SIZE];
		struct aarch64_effect e;

		if (k->read(k->arg, p->addr, code, sizeof(code)) != sizeof(code))
			return false;
		e = aarch64_effect(aarch64_instruction(code));
		p->addr += AARCH64_INSTRUCTION_SIZE;
		switch (aarch64_walk_advance(k, p, &e)) {
		case PATH_ENDS:
			return true;
		case PATH_IS_LOST:
			return false;
		case PATH_GOES_ON:
			break;
		}
		if (p->sp > FRAME_MAX || p->sp < -FRAME_MAX)
			return false;
	}
	return false;
}

/*
 * Computes the frame at the start of @p, which was followed to its end. False: such a frame is
 * impossible.
 */
static bool aarch64_walk_frame_of(const struct aarch64_walk_path *p, struct code_frame *ret)
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
		.cfa_offset = is_stub ? 0 : p->sp,
		.ra_is_saved = p->has_lr && !p->stores_lr,
		.ra_offset = p->lr_at - p->sp,
		.fp_is_saved = p->has_fp && !p->stores_fp,
		.fp_offset = p->fp_at - p->sp,
	};
	return true;
}

bool aarch64_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret)
{
	struct aarch64_walk k = { .read = read, .arg = arg, .left = ALL_MAX, .n = 1 };

	k.paths[0] = (struct aarch64_walk_path){ .addr = addr };
	while (k.n && k.left) {
		struct aarch64_walk_path p = k.paths[--k.n];

		if (aarch64_walk_follow(&k, &p) && aarch64_walk_frame_of(&p, ret))
			return true;
	}
	return false;
}
