/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Over what counts are summed up.
 */
#include <stdbool.h>

#include "count/stat.h"

struct aggregate_request {
	bool given; /* otherwise one sum; of a file, as it was recorded */
	enum stat_aggregation over;
	unsigned cache_level; /* of STAT_CACHE; 0: the last */
};
