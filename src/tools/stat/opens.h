/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * `perf stat -vv`: every attr that the kernel was given, and what came of it.
 */
#include <stdio.h>

struct opened_events;
struct task_list;

/* @tasks are those that were opened, empty for whole CPUs. */
void stat_opens_print(const struct opened_events *es, const struct task_list *tasks, FILE *out);
