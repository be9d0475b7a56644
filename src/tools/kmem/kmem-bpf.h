/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts the current work of the kernel's memory allocators in the kernel with BPF programs.
 *
 * The memory in the kernel is set by the maximum number of rows and of allocated objects, and does
 * not grow. perf itself sleeps until the end.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "bpf/targets.h"
#include "tools/kmem/bpf-types.h"

struct bpf_kmem;
struct diag;
struct event_env;

struct bpf_kmem_request {
	struct event_env *env;
	struct bpf_targets targets;
	bool slab, page; /* the allocators to count */
};

/*
 * Loads the programs and begins to count. Returns -EOPNOTSUPP if BPF cannot do this here, for a
 * reason that is not a failure, or another error if the kernel refuses. @diag contains the reason.
 */
int bpf_kmem_begin(const struct bpf_kmem_request *rq, struct bpf_kmem **ret, struct diag *diag);

/* Stops counting. The counts can still be read. */
void bpf_kmem_stop(struct bpf_kmem *k);

/* Ends it and frees @k; nothing stays in the kernel. */
void bpf_kmem_free(struct bpf_kmem *k);
DEFINE_FREEP(bpf_kmem)

/* The objects of a call site. */
struct bpf_kmem_site {
	uint64_t call_site;
	struct bpf_kmem_counts counts;
};

/* The pages that were allocated with the same key. */
struct bpf_kmem_page_row {
	struct bpf_kmem_page_key key;
	struct bpf_kmem_counts counts;
	uint64_t frames[BPF_KMEM_FRAMES]; /* innermost first, up to 0 */
};

/* An object or page that is allocated. */
struct bpf_kmem_live {
	uint64_t addr; /* the address of the object or struct page */
	struct bpf_kmem_slot slot;
};

/* Everything is indexed by `row`: sites[row] is the call site of an object. */
struct bpf_kmem_result {
	struct bpf_kmem_site *sites;
	size_t n_sites;
	struct bpf_kmem_page_row *page_rows;
	size_t n_page_rows;
	struct bpf_kmem_live *objects, *pages;
	size_t n_objects, n_pages;
	uint64_t totals[BPF_KMEM_TOTALS];
	uint64_t lost_tasks;  /* forked tasks that could not be followed */
	uint64_t missed_runs; /* programs not run because another one was running on the CPU */
};

/*
 * Reads what was counted until bpf_kmem_stop(). Errors with @diag. *@ret must be released in any
 * case.
 */
int bpf_kmem_read(const struct bpf_kmem *k, struct bpf_kmem_result *ret, struct diag *diag);
void bpf_kmem_result_done(struct bpf_kmem_result *r);
