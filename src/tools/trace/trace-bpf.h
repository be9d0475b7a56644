/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * System calls, watched by BPF programs: every call of the chosen tasks, with what their pointers
 * point to.
 *
 * The programs run at the raw tracepoints sys_enter and sys_exit. A call that does not wait becomes
 * one record, written when it ends, into the ring of its CPU. bpf_trace_read() merges the rings in
 * order of time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/syscall/event.h"
#include "arch/syscall/syscall.h"
#include "base/cleanup.h"
#include "bpf/targets.h"
#include "tools/trace/bpf-types.h"

struct bpf_trace;
struct diag;
struct event_env;

struct bpf_trace_request {
	struct event_env *env;
	struct bpf_targets targets;
	const pid_t *excluded; /* processes whose calls are left out: the tracer itself, ... */
	size_t n_excluded;
	bool limits_user;
	uid_t user;
	/*
	 * For each ABI a bit per call number that is wanted; NULL: all. Others leave no trace.
	 */
	const uint64_t *wanted[SYSCALL_N_ABIS];
	uint64_t min_duration_ns; /* shorter calls are left out */
	bool only_failures;
	uint32_t string_limit; /* bytes of buffers that are copied; names are copied whole */
	size_t ring_size;      /* of each CPU, made a power of two; 0: as much as is good */
	bool follows_no_forks; /* what the tasks fork is not watched */
	/*
	 * A flight recorder: the rings are overwritten, and hold the newest calls whenever they are
	 * read. What makes bpf_trace_fd() readable, and counts in bpf_trace_triggers():
	 */
	bool keeps_newest;
	int trigger_error;            /* a call fails with this errno; 0: none */
	uint64_t trigger_duration_ns; /* a call takes at least so long; 0: none */
	bool triggers_at_end;         /* one of the tasks that were named ends */
};

/*
 * Loads the programs and begins. -EOPNOTSUPP: BPF cannot do this here, for a reason that is no
 * failure; other errors: the kernel refuses. @diag says why.
 */
int bpf_trace_begin(const struct bpf_trace_request *rq, struct bpf_trace **ret, struct diag *diag);

/* Ends it; nothing stays in the kernel. */
void bpf_trace_free(struct bpf_trace *t);
DEFINE_FREEP(bpf_trace)

/* A descriptor that becomes readable when there is a good deal to read. */
int bpf_trace_fd(const struct bpf_trace *t);

/* No more events are taken from now on; what is in the rings stays to be read. */
void bpf_trace_stop(struct bpf_trace *t);

/* How often something has happened for which a flight recorder is to be read. */
uint64_t bpf_trace_triggers(const struct bpf_trace *t);

/*
 * Hands what has come to @take, in order of time, as far as nothing older can come any more;
 * @to_end: everything. @until_ns: nothing from then on; UINT64_MAX: no limit. @take returns 0 to go
 * on, > 0 to stop, < 0 to stop with that error, which is returned. A flight recorder hands out all
 * that it has and that was not handed out before, also while programs go on writing.
 */
int bpf_trace_read(struct bpf_trace *t, bool to_end, uint64_t until_ns,
		   int (*take)(void *arg, const struct call_event *e), void *arg);

struct bpf_trace_losses {
	uint64_t calls; /* no room in the ring */
	uint64_t tasks; /* forked, but could not be followed */
	uint64_t runs;  /* of programs, because another one was running on the CPU */
};

int bpf_trace_losses(const struct bpf_trace *t, struct bpf_trace_losses *ret, struct diag *diag);

/*
 * What BPF programs are to copy of each call, made out of what its arguments are.
 */

/*
 * The plan for @desc; NULL: a call that is not known, of which nothing is copied. @string_limit:
 * bytes of buffers and of each string of argv; names are copied whole, and structs.
 */
struct trace_plan trace_plan_of(const struct syscall_desc *desc, uint32_t string_limit);

/* Does the call make descriptors? */
bool trace_plan_makes_files(const struct trace_plan *plan);

/* What is copied for one command of a call. */
struct trace_variant {
	struct trace_variant_key key;
	struct trace_copy copy;
};

/* Hands everything that is copied for single commands to @put; as long as that returns no error. */
int trace_variants_each(enum syscall_abi abi, uint32_t string_limit,
			int (*put)(void *arg, const struct trace_variant *v), void *arg);

/* The plans for all calls of @abi. */
void trace_plans_fill(enum syscall_abi abi, uint32_t string_limit,
		      struct trace_plan ret[TRACE_CALLS_MAX]);
