/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads the exits of guests from a recording, for tools/kvm/stat-model.h. */
#include "profile/recorded.h"
#include "tools/kvm/stat-model.h"

struct diag;
struct notes;

struct kvm_stat_request {
	struct recorded_request recorded;
	struct kvm_stat_options model;
};

/*
 * Fills @m, which is all zero and which the caller releases in any case. Returns a negative errno
 * with @diag set; -EOPNOTSUPP: the recording does not contain the meaning of its exit codes.
 */
int kvm_stat_read(const struct kvm_stat_request *rq, struct kvm_stat *m, struct notes *notes,
		  struct diag *diag);

/* Returns the tracepoint whose events @kind counts, like "kvm:kvm_exit". */
const char *kvm_stat_tracepoint(enum kvm_stat_kind kind);
