/* SPDX-License-Identifier: MIT */
#pragma once
/* Writes flame graphs into files, for the commands that draw them. */
#include <stdbool.h>
#include <stdint.h>

struct flamegraph_request;
struct invocation;

/* The look of a flame graph and the place it goes to. Texts are borrowed; NULL is the default. */
struct flamegraph_look {
	/* a path; "-": standard output. NULL: standard output, unless it is a terminal */
	const char *output;
	const char *palette; /* the name of an existing palette */
	const char *title, *subtitle, *count_name;
	uint64_t width; /* 0: the default */
	double min_percent, min_pixels;
	bool is_icicle;
	bool is_page; /* draw an HTML page and not an SVG */
	bool quiet;
};

/* Makes the graph of @rq and draws it. Returns the exit status. */
int flamegraph_draw(const struct invocation *inv, struct flamegraph_request *rq,
		    const struct flamegraph_look *look);
