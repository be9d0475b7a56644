/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts system calls in the kernel with BPF programs: their number, duration and failures; for
 * each thread, for each cgroup, or for all tasks together.
 *
 * The cost of a call is that of the two programs that run when it begins and ends. perf itself
 * sleeps until the counts are needed. They may be read at any time.
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
	bool fills_buckets;    /* for histograms and quantiles, at a small cost */
	const pid_t *excluded; /* processes to leave out: the tracer itself, ... */
	size_t n_excluded;
	bool limits_user;
	uid_t user;
	uint64_t from_ns;      /* calls that began earlier do not count: CLOCK_MONOTONIC */
	bool follows_no_forks; /* tasks that are forked do not count */
	/*
	 * For each ABI a bit for each wanted call number; NULL: all. Other calls are not counted.
	 */
	const uint64_t *wanted[SYSCALL_N_ABIS];
};

/*
 * Loads the programs and begins to count. Returns -EOPNOTSUPP if BPF cannot do this here, for a
 * reason that is not a failure, or another error if the kernel refuses. @diag contains the reason.
 */
int bpf_trace_summary_begin(const struct bpf_trace_summary_request *rq,
			    struct bpf_trace_summary **ret, struct diag *diag);

/* Stops counting. The counts can still be read. */
void bpf_trace_summary_stop(struct bpf_trace_summary *s);

/* Ends it and frees @s; nothing stays in the kernel. */
void bpf_trace_summary_free(struct bpf_trace_summary *s);
DEFINE_FREEP(bpf_trace_summary)

/*
 * The number of buckets. Bucket i has the calls of 2^i to 2^(i+1) - 1 ns; the last one also longer
 * calls.
 */
#define BPF_TRACE_SUMMARY_BUCKETS 40

struct bpf_trace_summary_errno {
	int error;
	uint64_t count;
};

/*
 * The counts of a call of a thread or a cgroup. There may be several rows for the same call, whose
 * counts must be added up, because each CPU counts separately.
 */
struct bpf_trace_summary_row {
	uint64_t id;      /* a tid, a cgroup's id, or 0 */
	const char *comm; /* for a thread; NULL: unknown */
	uint64_t events;  /* begins and ends that were seen */
	uint8_t abi;      /* enum syscall_abi */
	int32_t nr;
	uint64_t calls; /* 0: only begins were seen; nr and the rest are undefined */
	uint64_t errors;
	uint64_t total_ns, min_ns, max_ns;
	double mean_ns, m2;                          /* as in base/student.h */
	uint64_t buckets[BPF_TRACE_SUMMARY_BUCKETS]; /* zero if not requested */
	const struct bpf_trace_summary_errno *errnos;
	size_t n_errnos;
};

/*
 * Passes all counts so far to @take, in no particular order. @take returns 0 to go on, or < 0 to
 * stop with that error, which is returned. Other errors with @diag.
 */
int bpf_trace_summary_read(const struct bpf_trace_summary *s,
			   int (*take)(void *arg, const struct bpf_trace_summary_row *row),
			   void *arg, struct diag *diag);

/* The numbers of events that are missing in the counts. */
struct bpf_trace_summary_losses {
	uint64_t calls; /* the table of rows was full */
	uint64_t times; /* calls counted with 0 ns: no space for their begin */
	uint64_t tasks; /* forked tasks that could not be followed */
	uint64_t runs;  /* programs not run because another one was running on the CPU */
};

int bpf_trace_summary_losses(const struct bpf_trace_summary *s,
			     struct bpf_trace_summary_losses *ret, struct diag *diag);

/* Computes figures from the counts of trace-summary.bpf.c. */

/* Computes the mean, and the sum of the squares of the differences from it (base/student.h). */
void trace_summary_row_moments(const struct trace_summary_row *row, double *ret_mean,
			       double *ret_m2);

/*
 * Returns the figures, without the members of the group and without errnos. @abis are those of
 * 64-bit and 32-bit programs. A row of TRACE_SUMMARY_NO_CALL only has events.
 */
struct bpf_trace_summary_row trace_summary_row_figures(uint32_t call,
						       const struct trace_summary_row *row,
						       const uint8_t abis[2]);
