/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The effect of an aarch64 instruction on the frame of its function (on sp, x29 and x30) and on the
 * control flow. Pure functions that look at one instruction at a time.
 */
#include <stdbool.h>
#include <stdint.h>

#define AARCH64_FP 29
#define AARCH64_LR 30
#define AARCH64_SP 31

#define AARCH64_INSTRUCTION_SIZE 4

enum aarch64_effect_kind {
	EFFECT_NONE,
	EFFECT_UNKNOWN,
	EFFECT_MOVE_SP,    /* sp += offset */
	EFFECT_FREE_SP,    /* sp += register first; frees a large frame */
	EFFECT_TAKE_SP,    /* sp -= register first */
	EFFECT_CONSTANT,   /* register first = offset */
	EFFECT_SP_FROM_FP, /* sp = x29 + offset */
	EFFECT_FP_FROM_SP, /* x29 = sp + offset */
	EFFECT_SET_FP,     /* x29 = something else */
	EFFECT_STORE,      /* registers to memory at sp + offset */
	EFFECT_LOAD,
	EFFECT_CALL,
	EFFECT_RETURN,
	EFFECT_BRANCH,        /* conditional, by offset */
	EFFECT_JUMP,          /* by offset */
	EFFECT_JUMP_REGISTER, /* BR */
	EFFECT_STUB,          /* BR X17, which ends a stub */
};

struct aarch64_effect {
	enum aarch64_effect_kind kind;
	int32_t offset;
	int32_t before, after; /* change of sp by STORE and LOAD (pre-index, post-index) */
	uint8_t first,
		second; /* registers; in STORE and LOAD, AARCH64_SP means an irrelevant one */
};

/* Returns the instruction at @code. Instructions are little-endian, even where data is not. */
uint32_t aarch64_instruction(const uint8_t *code);

struct aarch64_effect aarch64_effect(uint32_t instruction);

/*
 * True for STP X29, Xn, [SP, #-n], where Xn is not X30: it stores a record for a function that is
 * about to be called.
 */
bool aarch64_stores_callee_record(uint32_t instruction);
