/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Calls that the processor had forgotten, from the samples before: --stitch-lbr.
 *
 * Each call lies in a numbered register of the hardware, and a sample tells in which the newest
 * does. If the outermost call that a sample has is still in the register where an earlier sample of
 * the same thread had the same call, then what that one had further out is further out here, too.
 * Calls that return by other ways (exceptions, longjmp) may deceive it.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct call_chain;
struct features;
struct lbr_stitch;
struct sample;

/* How many registers the hardware has, as the recording tells; 0: it does not. */
uint64_t lbr_registers(const struct features *f);

/* @n_registers is not 0. */
struct lbr_stitch *lbr_stitch_new(uint64_t n_registers);
void lbr_stitch_free(struct lbr_stitch *l);
DEFINE_FREEP(lbr_stitch)

/*
 * Appends to @c, the stack of @sample, what was further out. Samples of a thread come in the order
 * of time. A sample without branches, or with other than calls, is the end of what was known.
 */
void lbr_stitch_extend(struct lbr_stitch *l, const struct sample *sample, struct call_chain *c);
