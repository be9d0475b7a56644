/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts waits for locks in the kernel with BPF programs: waits for locks of the kernel, and for
 * futexes, from which locks of user space are made.
 *
 * The memory in the kernel is set by the maximum number of rows, and does not grow. perf itself
 * sleeps until the end. The counts may be read at any time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"
#include "base/u64-map.h"
#include "bpf/targets.h"
#include "tools/lock/bpf-types.h"

struct bpf_lock;
struct diag;

struct bpf_lock_request {
	struct bpf_targets targets;
	bool limits_user;
	uid_t user;
	const int *cgroup_fds; /* only tasks in or below one of them count; NULL: all */
	size_t n_cgroup_fds;

	enum bpf_lock_by by;
	bool owners;            /* tasks and stacks are those of the lock's holder */
	bool kernel, futexes;   /* the locks that count */
	uint32_t kernel_frames; /* the frames of a stack; 0: rows have no stack */
	uint32_t user_frames;   /* the frames of a futex waiter's stack; at least 1 */
	/* stacks of futex waiters are unwound by rules, with interpreted functions, where possible
	 */
	bool unwinds;
	uint32_t rows_max;

	/* The filter for locks of the kernel: */
	uint64_t wanted_flags; /* a bit for each combination of the kernel's LCB_F_* */
	bool limits_locks;     /* only @addrs and @named (1 << BPF_LOCK_...) count */
	const uint64_t *addrs;
	size_t n_addrs;
	uint32_t named;
};

/*
 * Loads the programs and begins to count. Returns -EOPNOTSUPP if BPF cannot do this here, for a
 * reason that is not a failure, or another error if the kernel refuses. @diag contains the reason.
 */
int bpf_lock_begin(const struct bpf_lock_request *rq, struct bpf_lock **ret, struct diag *diag);

/* Stops counting. The counts can still be read. */
void bpf_lock_stop(struct bpf_lock *l);

/* Ends it and frees @l; nothing stays in the kernel. */
void bpf_lock_free(struct bpf_lock *l);
DEFINE_FREEP(bpf_lock)

/* The waits of one row. Members that are not part of the grouping are those of the first wait. */
struct bpf_lock_row {
	bool is_futex;
	uint32_t flags;    /* LCB_F_* of a kernel lock */
	uint32_t op;       /* the operation on a futex: FUTEX_WAIT, ... */
	uint32_t value;    /* the expected value */
	uint32_t pid, tid; /* tid 0: the owner is unknown, or the idle task */
	uint64_t addr, cgroup;
	enum bpf_lock_name name;
	const char *cache; /* the slab that contains the lock; "": unknown */
	const char *comm;  /* "": not known */
	const uint64_t *stack;
	size_t n_stack;
	bool is_unwound; /* the stack has interpreted frames, which take two words */
	uint64_t waits;  /* never 0 */
	uint64_t total_ns, max_ns, min_ns;
	uint64_t open; /* those of the waits that had not ended; they last until now */
};

/*
 * Passes all rows to @take, in no particular order. Waits that have not ended last until @now_ns,
 * on the monotonic clock. @take returns 0 to go on, or < 0 to stop with that error, which is
 * returned. Other errors with @diag.
 */
int bpf_lock_read(struct bpf_lock *l, uint64_t now_ns,
		  int (*take)(void *arg, const struct bpf_lock_row *row), void *arg,
		  struct diag *diag);

/*
 * Finds the interpreted function at @addr of a row's stack, which bpf_lock_read() has given. The
 * name lives as long as @l. NULL: it is another address.
 */
const char *bpf_lock_function(const struct bpf_lock *l, uint64_t addr);

/* The numbers of events that are missing in the counts. */
struct bpf_lock_losses {
	uint64_t tasks;   /* waits: the table of tasks was full */
	uint64_t rows;    /* waits: the table of rows was full */
	uint64_t stacks;  /* waits counted without a stack that could not be read */
	uint64_t nested;  /* waits nested too deeply, or whose end was not seen */
	uint64_t targets; /* forked tasks that could not be followed */
	uint64_t runs;    /* programs not run because another one was running on the CPU */
};

int bpf_lock_losses(const struct bpf_lock *l, struct bpf_lock_losses *ret, struct diag *diag);

/*
 * Makes rows of tools/lock/lock-bpf.h from the maps of lock.bpf.c. No function here calls the
 * kernel.
 */

/* Waits that have not ended, added up by row. */
struct bpf_lock_open_waits {
	struct u64_map rows;
	struct bpf_lock_open_sum {
		uint64_t n, total_ns, max_ns, min_ns;
	} * *sums; /* owned */
	size_t n, room;
};

/* Adds @w, which lasts until @now_ns. An unused entry (begin 0, or no lock) adds nothing. */
void bpf_lock_open_waits_add(struct bpf_lock_open_waits *o, const struct bpf_lock_wait *w,
			     uint64_t now_ns);

/* Returns the sums of row @row, or NULL. */
const struct bpf_lock_open_sum *bpf_lock_open_waits_of(const struct bpf_lock_open_waits *o,
						       uint32_t row);
void bpf_lock_open_waits_done(struct bpf_lock_open_waits *o);

/*
 * Fills in *@ret, except for its counts. *@ret refers to @info, which has @size bytes and whose
 * texts are terminated here.
 */
void bpf_lock_row_make(const struct bpf_lock_key *key, struct bpf_lock_info *info, size_t size,
		       struct bpf_lock_row *ret);

/* Adds up the counts of @n CPUs and the open waits @open, which may be NULL. */
void bpf_lock_row_count(struct bpf_lock_row *row, const struct bpf_lock_counts *counts, size_t n,
			const struct bpf_lock_open_sum *open);
