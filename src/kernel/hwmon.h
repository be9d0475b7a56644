/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sensors that drivers show in /sys/class/hwmon: temperatures, fans, voltages, power. Each input of
 * a device is an event that `perf stat` reads; nothing counts it.
 */
#include <stddef.h>

/* Where they are on this machine. */
#define HWMON_CLASS "/sys/class/hwmon"

struct hwmon_event {
	char *name;  /* "temp_core_0", by its label; "temp1" if it has none */
	char *alias; /* "temp1" where there is a label; or NULL */
	char *file;  /* with the value */
	char *brief;
	const char *unit;
	double scale;
	unsigned config; /* kind << 16 | number, for `perf list --details` */
};

struct hwmon {
	char *directory; /* "hwmon1" */
	char *pmu;       /* "hwmon_coretemp" */
	struct hwmon_event *items;
	size_t n, room;
};

struct hwmon_list {
	struct hwmon *items;
	size_t n, room;
};

/*
 * All devices of the directory @root with their inputs, sorted by name. A directory that is not
 * there has none; what makes no sense is passed over. The caller calls hwmon_list_done().
 */
void hwmon_list_read(const char *root, struct hwmon_list *ret);
void hwmon_list_done(struct hwmon_list *l);
