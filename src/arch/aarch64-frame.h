/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * struct code_frames of aarch64 (arch/code-frame.h): finds a frame from the code before or after an
 * instruction. One path through the code is enough, because the frame is the same on every path to
 * an instruction.
 */
#include "arch/code-frame.h"

bool aarch64_frame_from_entry(const uint8_t *code, size_t n, struct code_frame *ret);
bool aarch64_frame_from_exit(const uint8_t *code, size_t n, struct code_frame *ret);
size_t aarch64_entry_reach(const uint8_t *code, size_t n);
size_t aarch64_exit_silence(const uint8_t *code, size_t n);
size_t aarch64_idle(const uint8_t *code, size_t n);

/*
 * Finds the frame record that Go makes below its stack pointer for functions that have none of
 * their own:
 *
 *	stp x29, x27, [sp, #-24]
 *	sub x29, sp, #24
 *	bl runtime.duffzero
 *	sub x29, sp, #8
 */
enum callee_record aarch64_callee_record(const uint8_t *code, size_t n);
