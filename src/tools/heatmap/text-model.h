/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Parses the points of a heat map from text: a line for each point, with a time and a value.
 *
 *	1203.250 87
 *	# a comment
 *	1203.300, 90
 *
 * Bytes come in pieces of any size, and are not trusted. Other lines are counted, and the first of
 * them is kept for a message.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A longer line is not a point. */
#define HEAT_LINE_MAX 256

struct heat_text {
	uint64_t time_unit_ns;  /* the length of a time of 1 in nanoseconds: 1000 for us */
	uint64_t value_unit_ns; /* likewise for a value; 1 also for plain numbers */
	void (*point)(void *arg, uint64_t time_ns, uint64_t value);
	void *arg;

	/* The results: */
	uint64_t n_lines, n_bad;
	uint64_t first_bad; /* the number of the line, from 1; 0: no bad line */
	char bad[HEAT_LINE_MAX];

	/* private: */
	char line[HEAT_LINE_MAX];
	size_t length; /* HEAT_LINE_MAX: the line is too long, its rest is skipped */
};

/* Takes the next bytes. */
void heat_text_take(struct heat_text *t, const char *bytes, size_t n);

/* Ends the input. Takes a last line that has no newline. */
void heat_text_end(struct heat_text *t);
