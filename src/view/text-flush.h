/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Collects text and writes it to a stream in large pieces, because a call for each line would cost
 * more than making it.
 */
#include <stdbool.h>
#include <stdio.h>

struct text;

/*
 * Writes @t to @out and empties it, if it is a large piece or if @all. Returns -errno on failure.
 */
int text_flush(struct text *t, FILE *out, bool all);
