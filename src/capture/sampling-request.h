/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The request that applies to all sampled events: the rate, the contents of a sample, stacks,
 * branches, and the records beside the samples. All zero is the default. Texts are borrowed.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/choice.h"

enum sampling_kind {
	SAMPLING_DEFAULT,  /* 4000 a second; every occurrence of a tracepoint */
	SAMPLING_FREQ,     /* this many a second */
	SAMPLING_FREQ_MAX, /* the highest rate that the kernel permits */
	SAMPLING_PERIOD,   /* one sample every this many events */
	SAMPLING_BOTH,     /* a frequency and a period, which is an error */
};

struct sampling_rate {
	enum sampling_kind kind;
	uint64_t number; /* the frequency, or the period */
};

enum callgraph_mode {
	CALLGRAPH_NONE,
	CALLGRAPH_FP,    /* the kernel follows frame pointers */
	CALLGRAPH_DWARF, /* registers and a copy of the stack, for later unwinding */
	CALLGRAPH_LBR,   /* the CPU's own record of calls */
	CALLGRAPH_BPF,   /* a program in the kernel unwinds; if it cannot, as DWARF */
};

/* perf_event_attr.sample_stack_user is at most this (the kernel's perf_sample_ustack_size()). */
#define CALLGRAPH_STACK_MAX     65528
#define CALLGRAPH_STACK_DEFAULT 8192

struct callgraph_choice {
	enum callgraph_mode mode;
	uint32_t stack_bytes; /* DWARF and BPF only; a multiple of 8 */
	bool stack_given;     /* given by the user */
	bool check;           /* BPF only: stacks are also copied, for comparison */
	uint32_t depth;       /* FP only; 0: the system's limit */
	bool defer;           /* FP only: user part is taken on return to user mode */
	bool bare;            /* no mode was given: callgraph_settle() may choose another */
};

/* True if registers and stacks are copied, for all samples or some. */
static inline bool callgraph_copies(enum callgraph_mode mode)
{
	return mode == CALLGRAPH_DWARF || mode == CALLGRAPH_BPF;
}

struct callgraph_request {
	struct callgraph_choice choice;
	/* The defaults for -g from perfconfig; those of perf record alone have priority. */
	struct callgraph_choice usual, usual_of_record;
	uint64_t usual_stack_bytes; /* if no size is given; 0: CALLGRAPH_STACK_DEFAULT */
	bool kernel_only;
	bool user_only;
	/*
	 * BPF: stacks of the events whose names begin so are the business of another program of the
	 * caller; NULL: of none.
	 */
	const char *unwound_elsewhere;
	unsigned not_interpreted; /* 1 << enum runtime_kind: --interpreters leaves them out */
};

struct clock_choice {
	bool given;
	int id; /* the clock's number in clock_gettime() */
};

/* The contents of each sample besides its address, and the clock of its time. */
struct sample_request {
	bool data_addr;
	enum choice memory_info; /* kind of the access; unset: with the address of the data */
	enum choice data_maps;   /* not only maps of code; unset: with the address of the data */
	bool phys_addr;
	bool data_page_size;
	bool code_page_size;
	bool weight;
	bool transaction;
	bool raw;
	bool cpu;
	bool identifier;
	bool thread_counts;
	bool no_samples;
	bool running_time;
	enum choice timestamp; /* unset: unless each thread has a buffer */
	enum choice period;    /* unset: if it varies */
	const char *intr_regs; /* names; "": all; NULL: none */
	const char *user_regs; /* likewise */
	struct clock_choice clock;
};

enum {
	SYNTH_TASK = 1 << 0,
	SYNTH_MMAP = 1 << 1,
	SYNTH_CGROUP = 1 << 2,
	SYNTH_ALL = (1 << 3) - 1,
};

struct synth_choice {
	bool given;     /* false: everything */
	unsigned types; /* SYNTH_* */
};

/*
 * Records beside the samples: the kernel's reports of tasks, mappings, cgroups and switches, and
 * the records synthesised from /proc about tasks that existed before.
 */
struct sideband_request {
	bool namespaces;
	bool all_cgroups;
	enum choice switch_events;
	bool latency; /* context switches, for shares of wall-clock time */
	bool no_bpf_event;
	bool tail_synthesize; /* the previous state is reported at the end */
	struct synth_choice synth;
};

struct sampling_request {
	struct sampling_rate rate;
	bool strict_freq; /* fail, instead of sampling at the kernel's limit */
	struct callgraph_request callgraph;
	struct sample_request sample;
	uint64_t branch_filter; /* PERF_SAMPLE_BRANCH_*; 0: no branch stacks */
	struct sideband_request sideband;
	bool all_user;
	bool all_kernel;
};
