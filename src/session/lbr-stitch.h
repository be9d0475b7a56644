/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Restores calls that the processor had dropped, from earlier samples: --stitch-lbr.
 *
 * Each call is in a numbered register of the hardware, and a sample gives the register of the
 * newest. If the outermost call of a sample is in the same register as the same call of an earlier
 * sample of the thread, then the calls further out in the earlier sample are further out in this
 * one too. Calls that do not return normally (exceptions, longjmp) can lead to wrong results.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct call_chain;
struct features;
struct lbr_stitch;
struct sample;

/* Returns how many registers the hardware has, if the recording states it; otherwise 0. */
uint64_t lbr_registers(const struct features *f);

/* Makes the state; @n_registers is not 0. */
struct lbr_stitch *lbr_stitch_new(uint64_t n_registers);
void lbr_stitch_free(struct lbr_stitch *l);
DEFINE_FREEP(lbr_stitch)

/*
 * Appends the calls further out to @c, the stack of @sample. Samples of a thread must come in order
 * of time. A sample without branches, or with branches that are not calls, discards the known
 * calls.
 */
void lbr_stitch_extend(struct lbr_stitch *l, const struct sample *sample, struct call_chain *c);
