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
#include <stdbool.h>
#include <stdint.h>

struct aarch64_frame;

/* The instruction at @addr; false: there is none. */
typedef bool aarch64_fetch_fn(void *arg, uint64_t addr, uint32_t *ret);

/* The frame when the instruction at @addr is about to run. False: the code does not tell. */
bool aarch64_frame_by_walk(aarch64_fetch_fn *fetch, void *arg, uint64_t addr,
			   struct aarch64_frame *ret);
