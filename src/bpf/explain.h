/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why the kernel refuses a BPF program, and what to do about it.
 *
 * Facts are gathered first and judged afterwards, as in kernel/explain.h, so that every case can be
 * tested on any machine.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;

struct bpf_facts {
	bool root;          /* effective user 0, which in a container may mean little */
	bool may_load;      /* CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN */
	bool seccomp;       /* a filter on system calls is in force, as in containers */
	bool locked_down;   /* kernel lockdown at `confidentiality`, which forbids reading memory */
	uint64_t bpf_limit; /* RLIMIT_MEMLOCK, which kernels before 5.11 charge maps to */
};

struct bpf_facts bpf_facts_gather(void);

/*
 * Says in @diag why loading failed with @error, a negative errno. @log is what the verifier wrote,
 * or "". Returns @error.
 */
int bpf_explain(int error, const char *log, struct diag *diag);

/* The same from @facts instead of this machine's. */
int bpf_explain_with(const struct bpf_facts *facts, int error, const char *log, struct diag *diag);
