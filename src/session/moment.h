/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The moment from which something is valid: a time, and among equal times the order in which it was
 * applied. Time 0 is the beginning.
 */
#include <stdbool.h>
#include <stdint.h>

struct moment {
	uint64_t time;
	uint64_t turn; /* counts what was applied, from 1 */
};

/* Returns the moment after everything of @time. Lookups give only a time; 0 means the end. */
static inline struct moment moment_after(uint64_t time)
{
	return (struct moment){ .time = time ? time : UINT64_MAX, .turn = UINT64_MAX };
}

/* True if something that came at @a is already valid at @b. */
static inline bool moment_holds(struct moment a, struct moment b)
{
	return a.time < b.time || (a.time == b.time && a.turn <= b.turn);
}
