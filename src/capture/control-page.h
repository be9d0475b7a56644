/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The page before a ring buffer, in which the kernel and perf exchange their positions: the part of
 * struct perf_event_mmap_page of uapi/linux/perf_event.h that is used here.
 */
#include <stddef.h>
#include <stdint.h>

struct control_page {
	uint32_t version, compat_version, lock, index;
	int64_t offset;
	uint64_t time_enabled, time_running;
	uint64_t capabilities;
	uint16_t pmc_width, time_shift;
	uint32_t time_mult;
	uint64_t time_offset, time_zero;
	uint32_t size, reserved;
	uint64_t time_cycles, time_mask;
	uint8_t padding[1024 - 96];
	uint64_t data_head, data_tail;
	uint64_t data_offset, data_size;
	/* The AUX area: the last two members are written by us before it is mapped. */
	uint64_t aux_head, aux_tail;
	uint64_t aux_offset, aux_size;
};

_Static_assert(offsetof(struct control_page, data_head) == 1024, "as in uapi/linux/perf_event.h");
_Static_assert(offsetof(struct control_page, aux_head) == 1056, "as in uapi/linux/perf_event.h");

/* Bits of capabilities. */
#define CAP_USER_TIME_ZERO  (1ULL << 4)
#define CAP_USER_TIME_SHORT (1ULL << 5)
