/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The request to `perf lock`: a recording, or live events from ring buffers, or live counts in the
 * kernel.
 *
 *	file ─► file-work ─► session_feed() ─┐
 *	live ─► live-work ─► measure/live ───┼─► contention-model ─► the listener
 *	-b   ─► bpf-work ──► lock-bpf ───────┘
 */
#include <stdbool.h>
#include <stdint.h>

#include "measure/record.h"
#include "measure/target.h"
#include "symbol/symbol-request.h"
#include "tools/lock/contention-model.h"

struct diag;
struct notes;
struct progress;

/* The input that all subcommands of perf lock take. Texts are borrowed. */
struct lock_input {
	const char *path; /* the recording's path */
	bool force;
	struct symbol_request symbols; /* --vmlinux, --kallsyms */
	const char *buildid_dir;
	struct progress *progress;
};

struct lock_request {
	struct lock_input input;
	bool is_live;      /* measure live, without a recording */
	bool use_bpf;      /* count in the kernel; with is_live */
	bool user;         /* also locks of user space */
	bool user_only;    /* only locks of user space */
	char *const *argv; /* the command, NULL-terminated; empty: no command */
	/* The target to measure; for a recording, the CPUs, processes and threads that count. */
	struct target target;

	enum lock_by by;
	bool acquisitions; /* for `report` and `info` */
	bool keep_threads; /* for `info` */
	bool owners;
	struct lock_filters filters;
	const char *cgroups;      /* -G: a list of paths; looked up when measuring */
	const char *inject_delay; /* -J: TIME@FUNCTION,... */
	uint64_t map_entries;     /* the maximum number of rows in the kernel; 0: default */
	uint64_t max_stack, stack_skip;
	bool keep_stacks;
	bool verbose;
	uint64_t interval_ms; /* with is_live: the interval for showing the counts; 0: none */
};

void lock_request_done(struct lock_request *rq);

/* The counts so far. They are valid while they are shown. */
struct lock_counted {
	struct lock_contention *model;
	const struct lock_names *names;
	uint64_t time_ns; /* since the beginning; 0 for a recording */
	bool is_last;
};

/*
 * Receives the model: at the end, before its names are freed, and with interval_ms also in between.
 */
struct lock_listener {
	int (*show)(void *arg, const struct lock_counted *s);
	void *arg;
};

/*
 * Reads or measures as @rq requests. What is missing is reported in @notes. Returns a negative
 * errno with @diag set, or the error of the listener. *@ret is set in any case; for a recording it
 * is all zero.
 */
int lock_run(const struct lock_request *rq, const struct lock_listener *listener,
	     struct notes *notes, struct record_result *ret, struct diag *diag);
