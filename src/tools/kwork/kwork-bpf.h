/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Work of the kernel, counted in the kernel by BPF programs: how long interrupts, softirqs and work
 * items run or wait; or what tasks and interrupts take of each CPU.
 *
 * Counts may be read at any time. Nothing is pinned: all is gone when the process ends.
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
	bool classes[BPF_KWORK_CLASSES]; /* which are counted */
};

/*
 * Loads the programs and begins. -EOPNOTSUPP: BPF cannot do this here, for a reason that is no
 * failure; other errors: the kernel refuses. @diag says why.
 */
int bpf_kwork_begin(const struct bpf_kwork_request *rq, struct bpf_kwork **ret, struct diag *diag);

/* Nothing more is counted from now on; what was counted stays to be read. */
void bpf_kwork_stop(struct bpf_kwork *k);

/* Ends it; nothing stays in the kernel. */
void bpf_kwork_free(struct bpf_kwork *k);
DEFINE_FREEP(bpf_kwork)

/* Hands all rows to @take, in no order. Errors with @diag. */
int bpf_kwork_read(const struct bpf_kwork *k,
		   void (*take)(void *arg, const struct bpf_kwork_key *key,
				const struct bpf_kwork_row *row),
		   void *arg, struct diag *diag);

/* What is not in the rows: @ret has BPF_KWORK_COUNTS numbers. Errors with @diag. */
int bpf_kwork_counts(const struct bpf_kwork *k, uint64_t *ret, struct diag *diag);

/* How many events were not counted because they came while another program ran. */
uint64_t bpf_kwork_missed(const struct bpf_kwork *k);
