/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf kwork timehist`: prints a line for each run of the kernel's work, in the layout of Linux's
 * perf, or, on terminals that are too narrow for it, in a layout of 80 columns.
 */
#include <stdbool.h>
#include <stdio.h>

struct kwork_run;
struct text;

/* True if lines of the usual layout are longer than @columns. 0: lines have any length. */
bool kwork_timehist_is_narrow(unsigned columns);

void kwork_timehist_heads(bool narrow, FILE *out);

/* Appends the line of @run to @t. */
void kwork_timehist_add(struct text *t, bool narrow, const struct kwork_run *run);
