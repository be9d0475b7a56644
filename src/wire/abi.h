/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Constants of the perf_event ABI, with the kernel's names and numbers.
 *
 * They come from include/uapi/linux/perf_event.h and hw_breakpoint.h of the newest kernel. They are
 * repeated here because a perf.data file may be newer than the headers of the machine that reads
 * it.
 */

enum {
	PERF_TYPE_HARDWARE = 0,
	PERF_TYPE_SOFTWARE = 1,
	PERF_TYPE_TRACEPOINT = 2,
	PERF_TYPE_HW_CACHE = 3,
	PERF_TYPE_RAW = 4,
	PERF_TYPE_BREAKPOINT = 5,
	PERF_TYPE_MAX,
};

/*
 * The position in config of the PMU's type, for a generic hardware or cache event of one of several
 * core PMUs.
 */
#define PERF_PMU_TYPE_SHIFT 32

enum {
	PERF_COUNT_HW_CPU_CYCLES = 0,
	PERF_COUNT_HW_INSTRUCTIONS = 1,
	PERF_COUNT_HW_CACHE_REFERENCES = 2,
	PERF_COUNT_HW_CACHE_MISSES = 3,
	PERF_COUNT_HW_BRANCH_INSTRUCTIONS = 4,
	PERF_COUNT_HW_BRANCH_MISSES = 5,
	PERF_COUNT_HW_BUS_CYCLES = 6,
	PERF_COUNT_HW_STALLED_CYCLES_FRONTEND = 7,
	PERF_COUNT_HW_STALLED_CYCLES_BACKEND = 8,
	PERF_COUNT_HW_REF_CPU_CYCLES = 9,
	PERF_COUNT_HW_MAX,
};

enum {
	PERF_COUNT_SW_CPU_CLOCK = 0,
	PERF_COUNT_SW_TASK_CLOCK = 1,
	PERF_COUNT_SW_PAGE_FAULTS = 2,
	PERF_COUNT_SW_CONTEXT_SWITCHES = 3,
	PERF_COUNT_SW_CPU_MIGRATIONS = 4,
	PERF_COUNT_SW_PAGE_FAULTS_MIN = 5,
	PERF_COUNT_SW_PAGE_FAULTS_MAJ = 6,
	PERF_COUNT_SW_ALIGNMENT_FAULTS = 7,
	PERF_COUNT_SW_EMULATION_FAULTS = 8,
	PERF_COUNT_SW_DUMMY = 9,
	PERF_COUNT_SW_BPF_OUTPUT = 10,
	PERF_COUNT_SW_CGROUP_SWITCHES = 11,
	PERF_COUNT_SW_MAX,
};

/* A cache event's config is cache | op << 8 | result << 16. */
enum {
	PERF_COUNT_HW_CACHE_L1D = 0,
	PERF_COUNT_HW_CACHE_L1I = 1,
	PERF_COUNT_HW_CACHE_LL = 2,
	PERF_COUNT_HW_CACHE_DTLB = 3,
	PERF_COUNT_HW_CACHE_ITLB = 4,
	PERF_COUNT_HW_CACHE_BPU = 5,
	PERF_COUNT_HW_CACHE_NODE = 6,
	PERF_COUNT_HW_CACHE_MAX,
};

enum {
	PERF_COUNT_HW_CACHE_OP_READ = 0,
	PERF_COUNT_HW_CACHE_OP_WRITE = 1,
	PERF_COUNT_HW_CACHE_OP_PREFETCH = 2,
	PERF_COUNT_HW_CACHE_OP_MAX,
};

enum {
	PERF_COUNT_HW_CACHE_RESULT_ACCESS = 0,
	PERF_COUNT_HW_CACHE_RESULT_MISS = 1,
	PERF_COUNT_HW_CACHE_RESULT_MAX,
};

enum {
	HW_BREAKPOINT_R = 1,
	HW_BREAKPOINT_W = 2,
	HW_BREAKPOINT_X = 4,
};

/* attr.sample_type, in bit order. */
#define PERF_SAMPLE_IP             (1ULL << 0)
#define PERF_SAMPLE_TID            (1ULL << 1)
#define PERF_SAMPLE_TIME           (1ULL << 2)
#define PERF_SAMPLE_ADDR           (1ULL << 3)
#define PERF_SAMPLE_READ           (1ULL << 4)
#define PERF_SAMPLE_CALLCHAIN      (1ULL << 5)
#define PERF_SAMPLE_ID             (1ULL << 6)
#define PERF_SAMPLE_CPU            (1ULL << 7)
#define PERF_SAMPLE_PERIOD         (1ULL << 8)
#define PERF_SAMPLE_STREAM_ID      (1ULL << 9)
#define PERF_SAMPLE_RAW            (1ULL << 10)
#define PERF_SAMPLE_BRANCH_STACK   (1ULL << 11)
#define PERF_SAMPLE_REGS_USER      (1ULL << 12)
#define PERF_SAMPLE_STACK_USER     (1ULL << 13)
#define PERF_SAMPLE_WEIGHT         (1ULL << 14)
#define PERF_SAMPLE_DATA_SRC       (1ULL << 15)
#define PERF_SAMPLE_IDENTIFIER     (1ULL << 16)
#define PERF_SAMPLE_TRANSACTION    (1ULL << 17)
#define PERF_SAMPLE_REGS_INTR      (1ULL << 18)
#define PERF_SAMPLE_PHYS_ADDR      (1ULL << 19)
#define PERF_SAMPLE_AUX            (1ULL << 20)
#define PERF_SAMPLE_CGROUP         (1ULL << 21)
#define PERF_SAMPLE_DATA_PAGE_SIZE (1ULL << 22)
#define PERF_SAMPLE_CODE_PAGE_SIZE (1ULL << 23)
#define PERF_SAMPLE_WEIGHT_STRUCT  (1ULL << 24)

/* Bits of attr.branch_sample_type. */
#define PERF_SAMPLE_BRANCH_USER       (1ULL << 0)
#define PERF_SAMPLE_BRANCH_KERNEL     (1ULL << 1)
#define PERF_SAMPLE_BRANCH_HV         (1ULL << 2)
#define PERF_SAMPLE_BRANCH_ANY        (1ULL << 3)
#define PERF_SAMPLE_BRANCH_ANY_CALL   (1ULL << 4)
#define PERF_SAMPLE_BRANCH_ANY_RETURN (1ULL << 5)
#define PERF_SAMPLE_BRANCH_IND_CALL   (1ULL << 6)
#define PERF_SAMPLE_BRANCH_ABORT_TX   (1ULL << 7)
#define PERF_SAMPLE_BRANCH_IN_TX      (1ULL << 8)
#define PERF_SAMPLE_BRANCH_NO_TX      (1ULL << 9)
#define PERF_SAMPLE_BRANCH_COND       (1ULL << 10)
#define PERF_SAMPLE_BRANCH_CALL_STACK (1ULL << 11)
#define PERF_SAMPLE_BRANCH_IND_JUMP   (1ULL << 12)
#define PERF_SAMPLE_BRANCH_CALL       (1ULL << 13)
#define PERF_SAMPLE_BRANCH_NO_FLAGS   (1ULL << 14)
#define PERF_SAMPLE_BRANCH_NO_CYCLES  (1ULL << 15)
#define PERF_SAMPLE_BRANCH_TYPE_SAVE  (1ULL << 16)
#define PERF_SAMPLE_BRANCH_HW_INDEX   (1ULL << 17)
#define PERF_SAMPLE_BRANCH_PRIV_SAVE  (1ULL << 18)
#define PERF_SAMPLE_BRANCH_COUNTERS   (1ULL << 19)

/* Bits of attr.read_format. */
#define PERF_FORMAT_TOTAL_TIME_ENABLED (1ULL << 0)
#define PERF_FORMAT_TOTAL_TIME_RUNNING (1ULL << 1)
#define PERF_FORMAT_ID                 (1ULL << 2)
#define PERF_FORMAT_GROUP              (1ULL << 3)
#define PERF_FORMAT_LOST               (1ULL << 4)

/* Flags of perf_event_open(). */
#define PERF_FLAG_FD_NO_GROUP (1UL << 0)
#define PERF_FLAG_FD_OUTPUT   (1UL << 1)
#define PERF_FLAG_PID_CGROUP  (1UL << 2)
#define PERF_FLAG_FD_CLOEXEC  (1UL << 3)

/* ioctl() requests on events: _IO('$', n); _IOW() and _IOR() if they take or return a value. */
#define PERF_EVENT_IOC_ENABLE       0x2400
#define PERF_EVENT_IOC_DISABLE      0x2401
#define PERF_EVENT_IOC_RESET        0x2403
#define PERF_EVENT_IOC_SET_OUTPUT   0x2405
#define PERF_EVENT_IOC_SET_FILTER   0x40082406UL
#define PERF_EVENT_IOC_SET_BPF      0x40042408UL
#define PERF_EVENT_IOC_ID           0x80082407UL
#define PERF_EVENT_IOC_SET_BPF      0x40042408UL
#define PERF_EVENT_IOC_PAUSE_OUTPUT 0x40042409UL
#define PERF_IOC_FLAG_GROUP         1U
