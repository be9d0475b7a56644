/* SPDX-License-Identifier: MIT */
#pragma once
/* The types that both sides of bpf/sample-filter.h use. */
#include <linux/types.h>

#include "event/data-filter-types.h"

struct sample_filter_constants {
	__u32 is_x86;
	/*
	 * If set, the filter is looked up in the maps `events` and `filters`, because several users
	 * share the program.
	 */
	__u32 is_shared;
	struct data_filter_items filter;
};

/* A filter in the map `filters`, whose key is the id of the first event that has it. */
struct shared_filter {
	struct data_filter_items filter;
	__u64 dropped;
};
