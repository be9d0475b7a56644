/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What did not change between two profiles: the factor by which most of their rows differ.
 *
 * Shares of a whole say nothing about the rest when one row changes. Most functions do not change
 * from one profile to the next, so the median of the ratios of all rows is that of an unchanged
 * one. Rows with little weight would only add noise.
 */
#include <stdbool.h>
#include <stddef.h>

struct rest_scale {
	double *items; /* ratios */
	size_t n, room;
};

/* One row: @before and @after are its shares in percent, or both in any other unit. */
void rest_scale_add(struct rest_scale *s, double before, double after, double total_before,
		    double total_after);

/* The median; false: too few rows are in both profiles to tell. Changes the order of the ratios. */
bool rest_scale_find(struct rest_scale *s, double *ret);

void rest_scale_done(struct rest_scale *s);
