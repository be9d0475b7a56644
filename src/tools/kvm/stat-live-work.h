/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why guests stop now: events of KVM through ring buffers, for tools/kvm/stat-model.h, without a
 * file.
 */
#include "measure/record.h"
#include "tools/kvm/stat-model.h"

struct diag;
struct notes;

struct kvm_live_request {
	struct kvm_stat_options model; /* its pids are those of the target, too */
	bool all_cpus;
	uint64_t data_pages; /* of each ring buffer; 0: as many as record takes */
	uint64_t interval_ms;
	/* Called every so often, and at the end. */
	int (*on_interval)(void *arg, struct kvm_stat *m, bool is_last);
	void *arg;
};

/*
 * Goes on until the virtual machines have ended or a signal comes. A negative errno with @diag set.
 * *@ret is set in any case.
 */
int kvm_stat_watch(const struct kvm_live_request *rq, struct notes *notes,
		   struct record_result *ret, struct diag *diag);
