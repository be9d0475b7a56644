/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Plans the work of the BPF programs that count waits for locks: filters become flags, addresses
 * and cgroups. The kernel's programs are not involved here.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/cgroup.h"
#include "tools/lock/lock-bpf.h"

struct diag;
struct lock_names;
struct lock_request;

struct lock_bpf_plan {
	struct bpf_lock_request request; /* without its targets; refers to the members below */
	struct {
		uint64_t *items;
		size_t n, room;
	} addrs;
	struct {
		struct cgroup *items;
		size_t n, room;
	} cgroups;
	int *cgroup_fds;
};

/*
 * Plans @rq. Locks are looked up with @names. Errors with @diag: -EINVAL and -ENOENT if a filter
 * names something that does not exist; -EOPNOTSUPP if BPF programs may not do it. *@ret is released
 * in any case.
 */
int lock_bpf_plan(const struct lock_request *rq, const struct lock_names *names,
		  struct lock_bpf_plan *ret, struct diag *diag);
void lock_bpf_plan_done(struct lock_bpf_plan *p);
