/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Flame graphs into files, for the commands that draw them.
 */
#include <stdbool.h>
#include <stdint.h>

struct flamegraph_request;
struct invocation;

/* How it looks and where it goes. Texts are borrowed; NULL is the default. */
struct flamegraph_look {
	const char *output;  /* a path; "-": standard output. NULL: that, unless it is a terminal */
	const char *palette; /* a name that there is */
	const char *title, *subtitle, *count_name;
	uint64_t width; /* 0: the default */
	double min_percent, min_pixels;
	bool is_icicle;
	bool is_page; /* an HTML page and not an SVG */
	bool quiet;
};

/* Makes the graph of @rq and draws it. Returns the exit status. */
int flamegraph_draw(const struct invocation *inv, struct flamegraph_request *rq,
		    const struct flamegraph_look *look);
