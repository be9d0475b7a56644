/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the table of `perf iostat`: the megabytes that went through each root port. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

#define IOSTAT_COLUMNS 4

struct iostat_line {
	char port[16]; /* "0000:17" */
	bool is_counted[IOSTAT_COLUMNS];
	double mb[IOSTAT_COLUMNS];
};

struct iostat_head {
	bool interval; /* one of several intervals; it ends at @time_ns */
	bool first;    /* the first interval, which has the heading */
	uint64_t time_ns;
	double elapsed_s;
};

void iostat_add_table(struct text *t, const struct iostat_head *h, const struct iostat_line *lines,
		      size_t n);
