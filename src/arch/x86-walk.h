/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The frame of x86_64 code without CFI (hand-written functions, libraries that were compiled
 * without it), found by following the code until it returns: how far rsp moves until then tells
 * where the return address is, and where rbp is popped from is where it was saved.
 *
 * Calls are skipped, jumps followed, and both sides of conditional branches tried until one leads
 * to a return. A path behind a call that does not return runs into the next function and may tell
 * anything: the caller checks that what is found lies behind a call.
 */
#include "arch/code-frame.h"

/* struct arch_convention.frame_by_walk */
bool x86_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret);
