/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A filter on the data of samples, in the form that the BPF program reads. C and BPF code include
 * this file, so it contains the kernel's number types and nothing else.
 *
 * A filter is a list of comparisons. Neighbours are alternatives, of which one has to hold, up to
 * the one that ends the group; every group has to hold.
 */
#include <linux/types.h>

#define DATA_FILTER_ITEMS_MAX 32

/* The data that is compared: event/data-filter.def has the names. */
enum data_filter_term {
	DATA_FILTER_IP,
	DATA_FILTER_ID,
	DATA_FILTER_TID,
	DATA_FILTER_PID,
	DATA_FILTER_CPU,
	DATA_FILTER_TIME,
	DATA_FILTER_ADDR,
	DATA_FILTER_PERIOD,
	DATA_FILTER_TXN,
	DATA_FILTER_WEIGHT,
	DATA_FILTER_WEIGHT1,
	DATA_FILTER_WEIGHT2,
	DATA_FILTER_WEIGHT3,
	DATA_FILTER_PHYS_ADDR,
	DATA_FILTER_CODE_PAGE_SIZE,
	DATA_FILTER_DATA_PAGE_SIZE,
	DATA_FILTER_MEM_OP,
	DATA_FILTER_MEM_LEVEL,
	DATA_FILTER_MEM_SNOOP,
	DATA_FILTER_MEM_REMOTE,
	DATA_FILTER_MEM_LOCK,
	DATA_FILTER_MEM_TLB,
	DATA_FILTER_MEM_BLOCK,
	DATA_FILTER_MEM_HOPS,
	DATA_FILTER_UID,
	DATA_FILTER_GID,
	DATA_FILTER_CGROUP,
	DATA_FILTER_TERMS,
};

enum data_filter_op {
	DATA_FILTER_EQ,
	DATA_FILTER_NE,
	DATA_FILTER_GT,
	DATA_FILTER_GE,
	DATA_FILTER_LT,
	DATA_FILTER_LE,
	DATA_FILTER_AND, /* any of these bits */
	DATA_FILTER_OPS,
};

struct data_filter_item {
	__u32 term, op;
	__u32 ends_group;
	__u32 unused;
	__u64 value;
};

struct data_filter_items {
	__u32 n, unused;
	struct data_filter_item items[DATA_FILTER_ITEMS_MAX];
};
