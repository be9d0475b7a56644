/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The budget for reading an input, in a unit that its owner chooses: bytes of sections, steps.
 *
 * A parser whose work is linear in the bytes it consumes needs no budget. A parser that can be made
 * to read the same bytes again does: by sections that overlap, or by a list that is walked once for
 * each entry of another list. A budget is a multiple of the input's size plus a minimum, so that no
 * honest input exceeds it. A parser that would exceed its budget leaves out the data in question
 * and reports this.
 */
#include <stdbool.h>
#include <stdint.h>

struct budget {
	uint64_t left;
};

/*
 * Adds @per_byte for each of the @size bytes of input. The budget saturates at the largest number.
 */
void budget_add(struct budget *b, uint64_t size, uint64_t per_byte);

/* Takes @cost out of the budget. False: less than @cost is left, and nothing is taken. */
bool budget_take(struct budget *b, uint64_t cost);
