/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks that the processor keeps itself: `record --call-graph lbr`.
 *
 * The branch records hold the calls that have not returned yet, newest first, so their sources are
 * the callers and the target of the newest is the function that runs. They cover user code only:
 * the kernel's part of the stack still comes from the chain. The hardware holds few of them (8 to
 * 32) and forgets the outermost calls of deep stacks.
 */
#include <stdbool.h>
#include <stddef.h>

struct attr;
struct call_chain;
struct sample;

/* True if the branches of @attr's samples are their stacks. */
bool call_chain_is_lbr(const struct attr *attr);

/*
 * Puts the kernel's part of the chain and the calls of @sample into @c, innermost first. Returns
 * false if it has no calls, or if the first @max entries of its chain are all the kernel's; @c is
 * untouched then.
 */
bool call_chain_take_lbr(struct call_chain *c, const struct sample *sample, size_t max);
