/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts why guests stop now: passes events of KVM from ring buffers to tools/kvm/stat-model.h,
 * without a file.
 */
#include "measure/record.h"
#include "tools/kvm/stat-model.h"

struct diag;
struct notes;

struct kvm_live_request {
	struct kvm_stat_options model; /* its pids are also those of the target */
	bool all_cpus;
	uint64_t data_pages; /* pages of each ring buffer; 0: the default of record */
	uint64_t interval_ms;
	/* Called at each interval, and at the end. */
	int (*on_interval)(void *arg, struct kvm_stat *m, bool is_last);
	void *arg;
};

/*
 * Runs until the virtual machines have ended or a signal arrives. Returns a negative errno with
 * @diag set. *@ret is set in any case.
 */
int kvm_stat_watch(const struct kvm_live_request *rq, struct notes *notes,
		   struct record_result *ret, struct diag *diag);
