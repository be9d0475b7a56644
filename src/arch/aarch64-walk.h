/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The frame of aarch64 code that has no CFI, as hand-written functions and libraries that were
 * compiled without: found by following the code until it returns. What it loads into x29 and x30
 * before is what was saved, and how far sp moves tells the CFA.
 *
 * Calls are passed over, jumps followed, and of conditional branches both ways tried until one
 * leads to a return. A way that contradicts itself leads into another function, as behind a call
 * that does not return, and does not count.
 */
#include "arch/code-frame.h"

/* struct code_frames.by_walk */
bool aarch64_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret);
