/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The last stack of each thread, for events that were recorded without: --show-ref-call-graph.
 *
 * Where one event samples stacks and the others do not, to be cheap, samples that follow one
 * another in a thread are near one another: the last stack stands for the next samples, too.
 */
#include <stdint.h>

#include "base/cleanup.h"

struct call_chain;
struct reference_stacks;

struct reference_stacks *reference_stacks_new(void);
void reference_stacks_free(struct reference_stacks *r);
DEFINE_FREEP(reference_stacks)

/* Copies @c as the last stack of @tid. */
void reference_stacks_keep(struct reference_stacks *r, uint32_t tid, const struct call_chain *c);

/* Makes @c a copy of the last stack of @tid; empty if there is none. */
void reference_stacks_get(const struct reference_stacks *r, uint32_t tid, struct call_chain *c);
