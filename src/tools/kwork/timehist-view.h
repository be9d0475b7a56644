/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf kwork timehist`: a line for each run of work of the kernel, in the layout of Linux's perf;
 * on terminals that are too narrow for it in one of 80 columns.
 */
#include <stdbool.h>
#include <stdio.h>

struct kwork_run;
struct text;

/* Whether lines of the usual layout are longer than @columns; 0: they have any length. */
bool kwork_timehist_is_narrow(unsigned columns);

void kwork_timehist_heads(bool narrow, FILE *out);

/* Appends the line of @run to @t. */
void kwork_timehist_add(struct text *t, bool narrow, const struct kwork_run *run);
