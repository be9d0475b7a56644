/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Hot streams of two recordings side by side (tools/diff/streams-model.h), as text: first those
 * that both have, then those of the one and of the other alone.
 */
#include <stdbool.h>
#include <stdio.h>

struct frames;
struct streams;

struct streams_view {
	const struct frames *frames;
	bool full_source_paths;
	bool escape; /* the output is a terminal */
};

/* A negative errno if @out fails. */
int diff_streams_print(FILE *out, const struct streams_view *v, const struct streams *before,
		       const struct streams *after);
