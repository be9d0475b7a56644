/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts the kernel's work in the kernel with BPF programs: the run times or waiting times of
 * interrupts, softirqs and work items; or the time that tasks and interrupts take of each CPU.
 *
 * Counts may be read at any time. Nothing is pinned: everything is gone when the process ends.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "tools/kwork/bpf-types.h"

struct bpf_kwork;
struct diag;

struct bpf_kwork_request {
	uint32_t mode;                   /* BPF_KWORK_RUNTIME, BPF_KWORK_DELAY or BPF_KWORK_USAGE */
	bool classes[BPF_KWORK_CLASSES]; /* the classes that are counted */
};

/*
 * Loads the programs and begins to count. Returns -EOPNOTSUPP if BPF cannot do this here, for a
 * reason that is not a failure, or another error if the kernel refuses. @diag contains the reason.
 */
int bpf_kwork_begin(const struct bpf_kwork_request *rq, struct bpf_kwork **ret, struct diag *diag);

/* Stops counting. The counts can still be read. */
void bpf_kwork_stop(struct bpf_kwork *k);

/* Ends it and frees @k; nothing stays in the kernel. */
void bpf_kwork_free(struct bpf_kwork *k);
DEFINE_FREEP(bpf_kwork)

/* Passes all rows to @take, in no particular order. Errors with @diag. */
int bpf_kwork_read(const struct bpf_kwork *k,
		   void (*take)(void *arg, const struct bpf_kwork_key *key,
				const struct bpf_kwork_row *row),
		   void *arg, struct diag *diag);

/*
 * Reads the counts of events that are not in the rows. @ret has BPF_KWORK_COUNTS numbers. Errors
 * with @diag.
 */
int bpf_kwork_counts(const struct bpf_kwork *k, uint64_t *ret, struct diag *diag);

/*
 * Returns the number of events that were not counted because they arrived while another program
 * ran.
 */
uint64_t bpf_kwork_missed(const struct bpf_kwork *k);
