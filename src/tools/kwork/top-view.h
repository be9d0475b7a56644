/* SPDX-License-Identifier: MIT */
#pragma once
/* `perf kwork top`: prints the use of the CPUs' time, in the layout of Linux's perf 7.2. */
struct kwork_usage_rows;
struct text;

/* Appends at most @max_tasks rows of tasks below the CPUs. */
void kwork_top_add(struct text *t, const struct kwork_usage_rows *r, unsigned long max_tasks);
