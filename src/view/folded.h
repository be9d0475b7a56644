/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints stacks as lines of text: `bash;main;read 17`, in the order of their bytes. */
#include <stdio.h>

struct flame;

/*
 * Prints a line for each stack of @f that has weight of its own. Names must be in the form of
 * profile/folded.h. Returns a negative errno if @out fails.
 */
int folded_print(const struct flame *f, FILE *out);
