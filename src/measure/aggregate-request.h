/* SPDX-License-Identifier: MIT */
#pragma once
/* The unit over which counts are summed up. */
#include <stdbool.h>

#include "count/stat.h"

struct aggregate_request {
	bool given; /* if not set: one sum, or for a file, as it was recorded */
	enum stat_aggregation over;
	unsigned cache_level; /* for STAT_CACHE; 0: the last */
};
