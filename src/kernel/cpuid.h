/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The identity of this CPU, as the text that selects vendors' event tables.
 *
 * Arm: the Main ID Register without variant and revision, "0x00000000410fd0c0". x86: vendor,
 * family, model and stepping, "GenuineIntel-6-8E-A".
 */

/*
 * Reads the identity of @cpu; $PERF_CPUID overrides it. @root is the prefix of /sys and /proc (""
 * for this machine). The caller frees *@ret. -ENOENT: this machine does not provide it.
 */
int cpuid_read(const char *root, unsigned cpu, char **ret);

/*
 * Reads the same in the form of perf.data headers: on x86 in decimal and with commas,
 * "GenuineIntel,6,142,10".
 */
int cpuid_read_plain(const char *root, unsigned cpu, char **ret);

/* Reads the model's name, if the machine has one (x86: "AMD EPYC 7R13"). -ENOENT otherwise. */
int cpuid_read_model(const char *root, char **ret);
