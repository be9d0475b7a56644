/* SPDX-License-Identifier: MIT */
#ifndef PERF_DLFILTER_H
#define PERF_DLFILTER_H
/*
 * The interface of filters for `perf script --dlfilter FILE`: see perf-dlfilter(1).
 *
 * A filter is a shared object that defines some of the functions at the end of this file. All
 * structs begin with, or are told, their size, so that filters and perf of different versions
 * understand each other: members are only ever added at the end.
 */
#include <linux/types.h>
#ifdef PERF_DLFILTER_WITHOUT_EVENTS
struct perf_branch_entry;
struct perf_event_attr;
#else
#include <linux/perf_event.h>
#endif

/* The sample has the members machine_pid and vcpu. */
#define PERF_DLFILTER_HAS_MACHINE_PID

/* Bits of perf_dlfilter_sample.flags. */
enum {
	PERF_DLFILTER_FLAG_BRANCH = 1ULL << 0,
	PERF_DLFILTER_FLAG_CALL = 1ULL << 1,
	PERF_DLFILTER_FLAG_RETURN = 1ULL << 2,
	PERF_DLFILTER_FLAG_CONDITIONAL = 1ULL << 3,
	PERF_DLFILTER_FLAG_SYSCALLRET = 1ULL << 4,
	PERF_DLFILTER_FLAG_ASYNC = 1ULL << 5,
	PERF_DLFILTER_FLAG_INTERRUPT = 1ULL << 6,
	PERF_DLFILTER_FLAG_TX_ABORT = 1ULL << 7,
	PERF_DLFILTER_FLAG_TRACE_BEGIN = 1ULL << 8,
	PERF_DLFILTER_FLAG_TRACE_END = 1ULL << 9,
	PERF_DLFILTER_FLAG_IN_TX = 1ULL << 10,
	PERF_DLFILTER_FLAG_VMENTRY = 1ULL << 11,
	PERF_DLFILTER_FLAG_VMEXIT = 1ULL << 12,
};

/* A sample. It lives until the function that gets it returns. What was not recorded is 0 or -1. */
struct perf_dlfilter_sample {
	__u32 size;
	__u16 ins_lat;     /* of PERF_SAMPLE_WEIGHT_STRUCT */
	__u16 p_stage_cyc; /* the same */
	__u64 ip;
	__s32 pid;
	__s32 tid;
	__u64 time;
	__u64 addr;
	__u64 id;
	__u64 stream_id;
	__u64 period;
	__u64 weight;
	__u64 transaction;
	__u64 insn_cnt; /* of hardware traces, for instructions per cycle */
	__u64 cyc_cnt;
	__s32 cpu;
	__u32 flags; /* PERF_DLFILTER_FLAG_* */
	__u64 data_src;
	__u64 phys_addr;
	__u64 data_page_size;
	__u64 code_page_size;
	__u64 cgroup;
	__u8 cpumode;             /* PERF_RECORD_MISC_CPUMODE_MASK of misc */
	__u8 addr_correlates_sym; /* addr is one of code or data: resolve_addr() may be called */
	__u16 misc;               /* of the record's header */
	__u32 raw_size;
	const void *raw_data;
	__u64 brstack_nr;
	const struct perf_branch_entry *brstack;
	__u64 raw_callchain_nr; /* with PERF_CONTEXT_* */
	const __u64 *raw_callchain;
	const char *event; /* the name of the event */
	__s32 machine_pid; /* of a guest; else 0 */
	__s32 vcpu;        /* of a guest; else -1 */
};

/* What lies at an address. Texts live until the filter function returns. */
struct perf_dlfilter_al {
	__u32 size;
	__u32 symoff;     /* from the beginning of the function */
	const char *sym;  /* the function; NULL: it has no name */
	__u64 addr;       /* as symbols of the file have it */
	__u64 sym_start;  /* the same */
	__u64 sym_end;    /* the same */
	const char *dso;  /* the file; NULL: nothing is known to lie there */
	__u8 sym_binding; /* STB_* of <elf.h> */
	__u8 is_64_bit;   /* if there is a dso */
	__u8 is_kernel_ip;
	__u32 buildid_size; /* 0: none */
	__u8 *buildid;
	/* Only of resolve_ip(). */
	__u8 filtered; /* perf will leave the sample out */
	const char *comm;
	/* perf's own: not to be changed. */
	void *priv;
};

/*
 * What perf offers to filters. @ctx is what the filter function got. But for args(), they answer
 * only while filter_event() or filter_event_early() runs.
 */
struct perf_dlfilter_fns {
	/* What lies at the sample's ip, and at its addr; NULL: there is none. */
	const struct perf_dlfilter_al *(*resolve_ip)(void *ctx);
	const struct perf_dlfilter_al *(*resolve_addr)(void *ctx);
	/* The words of --dlarg. */
	char **(*args)(void *ctx, int *dlargc);
	/* What lies at any address. al->size must be set. 0, or -1 on failure. */
	__s32 (*resolve_address)(void *ctx, __u64 address, struct perf_dlfilter_al *al);
	/* The instruction at ip; NULL: not known. */
	const __u8 *(*insn)(void *ctx, __u32 *length);
	/* The source file and line of ip; NULL: not known. */
	const char *(*srcline)(void *ctx, __u32 *line_number);
	/* The event's attributes. */
	struct perf_event_attr *(*attr)(void *ctx);
	/* Reads code at a runtime address. The number of bytes, or -1. */
	__s32 (*object_code)(void *ctx, __u64 ip, void *buf, __u32 len);
	/* To be called for each successful resolve_address(), unless it is NULL. */
	void (*al_cleanup)(void *ctx, struct perf_dlfilter_al *al);
	void *(*reserved[119])(void *);
};

/*
 * A filter defines, as it needs them:
 *
 *	struct perf_dlfilter_fns perf_dlfilter_fns;	filled in when the file is loaded
 *	int start(void **data, void *ctx);		0, or a negative number to stop
 *	int stop(void *data, void *ctx);
 *	int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx);
 *	int filter_event_early(void *data, const struct perf_dlfilter_sample *sample, void *ctx);
 *						0 keeps the sample, 1 leaves it out, < 0 stops
 *	const char *filter_description(const char **long_description);
 */
#endif
