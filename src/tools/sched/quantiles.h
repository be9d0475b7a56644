/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How the times of tasks spread: for every command that shows tables of them.
 */
#include <stdbool.h>

#include "cli/option.h"

struct quantiles_opts {
	bool quantiles;
	bool histogram; /* with quantiles, too */
};

/* Rows over a struct quantiles_opts. */
extern const struct option quantiles_options[];

bool quantiles_wanted(const struct quantiles_opts *o);
