/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What `perf lock` is asked for: contention of a recording, of what happens now through ring
 * buffers, or counted in the kernel.
 *
 *	file ─► job/lock-file ─► session_feed() ──┐
 *	live ─► job/lock-live ─► job/live ────────┼─► analysis/lock/contention
 *	-b   ─► job/lock-bpf  ─► bpf/lock ────────┘
 */
#include <stdbool.h>
#include <stdint.h>

#include "analysis/lock/contention.h"
#include "job/record.h"
#include "job/symbol-request.h"
#include "job/target.h"

struct diag;
struct notes;
struct progress;

/* What all of perf lock takes. Texts are borrowed. */
struct lock_input {
	const char *path; /* of the recording; NULL: perf.data */
	bool force;
	struct symbol_request symbols; /* --vmlinux, --kallsyms */
	const char *buildid_dir;
	struct progress *progress;
};

struct lock_request {
	struct lock_input input;
	bool use_bpf;
	char *const *argv; /* the command, NULL-terminated; empty: none */
	struct target target;

	enum lock_by by;
	bool owners;
	struct lock_filters filters;
	const char *cgroups;      /* -G: a list of paths; whoever measures looks them up */
	const char *inject_delay; /* -J: TIME@FUNCTION,... */
	uint64_t map_entries;     /* room for rows in the kernel; 0: unsaid */
	uint64_t max_stack, stack_skip;
	bool keep_stacks;
	bool verbose;
};

void lock_request_done(struct lock_request *rq);
