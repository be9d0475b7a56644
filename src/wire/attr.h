/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * struct perf_event_attr in the layout of the newest kernel ABI, so that system headers of any age
 * can be used. It is plain data, which is passed between the event parser, the system call and the
 * file. The layout is the kernel's (include/uapi/linux/perf_event.h); the first 64 flag bits are
 * named in order.
 *
 * <linux/perf_event.h> must not be included together with this header, because the constants have
 * the kernel's own names.
 */
#include <stdbool.h>
#include <stdint.h>

#include "wire/abi.h"

struct attr {
	uint32_t type; /* PERF_TYPE_*, or the number of a PMU in sysfs */
	uint32_t size;
	uint64_t config;
	union {
		uint64_t sample_period;
		uint64_t sample_freq; /* used with .freq */
	};
	uint64_t sample_type;
	uint64_t read_format;

	uint64_t disabled : 1;
	uint64_t inherit : 1;
	uint64_t pinned : 1;
	uint64_t exclusive : 1;
	uint64_t exclude_user : 1;
	uint64_t exclude_kernel : 1;
	uint64_t exclude_hv : 1;
	uint64_t exclude_idle : 1;
	uint64_t mmap : 1;
	uint64_t comm : 1;
	uint64_t freq : 1;
	uint64_t inherit_stat : 1;
	uint64_t enable_on_exec : 1;
	uint64_t task : 1;
	uint64_t watermark : 1;
	uint64_t precise_ip : 2;
	uint64_t mmap_data : 1;
	uint64_t sample_id_all : 1;
	uint64_t exclude_host : 1;
	uint64_t exclude_guest : 1;
	uint64_t exclude_callchain_kernel : 1;
	uint64_t exclude_callchain_user : 1;
	uint64_t mmap2 : 1;
	uint64_t comm_exec : 1;
	uint64_t use_clockid : 1;
	uint64_t context_switch : 1;
	uint64_t write_backward : 1;
	uint64_t namespaces : 1;
	uint64_t ksymbol : 1;
	uint64_t bpf_event : 1;
	uint64_t aux_output : 1;
	uint64_t cgroup : 1;
	uint64_t text_poke : 1;
	uint64_t build_id : 1;
	uint64_t inherit_thread : 1;
	uint64_t remove_on_exec : 1;
	uint64_t sigtrap : 1;
	uint64_t defer_callchain : 1;
	uint64_t defer_output : 1;
	uint64_t reserved_flags : 24;

	union {
		uint32_t wakeup_events;
		uint32_t wakeup_watermark; /* used with .watermark */
	};
	uint32_t bp_type; /* HW_BREAKPOINT_* */
	union {
		uint64_t bp_addr;
		uint64_t config1;
	};
	union {
		uint64_t bp_len;
		uint64_t config2;
	};
	uint64_t branch_sample_type;
	uint64_t sample_regs_user;
	uint32_t sample_stack_user;
	int32_t clockid;
	uint64_t sample_regs_intr;
	uint32_t aux_watermark;
	uint16_t sample_max_stack;
	uint16_t reserved_2;
	uint32_t aux_sample_size;
	uint32_t aux_action;
	uint64_t sig_data;
	uint64_t config3;
	uint64_t config4;
};

_Static_assert(sizeof(struct attr) == 144, "perf_event_attr as of PERF_ATTR_SIZE_VER9");

/* True for one of the kernel's clocks, which count nanoseconds; a recording does not show this. */
static inline bool attr_is_clock(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE &&
	       (a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* True for page faults: all of them, or only minor or major ones. */
static inline bool attr_is_page_fault(const struct attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && (a->config == PERF_COUNT_SW_PAGE_FAULTS ||
						 a->config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
						 a->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

/*
 * True for events whose address is one of code or of data with symbols, and not of any memory: page
 * faults, and every branch.
 */
static inline bool attr_addr_has_symbols(const struct attr *a)
{
	if (!(a->sample_type & PERF_SAMPLE_ADDR))
		return false;
	return attr_is_page_fault(a) ||
	       (a->type == PERF_TYPE_HARDWARE && a->config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS &&
		a->sample_period == 1);
}
