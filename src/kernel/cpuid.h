/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which CPU this is, as the text that vendors' event tables are chosen by.
 *
 * Arm: the Main ID Register without variant and revision, "0x00000000410fd0c0". x86: vendor,
 * family, model and stepping, "GenuineIntel-6-8E-A".
 */

/*
 * The identity of @cpu; $PERF_CPUID overrides it. @root stands before /sys and /proc ("" for this
 * machine). The caller frees *@ret. -ENOENT: this machine does not tell.
 */
int cpuid_read(const char *root, unsigned cpu, char **ret);
