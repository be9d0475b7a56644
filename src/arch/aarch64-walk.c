/* SPDX-License-Identifier: MIT */
#include "arch/aarch64-walk.h"

#include <stddef.h>

#include "arch/aarch64-effect.h"

/* More instructions than this are not looked at: on one way, and on all. */
#define WAY_MAX 256
#define ALL_MAX 1024

/* Ways that are remembered to be tried later; more are forgotten. */
#define WAYS_MAX 16

/* No frame is larger. */
#define FRAME_MAX (1 << 28)

/* Where branches and jumps lead to; what more of them there are does not count. */
#define TARGETS_MAX 64

/* Offsets are from the sp (or, with sp_from_fp, the x29) of the beginning. */
struct way {
	uint64_t addr;
	int32_t sp, fp;
	int32_t fp_at, lr_at;      /* where they were loaded from */
	bool sp_from_fp;           /* offsets are from x29 */
	bool fp_is_set;            /* x29 was set to fp on the way */
	bool fp_is_lost;           /* x29 was set to something else */
	bool has_fp, has_lr;       /* they were loaded */
	bool stores_fp, stores_lr; /* they were stored before, and are in their registers still */
	bool has_called;           /* x30 is lost */
	bool has_freed;            /* sp has grown */
	uint8_t constant_in;       /* the register that was last set to a constant, by one */
	int32_t constant;          /* instruction; 0: none */
};

struct walk {
	code_read_fn *read;
	void *arg;
	struct way ways[WAYS_MAX]; /* to be tried */
	size_t n;
	uint64_t targets[TARGETS_MAX]; /* that were followed, or will be */
	size_t n_targets;
	unsigned left; /* instructions that may still be looked at */
};

enum progress {
	WAY_GOES_ON,
	WAY_ENDS, /* the function returns */
	WAY_IS_LOST,
};

static bool touches(const struct aarch64_effect *e, uint8_t reg)
{
	return e->first == reg || e->second == reg;
}

static enum progress load(struct way *w, const struct aarch64_effect *e)
{
	int32_t at = w->sp + e->before + e->offset;

	if (touches(e, AARCH64_FP)) {
		w->has_fp = true;
		w->fp_at = e->first == AARCH64_FP ? at : at + 8;
		w->fp_is_set = w->fp_is_lost = false;
	}
	if (touches(e, AARCH64_LR)) {
		w->has_lr = true;
		w->lr_at = e->first == AARCH64_LR ? at : at + 8;
	}
	w->sp += e->before + e->after;
	w->has_freed |= e->after > 0;
	return WAY_GOES_ON;
}

/* x30 is stored by a function that begins: behind a call that is another one. */
static enum progress store(struct way *w, const struct aarch64_effect *e)
{
	if (touches(e, AARCH64_LR) && (w->has_called || w->has_lr))
		return WAY_IS_LOST;
	w->stores_fp |= touches(e, AARCH64_FP);
	w->stores_lr |= touches(e, AARCH64_LR);
	w->sp += e->before + e->after;
	return WAY_GOES_ON;
}

static enum progress set_sp(struct way *w, int32_t offset)
{
	w->has_freed = true;
	if (w->fp_is_set) {
		w->sp = w->fp + offset;
		return WAY_GOES_ON;
	}
	if (w->has_fp || w->has_lr || w->fp_is_lost)
		return WAY_IS_LOST;
	w->sp_from_fp = true;
	w->sp = offset;
	return WAY_GOES_ON;
}

/* The frame is too large for an immediate: its size is in a register. */
static enum progress move_sp(struct way *w, uint8_t reg, int32_t sign)
{
	if (!w->constant || w->constant_in != reg)
		return WAY_IS_LOST;
	w->sp += sign * w->constant;
	w->has_freed |= sign > 0;
	return WAY_GOES_ON;
}

/* What the function was called with is in x30 again, or still. */
static bool has_return_address(const struct way *w)
{
	return w->has_lr || !w->has_called;
}

/* Whether @target is reached for the first time: the frame there is the same on every way. */
static bool is_new(struct walk *k, uint64_t target)
{
	for (size_t i = 0; i < k->n_targets; i++)
		if (k->targets[i] == target)
			return false;
	if (k->n_targets == TARGETS_MAX)
		return false;
	k->targets[k->n_targets++] = target;
	return true;
}

static uint64_t target_of(const struct way *w, int32_t offset)
{
	return w->addr + (uint64_t)(int64_t)offset - AARCH64_INSTRUCTION_SIZE;
}

static enum progress jump(struct walk *k, struct way *w, int32_t offset)
{
	if (w->has_freed && has_return_address(w))
		return WAY_ENDS; /* a tail call */
	w->addr = target_of(w, offset);
	return is_new(k, w->addr) ? WAY_GOES_ON : WAY_IS_LOST;
}

static enum progress branch(struct walk *k, const struct way *w, int32_t offset)
{
	uint64_t target = target_of(w, offset);

	if (k->n < WAYS_MAX && is_new(k, target)) {
		k->ways[k->n] = *w;
		k->ways[k->n++].addr = target;
	}
	return WAY_GOES_ON;
}

/* One instruction; w->addr is behind it already. */
static enum progress advance(struct walk *k, struct way *w, const struct aarch64_effect *e)
{
	switch (e->kind) {
	case EFFECT_NONE:
		return WAY_GOES_ON;
	case EFFECT_BRANCH:
		return branch(k, w, e->offset);
	case EFFECT_MOVE_SP:
		w->sp += e->offset;
		w->has_freed |= e->offset > 0;
		return WAY_GOES_ON;
	case EFFECT_CONSTANT:
		w->constant_in = e->first;
		w->constant = e->offset;
		return WAY_GOES_ON;
	case EFFECT_FREE_SP:
		return move_sp(w, e->first, 1);
	case EFFECT_TAKE_SP:
		return move_sp(w, e->first, -1);
	case EFFECT_FP_FROM_SP:
		w->fp_is_set = true;
		w->fp = w->sp + e->offset;
		return WAY_GOES_ON;
	case EFFECT_SET_FP:
		w->fp_is_set = false;
		w->fp_is_lost = true;
		return WAY_GOES_ON;
	case EFFECT_SP_FROM_FP:
		return set_sp(w, e->offset);
	case EFFECT_STORE:
		return store(w, e);
	case EFFECT_LOAD:
		return load(w, e);
	case EFFECT_CALL:
		w->has_called = true;
		return w->has_lr ? WAY_IS_LOST : WAY_GOES_ON;
	case EFFECT_JUMP:
		return jump(k, w, e->offset);
	case EFFECT_JUMP_REGISTER:
		return w->has_freed && has_return_address(w) ? WAY_ENDS : WAY_IS_LOST;
	case EFFECT_STUB:
		return w->has_called ? WAY_IS_LOST : WAY_ENDS;
	case EFFECT_RETURN:
		return has_return_address(w) ? WAY_ENDS : WAY_IS_LOST;
	default:
		return WAY_IS_LOST;
	}
}

/* Follows @w to its end; false: it has none. */
static bool follow(struct walk *k, struct way *w)
{
	for (unsigned i = 0; i < WAY_MAX && k->left; i++, k->left--) {
		uint8_t code[AARCH64_INSTRUCTION_SIZE];
		struct aarch64_effect e;

		if (k->read(k->arg, w->addr, code, sizeof(code)) != sizeof(code))
			return false;
		e = aarch64_effect(aarch64_instruction(code));
		w->addr += AARCH64_INSTRUCTION_SIZE;
		switch (advance(k, w, &e)) {
		case WAY_ENDS:
			return true;
		case WAY_IS_LOST:
			return false;
		case WAY_GOES_ON:
			break;
		}
		if (w->sp > FRAME_MAX || w->sp < -FRAME_MAX)
			return false;
	}
	return false;
}

/* The frame at the beginning of @w, if what its end tells can be. */
static bool frame_of(const struct way *w, struct code_frame *ret)
{
	bool is_stub = w->sp < 0 && !w->has_lr && !w->sp_from_fp; /* has pushed something */

	if (w->fp_is_set || w->fp_is_lost)
		return false; /* it would not be the caller's again */
	if (w->sp < 0 && !is_stub && !w->sp_from_fp)
		return false;
	*ret = (struct code_frame){
		.has_cfa = true,
		.cfa_from_fp = w->sp_from_fp,
		.cfa_offset = is_stub ? 0 : w->sp,
		.ra_is_saved = w->has_lr && !w->stores_lr,
		.ra_offset = w->lr_at - w->sp,
		.fp_is_saved = w->has_fp && !w->stores_fp,
		.fp_offset = w->fp_at - w->sp,
	};
	return true;
}

bool aarch64_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret)
{
	struct walk k = { .read = read, .arg = arg, .left = ALL_MAX, .n = 1 };

	k.ways[0] = (struct way){ .addr = addr };
	while (k.n && k.left) {
		struct way w = k.ways[--k.n];

		if (follow(&k, &w) && frame_of(&w, ret))
			return true;
	}
	return false;
}
