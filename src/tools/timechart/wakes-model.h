/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The wake-ups of a time chart that are worth an arrow: those after which the thread waited longest
 * for its CPU.
 */
#include <stddef.h>
#include <stdint.h>

struct chart;
struct chart_rows;

struct chart_wake {
	uint64_t time, wait_ns;
	uint32_t from, to; /* rows */
};

/*
 * At most @most of them, between rows that are drawn. The caller frees *@ret; returns how many. In
 * folded pieces wake-ups have no times, and none is taken.
 */
size_t chart_wakes(const struct chart *c, const struct chart_rows *rows, size_t most,
		   struct chart_wake **ret);
