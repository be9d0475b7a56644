/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Why perf_event_open() failed, and what to do about it.
 *
 * The kernel answers with a bare errno that depends on the event, the machine, the user's rights
 * and limits. Facts are gathered first and judged afterwards, so that every case can be tested on
 * any machine.
 */
#include <stdbool.h>
#include <stdint.h>

struct attr;
struct diag;

struct perf_event_facts {
	bool has_perf_events; /* the kernel has CONFIG_PERF_EVENTS */
	int paranoid;         /* kernel.perf_event_paranoid */
	bool privileged;      /* CAP_PERFMON or CAP_SYS_ADMIN is in effect */
	bool root;            /* effective user 0, which in a container may mean little */
	bool seccomp;         /* a filter on system calls is in force, as in containers */
	bool core_pmu;        /* sysfs shows hardware counters of the CPUs */
	bool nmi_watchdog;    /* which takes one of them */
	unsigned max_stack;   /* kernel.perf_event_max_stack */
	uint64_t files_soft;  /* RLIMIT_NOFILE */
	uint64_t files_hard;
};

/* How many frames of a stack the kernel takes: kernel.perf_event_max_stack. */
unsigned perf_event_max_stack(void);

/* Reads them from procfs and sysfs; what cannot be read gets the kernel's default. */
struct perf_event_facts perf_event_facts_gather(void);

/*
 * Says in @diag why opening @attr, called @name by the user, failed with the errno @error (positive
 * or negative), with the cure as hint. Returns the negative errno.
 */
int perf_event_explain(const struct attr *attr, const char *name, int error, struct diag *diag);

/* The same from @facts instead of this machine's. */
int perf_event_explain_with(const struct perf_event_facts *facts, const struct attr *attr,
			    const char *name, int error, struct diag *diag);
