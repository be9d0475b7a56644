/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the tables of `perf sched queue`: lengths of run queues. */
#include <stdbool.h>
#include <stdio.h>

struct cpu_list;
struct sched_queue;

struct queue_style {
	const struct cpu_list *cpus; /* only these, and the whole machine; empty: all */
	bool intervals;              /* print a line for each interval, not the strips */
};

void queue_print(FILE *out, const struct sched_queue *q, const struct queue_style *style);
void queue_print_json(FILE *out, const struct sched_queue *q, const struct queue_style *style);
