/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the frame of x86_64 code without CFI (hand-written functions, libraries that were compiled
 * without it) by following the code until it returns. The distance by which rsp moves until then
 * gives the place of the return address, and the place from which rbp is popped is where it was
 * saved.
 *
 * Calls are skipped and jumps are followed. Both sides of conditional branches are tried until one
 * leads to a return. A path after a call that does not return runs into the next function and may
 * give any result, so the caller checks that the address found follows a call.
 */
#include "arch/code-frame.h"

/* struct arch_convention.frame_by_walk */
bool x86_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret);
