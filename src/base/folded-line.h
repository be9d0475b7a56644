/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of a line of folded stacks: `bash;main;read_command;__read 17`.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer lines are skipped. */
#define FOLDED_LINE_MAX (1 << 20)

/*
 * Cuts the last word, if it is a count, and the blanks before it off the *@n characters at @s. A
 * count with decimals is rounded. False: the last word is no count, or nothing is left.
 */
bool folded_take_count(const char *s, size_t *n, uint64_t *ret);

/*
 * Returns the next frame between *@at and @end, and moves *@at past it. Frames without a name are
 * skipped. NULL: there are no more.
 */
const char *folded_next_frame(const char **at, const char *end, size_t *ret_length);
