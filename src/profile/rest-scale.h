/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the unchanged part of two profiles: the factor by which most of their rows differ.
 *
 * If one row changes, shares of a whole say nothing about the rest. Most functions do not change
 * from one profile to the next, so the median of the ratios of all rows is that of an unchanged
 * row. Rows with little weight would only add noise.
 */
#include <stdbool.h>
#include <stddef.h>

struct rest_scale {
	double *items; /* the ratios of the rows */
	size_t n, room;
};

/* Adds one row: @before and @after are its shares in percent, or both in any other unit. */
void rest_scale_add(struct rest_scale *s, double before, double after, double total_before,
		    double total_after);

/* Finds the median. False: too few rows are in both profiles. Changes the order of the ratios. */
bool rest_scale_find(struct rest_scale *s, double *ret);

void rest_scale_done(struct rest_scale *s);
