/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the instructions of a function tell about its frame, where CFI does not, or is not exact:
 * compilers say late or never that a frame is being built or taken down, clang before version 15
 * only that it stands; and the linker's call stubs have no CFI at all.
 *
 * One way through the code tells, as the frame is the same on every way to an instruction.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind/aarch64-effect.h"

/* More instructions than this on the way into or out of a function are not looked at. */
#define AARCH64_WAY_MAX 64

/* The frame of the code when an instruction is about to run. */
struct aarch64_frame {
	bool has_cfa;        /* else what follows is all that is known */
	bool cfa_from_fp;    /* the CFA is counted from x29, not from sp */
	bool ra_is_saved;    /* else the return address is in x30 */
	bool fp_is_saved;    /* else x29 is the caller's */
	bool is_being_built; /* x29 is about to be set: registers are not saved, or just were */
	int32_t cfa_offset;
	int32_t ra_offset, fp_offset; /* from the CFA, if saved */
};

/*
 * The frame at instruction @at of the function that begins at @code, and has nothing of its own on
 * the stack then: from what ran before. False: the code does not tell.
 */
bool aarch64_frame_from_entry(const uint8_t *code, size_t at, struct aarch64_frame *ret);

/*
 * The frame at the first of the @n instructions at @code: from what is about to run until the
 * function returns. False: the code does not tell.
 */
bool aarch64_frame_from_exit(const uint8_t *code, size_t n, struct aarch64_frame *ret);

/*
 * Go makes a frame record below its stack pointer for functions that have none of their own:
 *
 *	stp x29, x27, [sp, #-24]
 *	sub x29, sp, #24
 *	bl runtime.duffzero
 *	sub x29, sp, #8
 */
enum aarch64_callee_record {
	CALLEE_RECORD_NONE,
	CALLEE_RECORD_STORED, /* x29 is still the function's own */
	CALLEE_RECORD_IN_USE, /* x29 points to it */
};

/* How far that has come behind the @n instructions at @code. */
enum aarch64_callee_record aarch64_callee_record(const uint8_t *code, size_t n);

/* As many instructions as it takes to tell. */
#define AARCH64_CALLEE_RECORD_SIZE 3
