/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * System calls, counted in the kernel by BPF programs: how often, how long, how many failed; of
 * each thread, of each cgroup, or of all tasks together.
 *
 * A call costs the two programs that run when it begins and ends, and nothing else: perf itself
 * sleeps until somebody wants to see the counts. They may be read at any time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/syscall/syscall.h"
#include "base/cleanup.h"
#include "bpf/targets.h"
#include "tools/trace/summary-bpf-types.h"

struct bpf_trace_summary;
struct diag;
struct event_env;

enum bpf_trace_summary_by {
	BPF_TRACE_SUMMARY_THREAD,
	BPF_TRACE_SUMMARY_TOTAL,
	BPF_TRACE_SUMMARY_CGROUP,
};

struct bpf_trace_summary_request {
	struct event_env *env;
	struct bpf_targets targets;
	enum bpf_trace_summary_by by;
	bool fills_buckets;    /* for histograms and quantiles, which cost a little */
	const pid_t *excluded; /* processes whose calls are left out: the tracer itself, ... */
	size_t n_excluded;
	bool limits_user;
	uid_t user;
	uint64_t from_ns;      /* calls that began before that do not count: CLOCK_MONOTONIC */
	bool follows_no_forks; /* what the tasks fork does not count */
	/* For each ABI a bit per call number that is wanted; NULL: all. Others are not counted. */
	const uint64_t *wanted[SYSCALL_N_ABIS];
};

/*
 * Loads the programs and begins. -EOPNOTSUPP: BPF cannot do this here, for a reason that is no
 * failure; other errors: the kernel refuses. @diag says why.
 */
int bpf_trace_summary_begin(const struct bpf_trace_summary_request *rq,
			    struct bpf_trace_summary **ret, struct diag *diag);

/* Nothing more is counted from now on; what was counted stays to be read. */
void bpf_trace_summary_stop(struct bpf_trace_summary *s);

/* Ends it; nothing stays in the kernel. */
void bpf_trace_summary_free(struct bpf_trace_summary *s);
DEFINE_FREEP(bpf_trace_summary)

/* Bucket i has the calls of 2^i to 2^(i+1) - 1 ns; the last also longer ones. */
#define BPF_TRACE_SUMMARY_BUCKETS 40

struct bpf_trace_summary_errno {
	int error;
	uint64_t count;
};

/*
 * What was counted of a call of a thread or a cgroup. There may be several of the same call, whose
 * counts are to be added up: each CPU counts alone.
 */
struct bpf_trace_summary_row {
	uint64_t id;      /* a tid, a cgroup's id, or 0 */
	const char *comm; /* of a thread; NULL: not known */
	uint64_t events;  /* begins and ends that were seen */
	uint8_t abi;      /* enum syscall_abi */
	int32_t nr;
	uint64_t calls; /* 0: only begins were seen; nr and what follows mean nothing */
	uint64_t errors;
	uint64_t total_ns, min_ns, max_ns;
	double mean_ns, m2;                          /* as of base/student.h */
	uint64_t buckets[BPF_TRACE_SUMMARY_BUCKETS]; /* zeros if they were not asked for */
	const struct bpf_trace_summary_errno *errnos;
	size_t n_errnos;
};

/*
 * Hands all that was counted so far to @take, in no order. @take returns 0 to go on, < 0 to stop
 * with that error, which is returned. Other errors with @diag.
 */
int bpf_trace_summary_read(const struct bpf_trace_summary *s,
			   int (*take)(void *arg, const struct bpf_trace_summary_row *row),
			   void *arg, struct diag *diag);

/* What is missing in the counts. */
struct bpf_trace_summary_losses {
	uint64_t calls; /* there was no room for a row */
	uint64_t times; /* calls that are counted with 0 ns, as there was no room for their begin */
	uint64_t tasks; /* forked, but could not be followed */
	uint64_t runs;  /* of programs, because another one was running on the CPU */
};

int bpf_trace_summary_losses(const struct bpf_trace_summary *s,
			     struct bpf_trace_summary_losses *ret, struct diag *diag);

/* What the programs of trace-summary.bpf.c count, as figures. */

/* The mean, and the sum of the squares of the differences from it (base/student.h). */
void trace_summary_row_moments(const struct trace_summary_row *row, double *ret_mean,
			       double *ret_m2);

/*
 * All but the group's members, and errnos. @abis are those of 64-bit and 32-bit programs. A row of
 * TRACE_SUMMARY_NO_CALL has events only.
 */
struct bpf_trace_summary_row trace_summary_row_figures(uint32_t call,
						       const struct trace_summary_row *row,
						       const uint8_t abis[2]);
