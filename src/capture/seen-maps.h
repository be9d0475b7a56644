/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The recorder's reaction to a map, a fork, an exit, or a BPF program, when it first sees the
 * kernel's record of it.
 */
#include <stdint.h>
#include <sys/uio.h>

#include "wire/record.h"

struct kept_files;

/* True if seen_map() has anything to do for records of that type. */
static inline bool seen_map_matters(uint32_t type)
{
	return type == PERF_RECORD_MMAP2 || type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ||
	       type == PERF_RECORD_BPF_EVENT;
}

/*
 * Keeps the file of the MMAP2 record whose header is @h, at @at in the @pieces of a ring; or notes
 * the FORK or EXIT; or keeps the program that was loaded. A record that cannot be understood is
 * skipped.
 */
void seen_map(struct kept_files *kept, const struct iovec pieces[2], size_t at,
	      const struct record_header *h);
