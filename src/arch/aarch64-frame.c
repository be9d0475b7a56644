/* SPDX-License-Identifier: MIT */
/*
 * Conditional branches are not followed, because one path is enough. An instruction that is not
 * understood and could change the frame ends the search.
 */
#include "arch/aarch64-frame.h"

#include "arch/aarch64-effect.h"

#define LENGTH_MAX (CODE_FRAME_SIZE_MAX / AARCH64_INSTRUCTION_SIZE)

static uint32_t aarch64_frame_instruction_at(const uint8_t *code, size_t i)
{
	return aarch64_instruction(code + i * AARCH64_INSTRUCTION_SIZE);
}

static struct aarch64_effect effect_at(const uint8_t *code, size_t i)
{
	return aarch64_effect(aarch64_frame_instruction_at(code, i));
}

/* The frame on the path. Offsets are counted from the stack pointer (or x29) at its start. */
struct aarch64_frame_path {
	int32_t sp;
	bool sp_from_fp;     /* sp is counted from x29 */
	bool has_fp, has_lr; /* the places where they are saved are known */
	int32_t fp_at, lr_at;
	/* On the path from the entry: x29 is the function's own. */
	bool fp_is_set;
	int32_t fp;
	/*
	 * On the path to the exit: registers that are only now being stored are still unchanged;
	 * the frame has been freed.
	 */
	bool keeps_fp, keeps_lr, has_freed;
	bool is_large; /* sp is no longer known */
};

/* Notes the places at which @e stores or loads the frame's registers. */
static void note_places(struct aarch64_frame_path *p, const struct aarch64_effect *e)
{
	int32_t at = p->sp + e->before + e->offset;

	if (e->first == AARCH64_FP || e->second == AARCH64_FP) {
		p->has_fp = true;
		p->fp_at = e->first == AARCH64_FP ? at : at + 8;
	}
	if (e->first == AARCH64_LR || e->second == AARCH64_LR) {
		p->has_lr = true;
		p->lr_at = e->first == AARCH64_LR ? at : at + 8;
	}
}

/*
 * Marks a loaded register as the caller's again. (On another path, as in a loop, it may not be;
 * then it is still stored.)
 */
static void aarch64_frame_restore(struct aarch64_frame_path *p, const struct aarch64_effect *e)
{
	if (e->first == AARCH64_FP || e->second == AARCH64_FP)
		p->fp_is_set = p->has_fp = false;
	if (e->first == AARCH64_LR || e->second == AARCH64_LR)
		p->has_lr = false;
}

/* Follows one instruction from the entry on. False: it leaves the path, or is not understood. */
static bool aarch64_frame_enter(struct aarch64_frame_path *p, const struct aarch64_effect *e)
{
	switch (e->kind) {
	case EFFECT_NONE:
	case EFFECT_CONSTANT:
	case EFFECT_BRANCH:
		return true;
	case EFFECT_MOVE_SP:
		p->sp += e->offset;
		return true;
	case EFFECT_FP_FROM_SP:
		p->fp_is_set = true;
		p->fp = p->sp + e->offset;
		return true;
	case EFFECT_SP_FROM_FP:
		p->sp = p->fp + e->offset;
		return p->fp_is_set;
	case EFFECT_STORE:
		note_places(p, e);
		p->sp += e->before + e->after;
		return true;
	case EFFECT_LOAD:
		aarch64_frame_restore(p, e);
		p->sp += e->before + e->after;
		return true;
	default:
		return false; /* a call may not return to this path */
	}
}

bool aarch64_frame_from_entry(const uint8_t *code, size_t n, struct code_frame *ret)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE;
	struct aarch64_frame_path p = { 0 };

	if (instructions > LENGTH_MAX)
		return false;
	for (size_t i = 0; i < instructions; i++) {
		struct aarch64_effect e = effect_at(code, i);

		if (!aarch64_frame_enter(&p, &e))
			return false;
	}
	if (p.fp_is_set && !p.has_fp)
		return false;
	*ret = (struct code_frame){
		.has_cfa = true,
		.cfa_offset = -p.sp,
		.ra_is_saved = p.has_lr,
		.ra_offset = p.lr_at,
		.fp_is_saved = p.has_fp,
		.fp_offset = p.fp_at,
	};
	return true;
}

size_t aarch64_entry_reach(const uint8_t *code, size_t n)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE;
	/* With this, no instruction is rejected because of those before it. */
	struct aarch64_frame_path p = { 0 };

	for (size_t i = 0; i < instructions; i++) {
		struct aarch64_effect e = effect_at(code, i);

		p.fp_is_set = true;
		if (!aarch64_frame_enter(&p, &e))
			return i * AARCH64_INSTRUCTION_SIZE;
	}
	return n;
}

static void aarch64_frame_keep(struct aarch64_frame_path *p, const struct aarch64_effect *e)
{
	p->keeps_fp |= e->first == AARCH64_FP || e->second == AARCH64_FP;
	p->keeps_lr |= e->first == AARCH64_LR || e->second == AARCH64_LR;
}

/*
 * Follows one instruction on the path to the exit. False: it leaves the path, or is not understood.
 */
static bool aarch64_frame_leave(struct aarch64_frame_path *p, const struct aarch64_effect *e)
{
	switch (e->kind) {
	case EFFECT_NONE:
	case EFFECT_CONSTANT:
	case EFFECT_BRANCH:
		return true;
	case EFFECT_MOVE_SP:
		p->sp += e->offset;
		p->has_freed |= e->offset > 0;
		return true;
	case EFFECT_FREE_SP:
		p->is_large = p->has_freed = true;
		return !p->has_fp && !p->has_lr;
	case EFFECT_SP_FROM_FP:
		p->sp_from_fp = true;
		p->sp = e->offset;
		return !p->has_fp && !p->has_lr;
	case EFFECT_STORE:
		aarch64_frame_keep(p, e);
		p->sp += e->before + e->after;
		return true;
	case EFFECT_LOAD:
		note_places(p, e);
		p->sp += e->before + e->after;
		p->has_freed |= e->after > 0;
		return !p->is_large || (!p->has_fp && !p->has_lr);
	default:
		return false;
	}
}

/* True if the function ends with @e. A jump is a tail call only if the frame has been freed. */
static bool is_end(const struct aarch64_frame_path *p, enum aarch64_effect_kind e)
{
	bool is_jump = e == EFFECT_JUMP || e == EFFECT_JUMP_REGISTER || e == EFFECT_STUB;

	return e == EFFECT_RETURN || (is_jump && p->has_freed);
}

static struct code_frame before_exit(const struct aarch64_frame_path *p)
{
	return (struct code_frame){
		.has_cfa = !p->is_large,
		.cfa_from_fp = p->sp_from_fp,
		.cfa_offset = p->sp,
		.ra_is_saved = p->has_lr && !p->keeps_lr,
		.ra_offset = p->lr_at - p->sp,
		.fp_is_saved = p->has_fp && !p->keeps_fp,
		.fp_offset = p->fp_at - p->sp,
	};
}

bool aarch64_frame_from_exit(const uint8_t *code, size_t n, struct code_frame *ret)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE;
	struct aarch64_frame_path p = { 0 };

	for (size_t i = 0; i < instructions && i < LENGTH_MAX; i++) {
		struct aarch64_effect e = effect_at(code, i);

		if (is_end(&p, e.kind)) {
			*ret = before_exit(&p);
			return true;
		}
		/* In the prologue it is not known how much of the frame has already been built. */
		if (e.kind == EFFECT_FP_FROM_SP && !p.has_fp && !p.has_lr && !p.sp_from_fp) {
			*ret = (struct code_frame){ .is_being_built = true };
			return true;
		}
		if (!aarch64_frame_leave(&p, &e))
			return false;
	}
	return false;
}

/*
 * True if every path to the exit ends without an answer at an instruction like this. A jump ends
 * the function only after code that frees the frame.
 */
static bool ends_silently(enum aarch64_effect_kind kind, bool may_have_freed)
{
	switch (kind) {
	case EFFECT_UNKNOWN:
	case EFFECT_TAKE_SP:
	case EFFECT_SET_FP:
	case EFFECT_CALL:
		return true;
	case EFFECT_JUMP:
	case EFFECT_JUMP_REGISTER:
	case EFFECT_STUB:
		return !may_have_freed;
	default:
		return false;
	}
}

static bool aarch64_frame_is_idle(enum aarch64_effect_kind kind)
{
	return kind == EFFECT_NONE || kind == EFFECT_CONSTANT || kind == EFFECT_BRANCH;
}

/* True if an instruction like this never gives an answer and never prevents one. */
static bool is_passed(enum aarch64_effect_kind kind)
{
	return aarch64_frame_is_idle(kind) || kind == EFFECT_MOVE_SP || kind == EFFECT_STORE ||
	       kind == EFFECT_LOAD;
}

size_t aarch64_exit_silence(const uint8_t *code, size_t n)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE, i = 0;
	bool may_have_freed = false;

	while (i < instructions) {
		struct aarch64_effect e = effect_at(code, i);

		if (ends_silently(e.kind, may_have_freed))
			return (i + 1) * AARCH64_INSTRUCTION_SIZE;
		if (!is_passed(e.kind))
			break;
		may_have_freed |= e.kind == EFFECT_MOVE_SP || e.after > 0;
		i++;
	}
	/* An answer that is too far away does not count. */
	return i < LENGTH_MAX ? 0 : (i - LENGTH_MAX + 1) * AARCH64_INSTRUCTION_SIZE;
}

size_t aarch64_idle(const uint8_t *code, size_t n)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE, i = 0;

	while (i < instructions && aarch64_frame_is_idle(effect_at(code, i).kind))
		i++;
	return i * AARCH64_INSTRUCTION_SIZE;
}

enum callee_record aarch64_callee_record(const uint8_t *code, size_t n)
{
	size_t instructions = n / AARCH64_INSTRUCTION_SIZE;

	if (n > CALLEE_RECORD_SIZE)
		return aarch64_callee_record(code + n - CALLEE_RECORD_SIZE, CALLEE_RECORD_SIZE);
	if (instructions &&
	    aarch64_stores_callee_record(aarch64_frame_instruction_at(code, instructions - 1)))
		return CALLEE_RECORD_STORED;
	for (size_t i = 0; i + 1 < instructions; i++)
		if (aarch64_stores_callee_record(aarch64_frame_instruction_at(code, i)) &&
		    effect_at(code, i + 1).kind == EFFECT_FP_FROM_SP)
			return CALLEE_RECORD_IN_USE;
	return CALLEE_RECORD_NONE;
}
