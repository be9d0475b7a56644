/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Explains why perf_event_open() failed, and what to do about it.
 *
 * The kernel returns only an errno, which depends on the event, the machine, the user's rights and
 * limits. Facts are gathered first and judged afterwards, so that every case can be tested on any
 * machine.
 */
#include <stdbool.h>
#include <stdint.h>

struct attr;
struct diag;

struct perf_event_facts {
	bool has_perf_events; /* the kernel has CONFIG_PERF_EVENTS */
	int paranoid;         /* kernel.perf_event_paranoid */
	bool privileged;      /* CAP_PERFMON or CAP_SYS_ADMIN is in effect */
	bool root;            /* effective user 0, which may mean little in a container */
	bool seccomp;         /* a filter on system calls is in force, as in containers */
	bool core_pmu;        /* sysfs shows hardware counters of the CPUs */
	bool nmi_watchdog;    /* it uses one of them */
	unsigned max_stack;   /* kernel.perf_event_max_stack */
	uint64_t files_soft;  /* RLIMIT_NOFILE */
	uint64_t files_hard;
};

/* Returns the number of frames of a stack that the kernel takes: kernel.perf_event_max_stack. */
unsigned perf_event_max_stack(void);

/* Reads the facts from procfs and sysfs; those that cannot be read get the kernel's default. */
struct perf_event_facts perf_event_facts_gather(void);

/*
 * Explains in @diag why opening @attr, which the user calls @name, failed with the errno @error
 * (positive or negative), with the remedy as hint. Returns the negative errno.
 */
int perf_event_explain(const struct attr *attr, const char *name, int error, struct diag *diag);

/* Does the same with @facts instead of this machine's facts. */
int perf_event_explain_with(const struct perf_event_facts *facts, const struct attr *attr,
			    const char *name, int error, struct diag *diag);
