/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of a line of folded stacks: `bash;main;read_command;__read 17`.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer lines are left out. */
#define FOLDED_LINE_MAX (1 << 20)

/*
 * Cuts the last word, if it is a count, and the blanks before it off the *@n characters at @s. One
 * with decimals is rounded. False: it is none, or nothing is left.
 */
bool folded_take_count(const char *s, size_t *n, uint64_t *ret);

/*
 * The next frame of what lies between *@at and @end, which moves behind it; frames without a name
 * are passed over. NULL: there are no more.
 */
const char *folded_next_frame(const char **at, const char *end, size_t *ret_length);
