/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The frame of aarch64 code without CFI (hand-written functions, libraries that were compiled
 * without it), found by following the code until it returns. Where it loads x29 and x30 from is
 * where they were saved, and how far sp moves tells the CFA.
 *
 * Calls are skipped, jumps followed, and both sides of conditional branches tried until one leads
 * to a return. A path that contradicts itself has run into another function, as behind a call that
 * does not return, and is ignored.
 */
#include "arch/code-frame.h"

/* struct arch_convention.frame_by_walk */
bool aarch64_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret);
