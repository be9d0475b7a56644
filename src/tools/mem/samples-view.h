/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints accesses to memory, a line for each sample: `perf mem report -D`.
 *
 *	# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, SYMBOL
 *	10 10 0x400217 0x401370 17 0x1e05080021 /usr/bin/prog:main
 */
#include <stdbool.h>
#include <stdio.h>

struct location;
struct sample;

struct memory_samples_view {
	const char *separator;
	bool phys_data, data_page_size;
};

void memory_samples_title(const struct memory_samples_view *v, FILE *out);

/* Prints the line of @s, whose instruction lies at @at. */
void memory_sample_print(const struct memory_samples_view *v, const struct sample *s,
			 const struct location *at, FILE *out);
