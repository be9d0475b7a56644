/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Prints hot streams of two recordings side by side (tools/diff/streams-model.h): first those that
 * both have, then those of each recording alone.
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

/* Prints the streams. Returns a negative errno if @out fails. */
int diff_streams_print(FILE *out, const struct streams_view *v, const struct streams *before,
		       const struct streams *after);
