/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the frame of aarch64 code without CFI (hand-written functions, libraries that were compiled
 * without it) by following the code until it returns. The places from which the code loads x29 and
 * x30 are those where they were saved, and the distance by which sp moves gives the CFA.
 *
 * Calls are skipped and jumps are followed. Both sides of conditional branches are tried until one
 * leads to a return. A path that contradicts itself has run into another function, for example
 * after a call that does not return, and is ignored.
 */
#include "arch/code-frame.h"

/* struct arch_convention.frame_by_walk */
bool aarch64_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret);
