/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The points of a heat map as text: a line for each, with a time and a value.
 *
 *	1203.250 87
 *	# a comment
 *	1203.300, 90
 *
 * Bytes come in pieces of any size, and are hostile. Lines that are something else are counted, and
 * the first of them is kept for a message.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer lines are none of ours. */
#define HEAT_LINE_MAX 256

struct heat_text {
	uint64_t time_unit_ns;  /* what a time of 1 is, in nanoseconds: 1000 if it is in us */
	uint64_t value_unit_ns; /* the same of a value; 1 also for plain numbers */
	void (*point)(void *arg, uint64_t time_ns, uint64_t value);
	void *arg;

	/* What was found: */
	uint64_t n_lines, n_bad;
	uint64_t first_bad; /* the number of the line, from 1; 0: there is none */
	char bad[HEAT_LINE_MAX];

	/* private: */
	char line[HEAT_LINE_MAX];
	size_t length; /* HEAT_LINE_MAX: the line is too long, its rest is passed over */
};

/* Takes the next bytes. */
void heat_text_take(struct heat_text *t, const char *bytes, size_t n);

/* The input has ended: takes a last line without its newline. */
void heat_text_end(struct heat_text *t);
