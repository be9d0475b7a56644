/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Draws time charts: a picture in SVG, and the data from which its script and that of HTML pages
 * (view/picture/timechart.js) draw the chart at any scale. docs/format/timechart.md
 * describes the data.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct chart;
struct chart_rows;
struct chart_stacks;
struct text;

struct timechart_picture {
	const struct chart *chart; /* a finished chart */
	const struct chart_rows *rows;
	const struct chart_stacks *stacks; /* NULL: none were recorded */
	const uint32_t *cpus;              /* indices in chart.cpus, in order */
	bool with_cpus, with_tasks;
	unsigned width;        /* in pixels */
	const char *highlight; /* the name of threads to mark; NULL: none */
	uint64_t highlight_ns; /* runs of at least this duration are marked; 0: none */
	const char *title;
};

/* Writes the picture. Returns 0, or the -errno of @out. */
int timechart_svg_print(const struct timechart_picture *p, FILE *out);

/* Appends the data, a JSON object. */
void timechart_data_add(struct text *t, const struct timechart_picture *p);
