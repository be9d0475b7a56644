/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Chooses the wake-ups of a time chart that get an arrow: those after which the thread waited
 * longest for its CPU.
 */
#include <stddef.h>
#include <stdint.h>

struct chart;
struct chart_rows;

struct chart_wake {
	uint64_t time, wait_ns;
	uint32_t from, to; /* indices of rows */
};

/*
 * Finds at most @most of them, between rows that are drawn. The caller frees *@ret. Returns their
 * number. Wake-ups in folded pieces have no times and are not included.
 */
size_t chart_wakes(const struct chart *c, const struct chart_rows *rows, size_t most,
		   struct chart_wake **ret);
