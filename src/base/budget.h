/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What reading an input may cost, in a unit that its owner chooses: bytes of sections, steps.
 *
 * Work that is linear in the bytes it consumes needs no budget. Work does that looks at the same
 * bytes again and again: sections that overlap, a list that is walked for each entry of another
 * one. A budget is a multiple of the input's size above a floor, so that no honest input meets it.
 * Who would exceed it leaves out what asked for it, and says so.
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
