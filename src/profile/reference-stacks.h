/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Keeps the last stack of each thread, for events that were recorded without stacks:
 * --show-ref-call-graph.
 *
 * If one event samples stacks and the others do not, to be cheap, consecutive samples of a thread
 * are near one another. So the last stack is used for the next samples too.
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
