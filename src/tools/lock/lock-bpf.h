/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Waits for locks, counted in the kernel by BPF programs: for locks of the kernel, and for futexes,
 * which locks of user space are made of.
 *
 * Memory in the kernel is set by how many rows there may be, and does not grow. perf itself sleeps
 * until the end; what was counted may be read at any time.
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
	const int *cgroup_fds; /* a task counts in any of them, or below; NULL: in all */
	size_t n_cgroup_fds;

	enum bpf_lock_by by;
	bool owners;            /* tasks and stacks are those of who has the lock */
	bool kernel, futexes;   /* which locks count */
	uint32_t kernel_frames; /* of a stack; 0: rows have none */
	uint32_t user_frames;   /* of the stack of who waits for a futex; at least 1 */
	uint32_t rows_max;

	/* Locks of the kernel that count: */
	uint64_t wanted_flags; /* a bit for each combination of the kernel's LCB_F_* */
	bool limits_locks;     /* to those of @addrs, and those of @named: 1 << BPF_LOCK_... */
	const uint64_t *addrs;
	size_t n_addrs;
	uint32_t named;
};

/*
 * Loads the programs and begins. -EOPNOTSUPP: BPF cannot do this here, for a reason that is no
 * failure; other errors: the kernel refuses. @diag says why.
 */
int bpf_lock_begin(const struct bpf_lock_request *rq, struct bpf_lock **ret, struct diag *diag);

/* Nothing more is counted from now on; what was counted stays to be read. */
void bpf_lock_stop(struct bpf_lock *l);

/* Ends it; nothing stays in the kernel. */
void bpf_lock_free(struct bpf_lock *l);
DEFINE_FREEP(bpf_lock)

/* Waits of one row. What rows are not made by, is that of the first wait. */
struct bpf_lock_row {
	bool is_futex;
	uint32_t flags;    /* of a lock of the kernel: LCB_F_* */
	uint32_t op;       /* of a futex: FUTEX_WAIT, ... */
	uint32_t value;    /* and which one it must have had */
	uint32_t pid, tid; /* tid 0: the owner is not known, or the idle task */
	uint64_t addr, cgroup;
	enum bpf_lock_name name;
	const char *cache; /* of the slab that the lock is in; "": not known */
	const char *comm;  /* "": not known */
	const uint64_t *stack;
	size_t n_stack;
	uint64_t waits; /* never 0 */
	uint64_t total_ns, max_ns, min_ns;
	uint64_t open; /* of the waits, those that had not ended: they last until now */
};

/*
 * Hands all rows to @take, in no order. Waits that have not ended last until @now_ns, on the
 * monotonic clock. @take returns 0 to go on, < 0 to stop with that error, which is returned. Other
 * errors with @diag.
 */
int bpf_lock_read(const struct bpf_lock *l, uint64_t now_ns,
		  int (*take)(void *arg, const struct bpf_lock_row *row), void *arg,
		  struct diag *diag);

/* What is missing in the counts. */
struct bpf_lock_losses {
	uint64_t tasks;   /* waits: no room for their task */
	uint64_t rows;    /* waits: no room for their row */
	uint64_t stacks;  /* waits that are counted without a stack, as it could not be read */
	uint64_t nested;  /* waits inside of too many others, or whose end was not seen */
	uint64_t targets; /* forked tasks that could not be followed */
	uint64_t runs;    /* of programs, because another one was running on the CPU */
};

int bpf_lock_losses(const struct bpf_lock *l, struct bpf_lock_losses *ret, struct diag *diag);

/*
 * What the programs of lock.bpf.c have left in their maps, as rows of tools/lock/lock-bpf.h.
 * Nothing here asks the kernel.
 */

/* Waits that have not ended, added up by row. */
struct bpf_lock_open_waits {
	struct u64_map rows;
	struct bpf_lock_open_sum {
		uint64_t n, total_ns, max_ns, min_ns;
	} * *sums; /* owned */
	size_t n, room;
};

/* Adds @w, which lasts until @now_ns; one that is none (begin 0, or no lock) adds nothing. */
void bpf_lock_open_waits_add(struct bpf_lock_open_waits *o, const struct bpf_lock_wait *w,
			     uint64_t now_ns);

/* Those of row @row, or NULL. */
const struct bpf_lock_open_sum *bpf_lock_open_waits_of(const struct bpf_lock_open_waits *o,
						       uint32_t row);
void bpf_lock_open_waits_done(struct bpf_lock_open_waits *o);

/*
 * Fills *@ret in but for its counts; it refers to @info, of which there are @size bytes, and makes
 * its texts end.
 */
void bpf_lock_row_make(const struct bpf_lock_key *key, struct bpf_lock_info *info, size_t size,
		       struct bpf_lock_row *ret);

/* Adds up the counts of @n CPUs and the open waits @open, which may be NULL. */
void bpf_lock_row_count(struct bpf_lock_row *row, const struct bpf_lock_counts *counts, size_t n,
			const struct bpf_lock_open_sum *open);
