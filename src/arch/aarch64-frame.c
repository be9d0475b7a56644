/* SPDX-License-Identifier: MIT */
/*
 * Conditional branches are never taken, as one way is enough; what is not understood and could
 * touch the frame ends it.
 */
#include "arch/aarch64-frame.h"

#include "arch/aarch64-effect.h"

#define WAY_MAX (CODE_FRAME_SIZE_MAX / AARCH64_INSTRUCTION_SIZE)

static uint32_t instruction_at(const uint8_t *code, size_t i)
{
	return aarch64_instruction(code + i * AARCH64_INSTRUCTION_SIZE);
}

static struct aarch64_effect effect_at(const uint8_t *code, size_t i)
{
	return aarch64_effect(instruction_at(code, i));
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
static void note_places(struct way *w, const struct aarch64_effect *e)
{
	int32_t at = w->sp + e->before + e->offset;

	if (e->first == AARCH64_FP || e->second == AARCH64_FP) {
		w->has_fp = true;
		w->fp_at = e->first == AARCH64_FP ? at : at + 8;
	}
	if (e->first == AARCH64_LR || e->second == AARCH64_LR) {
		w->has_lr = true;
		w->lr_at = e->first == AARCH64_LR ? at : at + 8;
	}
}

/*
 * What was loaded is the caller's again. What is stored stays so, whatever happens to its register
 * on other ways, as in a loop.
 */
static void restore(struct way *w, const struct aarch64_effect *e)
{
	if (e->first == AARCH64_FP || e->second == AARCH64_FP)
		w->fp_is_set = w->has_fp = false;
	if (e->first == AARCH64_LR || e->second == AARCH64_LR)
		w->has_lr = false;
}

/* One instruction on the way in. False: it leads elsewhere, or nobody knows. */
static bool enter(struct way *w, const struct aarch64_effect *e)
{
	switch (e->kind) {
	case EFFECT_NONE:
	case EFFECT_CONSTANT:
	case EFFECT_BRANCH:
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

bool aarch64_frame_from_entry(const uint8_t *code, size_t n, struct code_frame *ret)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE;
	struct way w = { 0 };

	if (instructions > WAY_MAX)
		return false;
	for (size_t i = 0; i < instructions; i++) {
		struct aarch64_effect e = effect_at(code, i);

		if (!enter(&w, &e))
			return false;
	}
	if (w.fp_is_set && !w.has_fp)
		return false;
	*ret = (struct code_frame){
		.has_cfa = true,
		.cfa_offset = -w.sp,
		.ra_is_saved = w.has_lr,
		.ra_offset = w.lr_at,
		.fp_is_saved = w.has_fp,
		.fp_offset = w.fp_at,
	};
	return true;
}

static void keep(struct way *w, const struct aarch64_effect *e)
{
	w->keeps_fp |= e->first == AARCH64_FP || e->second == AARCH64_FP;
	w->keeps_lr |= e->first == AARCH64_LR || e->second == AARCH64_LR;
}

/* One instruction on the way out. False: it leads elsewhere, or nobody knows. */
static bool leave(struct way *w, const struct aarch64_effect *e)
{
	switch (e->kind) {
	case EFFECT_NONE:
	case EFFECT_CONSTANT:
	case EFFECT_BRANCH:
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
static bool is_end(const struct way *w, enum aarch64_effect_kind e)
{
	bool is_jump = e == EFFECT_JUMP || e == EFFECT_JUMP_REGISTER || e == EFFECT_STUB;

	return e == EFFECT_RETURN || (is_jump && w->has_freed);
}

static struct code_frame before_exit(const struct way *w)
{
	return (struct code_frame){
		.has_cfa = !w->is_large,
		.cfa_from_fp = w->sp_from_fp,
		.cfa_offset = w->sp,
		.ra_is_saved = w->has_lr && !w->keeps_lr,
		.ra_offset = w->lr_at - w->sp,
		.fp_is_saved = w->has_fp && !w->keeps_fp,
		.fp_offset = w->fp_at - w->sp,
	};
}

bool aarch64_frame_from_exit(const uint8_t *code, size_t n, struct code_frame *ret)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE;
	struct way w = { 0 };

	for (size_t i = 0; i < instructions && i < WAY_MAX; i++) {
		struct aarch64_effect e = effect_at(code, i);

		if (is_end(&w, e.kind)) {
			*ret = before_exit(&w);
			return true;
		}
		/* The frame is still being built, and how much of it stands is not known. */
		if (e.kind == EFFECT_FP_FROM_SP && !w.has_fp && !w.has_lr && !w.sp_from_fp) {
			*ret = (struct code_frame){ .is_being_built = true };
			return true;
		}
		if (!leave(&w, &e))
			return false;
	}
	return false;
}

enum callee_record aarch64_callee_record(const uint8_t *code, size_t n)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE;

	if (n > CALLEE_RECORD_SIZE)
		return aarch64_callee_record(code + n - CALLEE_RECORD_SIZE, CALLEE_RECORD_SIZE);
	if (instructions && aarch64_stores_callee_record(instruction_at(code, instructions - 1)))
		return CALLEE_RECORD_STORED;
	for (size_t i = 0; i + 1 < instructions; i++)
		if (aarch64_stores_callee_record(instruction_at(code, i)) &&
		    effect_at(code, i + 1).kind == EFFECT_FP_FROM_SP)
			return CALLEE_RECORD_IN_USE;
	return CALLEE_RECORD_NONE;
}
