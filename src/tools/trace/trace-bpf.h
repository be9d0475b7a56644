/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Watches system calls with BPF programs: every call of the chosen tasks, with the memory to which
 * its pointers point.
 *
 * The programs run at the raw tracepoints sys_enter and sys_exit. A call that does not wait becomes
 * one record, which is written when the call ends, into the ring of its CPU. bpf_trace_read()
 * merges the rings in order of time.
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
struct runtime_functions;
struct unwind_tables_facts;

struct bpf_trace_request {
	struct event_env *env;
	struct bpf_targets targets;
	const pid_t *excluded; /* processes to leave out: the tracer itself, ... */
	size_t n_excluded;
	bool limits_user;
	uid_t user;
	/*
	 * For each ABI a bit for each wanted call number; NULL: all. Other calls are not recorded.
	 */
	const uint64_t *wanted[SYSCALL_N_ABIS];
	uint64_t min_duration_ns; /* shorter calls are omitted */
	bool only_failures;
	uint32_t string_limit; /* bytes of buffers to copy; names are copied whole */
	size_t ring_size;      /* each CPU's size, rounded to a power of two; 0: automatic */
	bool follows_no_forks; /* tasks that are forked are not watched */
	/*
	 * A flight recorder: the rings are overwritten, and contain the newest calls whenever they
	 * are read. These events make bpf_trace_fd() readable, and count in bpf_trace_triggers():
	 */
	bool keeps_newest;
	int trigger_error;            /* a call fails with this errno; 0: none */
	uint64_t trigger_duration_ns; /* a call takes at least this long; 0: none */
	bool triggers_at_end;         /* one of the named tasks ends */
	/* The user stacks of calls are unwound at their ends. */
	bool unwinds;
	struct runtime_functions *functions; /* see unwind_tables_start() */
};

/*
 * Loads the programs and begins to watch. Returns -EOPNOTSUPP if BPF cannot do this here, for a
 * reason that is not a failure, or another error if the kernel refuses. @diag contains the reason.
 */
int bpf_trace_begin(const struct bpf_trace_request *rq, struct bpf_trace **ret, struct diag *diag);

/* Ends it and frees @t; nothing stays in the kernel. */
void bpf_trace_free(struct bpf_trace *t);
DEFINE_FREEP(bpf_trace)

/* Returns a descriptor that becomes readable when there is a large amount to read. */
int bpf_trace_fd(const struct bpf_trace *t);

/*
 * Stops taking events. The contents of the rings can still be read. The request's functions are not
 * used any more.
 */
void bpf_trace_stop(struct bpf_trace *t);

/* Returns the number of events for which a flight recorder must be read. */
uint64_t bpf_trace_triggers(const struct bpf_trace *t);

/*
 * Passes the events so far to @take, in order of time, as long as no older one can arrive; @to_end:
 * all of them. Events from @until_ns on are not passed; UINT64_MAX: no limit. @take returns 0 to go
 * on, > 0 to stop, or < 0 to stop with that error, which is returned. A flight recorder passes
 * everything that it contains and that was not passed before, even while programs continue to
 * write.
 */
int bpf_trace_read(struct bpf_trace *t, bool to_end, uint64_t until_ns,
		   int (*take)(void *arg, const struct call_event *e), void *arg);

/*
 * Waits, some milliseconds at most, until bpf_trace_read() passes all events before @until_ns. The
 * time is not in the future.
 */
void bpf_trace_wait(uint64_t until_ns);

/*
 * Returns how the unwinding went, once it was stopped. NULL: nothing was unwound, or that is not
 * known.
 */
const struct unwind_tables_facts *bpf_trace_stacks(const struct bpf_trace *t);

struct bpf_trace_losses {
	uint64_t calls; /* no space in the ring */
	uint64_t tasks; /* forked tasks that could not be followed */
	uint64_t runs;  /* programs not run because another one was running on the CPU */
};

int bpf_trace_losses(const struct bpf_trace *t, struct bpf_trace_losses *ret, struct diag *diag);

/* Plans the data that BPF programs copy for each call, from the types of its arguments. */

/*
 * Returns the plan for @desc; NULL: an unknown call, for which nothing is copied. @string_limit:
 * the bytes of buffers and of each string of argv; names and structs are copied whole.
 */
struct trace_plan trace_plan_of(const struct syscall_desc *desc, uint32_t string_limit);

/* True if the call makes descriptors. */
bool trace_plan_makes_files(const struct trace_plan *plan);

/* The data that is copied for one command of a call. */
struct trace_variant {
	struct trace_variant_key key;
	struct trace_copy copy;
};

/* Passes everything that is copied for single commands to @put, until that returns an error. */
int trace_variants_each(enum syscall_abi abi, uint32_t string_limit,
			int (*put)(void *arg, const struct trace_variant *v), void *arg);

/* Makes the plans for all calls of @abi. */
void trace_plans_fill(enum syscall_abi abi, uint32_t string_limit,
		      struct trace_plan ret[TRACE_CALLS_MAX]);
