/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * When something came to hold: at a time, and among equal times in the order of being applied.
 * Time 0 is the beginning.
 */
#include <stdbool.h>
#include <stdint.h>

struct moment {
	uint64_t time;
	uint64_t turn; /* counts what was applied, from 1 */
};

/* After everything of @time. Questions give a time only; 0 asks for the end. */
static inline struct moment moment_after(uint64_t time)
{
	return (struct moment){ .time = time ? time : UINT64_MAX, .turn = UINT64_MAX };
}

/* Whether what came at @a already holds at @b. */
static inline bool moment_holds(struct moment a, struct moment b)
{
	return a.time < b.time || (a.time == b.time && a.turn <= b.turn);
}
