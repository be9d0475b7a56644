/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The setting that stops counters of Intel's cores in system management interrupts: it belongs to
 * the PMU and applies to the whole machine, /sys/devices/cpu/freeze_on_smi. msr/aperf/ continues in
 * any case, so the difference is the time of these interrupts.
 */
#include <stdbool.h>

struct diag;

struct smi_freeze {
	bool is_ours; /* it was off before smi_freeze_begin() */
};

/*
 * Switches it on. @root is the prefix of /sys ("" for this machine). -EOPNOTSUPP (the machine does
 * not have it), -EACCES, ... with @diag set.
 */
int smi_freeze_begin(const char *root, struct smi_freeze *ret, struct diag *diag);

/*
 * Switches it off again if it was off before. May be called twice, and without smi_freeze_begin().
 */
void smi_freeze_end(const char *root, struct smi_freeze *s);
