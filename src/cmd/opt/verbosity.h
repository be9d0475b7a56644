/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * -v and -q, as most commands have them.
 */
#include <stdbool.h>

#include "cli/option.h"

struct verbosity_opts {
	unsigned verbose; /* how often -v was given */
	bool quiet;
};

/* Rows over a struct verbosity_opts. */
extern const struct option verbosity_options[];
