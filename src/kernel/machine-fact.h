/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Numbers about this machine that formulas of metrics use (#smt_on) and `perf stat` shows as events
 * (num_cpus): read from sysfs and /proc, never counted.
 */
#include <stdint.h>

enum machine_fact {
	MACHINE_HAS_PMEM, /* 1 if there is persistent memory */
	MACHINE_NUM_CORES,
	MACHINE_NUM_CPUS,
	MACHINE_NUM_CPUS_ONLINE,
	MACHINE_NUM_DIES,
	MACHINE_NUM_PACKAGES,
	MACHINE_SLOTS,           /* operations that a core issues per cycle; Arm */
	MACHINE_SMT_ON,          /* 1 if threads share a core */
	MACHINE_SYSTEM_TSC_FREQ, /* in Hz; x86 */
	MACHINE_REVISION,        /* revision of an Arm core: r1p2 is 0x12 */
	MACHINE_FACTS,
};

/* Finds a fact by its name in formulas ("num_cpus"); MACHINE_FACTS: there is none. */
enum machine_fact machine_fact_find(const char *name);

/*
 * Reads a fact. @root is the prefix of /sys and /proc ("" for this machine). -ENOENT: this machine
 * does not provide it.
 */
int machine_fact_read(const char *root, enum machine_fact fact, uint64_t *ret);
