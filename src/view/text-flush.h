/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Text that is gathered and goes to a stream in large pieces: a call for each line would cost more
 * than making it.
 */
#include <stdbool.h>
#include <stdio.h>

struct text;

/* Writes @t to @out and empties it, if it is a large piece or @all. -errno if that fails. */
int text_flush(struct text *t, FILE *out, bool all);
