/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints a live profile as text: a line about the samples, and the rows with the most weight.
 *
 *	   PerfTop:    8185 irqs/sec  kernel:38.6%  exact:  0.0% lost: 0/0 drop: 0/0 [...
 *	-------------------------------------------------------------------------------
 *
 *	     4.74%  libc.so.6   [.] malloc
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct report_view;

struct top_head {
	double rate; /* samples per second */
	double kernel_percent, exact_percent;
	uint64_t lost, new_lost, dropped, new_dropped;
	const char *event;
	uint64_t frequency, period; /* those of the only event; both 0: several events */
	const char *target;         /* "all, 2 CPUs" */
};

struct top_page {
	struct top_head head;
	const struct report_view *rows; /* quiet, with one block */
	const char *code;               /* lines to print in place of rows; NULL: print rows */
	/* the width of the line below the head; lines are cut to it */
	unsigned width;
	bool cuts;
	size_t max_lines; /* below the head; 0: all */
};

/* Prints one page. Returns a negative errno if @out fails. */
int top_page_print(FILE *out, const struct top_page *p);
