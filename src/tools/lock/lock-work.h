/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf lock` is asked for: a recording, or what happens now, through ring buffers or counted
 * in the kernel.
 *
 *	file ─► tools/lock/file-work ─► session_feed() ──┐
 *	live ─► tools/lock/live-work ─► measure/live ────────┼─► tools/lock/contention-model ─► the
 *listener -b   ─► tools/lock/bpf-work  ─► tools/lock/lock-bpf ────────┘
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

/* What all of perf lock takes. Texts are borrowed. */
struct lock_input {
	const char *path; /* of the recording */
	bool force;
	struct symbol_request symbols; /* --vmlinux, --kallsyms */
	const char *buildid_dir;
	struct progress *progress;
};

struct lock_request {
	struct lock_input input;
	bool is_live;      /* what happens now, and no recording */
	bool use_bpf;      /* counted in the kernel; with is_live */
	bool user;         /* locks of user space as well */
	bool user_only;    /* no others */
	char *const *argv; /* the command, NULL-terminated; empty: none */
	/* Whom to measure; of a recording, the CPUs, processes and threads that count. */
	struct target target;

	enum lock_by by;
	bool acquisitions; /* for `report` and `info` */
	bool keep_threads; /* for `info` */
	bool owners;
	struct lock_filters filters;
	const char *cgroups;      /* -G: a list of paths; whoever measures looks them up */
	const char *inject_delay; /* -J: TIME@FUNCTION,... */
	uint64_t map_entries;     /* room for rows in the kernel; 0: unsaid */
	uint64_t max_stack, stack_skip;
	bool keep_stacks;
	bool verbose;
	uint64_t interval_ms; /* with is_live: what was counted so far is shown so often; 0: not */
};

void lock_request_done(struct lock_request *rq);

/* What was counted so far; it is valid while it is shown. */
struct lock_counted {
	struct lock_contention *model;
	const struct lock_names *names;
	uint64_t time_ns; /* since the beginning; of a recording 0 */
	bool is_last;
};

/* Who gets the model: at the end, before its names go, and before that with interval_ms. */
struct lock_listener {
	int (*show)(void *arg, const struct lock_counted *s);
	void *arg;
};

/*
 * Reads or measures as @rq says. What is missing goes to @notes. A negative errno with @diag set:
 * also that of the listener. *@ret is set in any case; of a recording it has nothing but zeros.
 */
int lock_run(const struct lock_request *rq, const struct lock_listener *listener,
	     struct notes *notes, struct record_result *ret, struct diag *diag);
