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
 * machine). The caller frees *@ret. -ENOENT: this machine does not say.
 */
int cpuid_read(const char *root, unsigned cpu, char **ret);

/*
 * The same as perf.data headers have it: on x86 in decimal and with commas,
 * "GenuineIntel,6,142,10".
 */
int cpuid_read_plain(const char *root, unsigned cpu, char **ret);

/* The model's name, where the machine has one (x86: "AMD EPYC 7R13"). -ENOENT otherwise. */
int cpuid_read_model(const char *root, char **ret);
