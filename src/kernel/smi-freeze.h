/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whether counters of Intel's cores stand still in system management interrupts: a setting of the
 * PMU for the whole machine, /sys/devices/cpu/freeze_on_smi. msr/aperf/ goes on in any case, so the
 * difference is the time that these interrupts took.
 */
#include <stdbool.h>

struct diag;

struct smi_freeze {
	bool is_ours; /* it was off before smi_freeze_begin() */
};

/*
 * Switches it on. @root stands before /sys ("" for this machine). -EOPNOTSUPP (the machine does not
 * have it), -EACCES, ... with @diag set.
 */
int smi_freeze_begin(const char *root, struct smi_freeze *ret, struct diag *diag);

/* Switches it off again if it was off. May be called twice, and without a begin. */
void smi_freeze_end(const char *root, struct smi_freeze *s);
