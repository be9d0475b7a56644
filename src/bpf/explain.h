/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Explains why the kernel rejects a BPF program, and what to do about it.
 *
 * Facts are gathered first and judged afterwards, as in kernel/explain.h, so that every case can be
 * tested on any machine.
 */
#include <stdbool.h>
#include <stdint.h>

struct diag;

struct bpf_facts {
	bool root;          /* effective user 0, which may mean little in a container */
	bool may_load;      /* CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN */
	bool seccomp;       /* a filter on system calls is in force, as in containers */
	bool locked_down;   /* kernel lockdown at `confidentiality`, which forbids reading memory */
	uint64_t bpf_limit; /* RLIMIT_MEMLOCK, to which kernels before 5.11 charge maps */
};

struct bpf_facts bpf_facts_gather(void);

/*
 * Explains in @diag why loading failed with @error, a negative errno. @log is the verifier's
 * output, or "". Returns @error.
 */
int bpf_explain(int error, const char *log, struct diag *diag);

/* Does the same with @facts instead of this machine's facts. */
int bpf_explain_with(const struct bpf_facts *facts, int error, const char *log, struct diag *diag);
