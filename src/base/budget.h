/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What reading an input may cost, in a unit that its owner chooses: bytes of sections, steps.
 *
 * A parser whose work is linear in the bytes it consumes needs no budget. One that can be sent to
 * the same bytes again does: by sections that overlap, or by a list that is walked once for each
 * entry of another list. A budget is a multiple of the input's size above a floor, so that no
 * honest input meets it. A parser that would exceed it leaves out what asked for it, and says so.
 */
#include <stdbool.h>
#include <stdint.h>

struct budget {
	uint64_t left;
};

/* Adds @per_byte for each of the @size bytes of input; stays at the largest number. */
void budget_add(struct budget *b, uint64_t size, uint64_t per_byte);

/* Takes @cost out of the budget. False: less is left; then nothing is taken. */
bool budget_take(struct budget *b, uint64_t cost);
