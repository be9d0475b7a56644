/* SPDX-License-Identifier: MIT */
#pragma once
/* What both sides of bpf/sample-filter.h see. */
#include <linux/types.h>

#include "event/data-filter-types.h"

struct sample_filter_constants {
	__u32 is_x86;
	/* The filter is looked for in the maps `events` and `filters`, as several use the program.
	 */
	__u32 is_shared;
	struct data_filter_items filter;
};

/* A filter in the map `filters`, under the id of the first event that has it. */
struct shared_filter {
	struct data_filter_items filter;
	__u64 dropped;
};
