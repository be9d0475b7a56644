/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf kwork timehist`: a line for each run of work of the kernel, in the layout of Linux's perf.
 */
#include <stdio.h>

struct kwork_run;
struct text;

void kwork_timehist_heads(FILE *out);

/* Appends the line of @run to @t. */
void kwork_timehist_add(struct text *t, const struct kwork_run *run);
