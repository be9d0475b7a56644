/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sensors that drivers show in /sys/class/hwmon: temperatures, fans, voltages, power. Each input of
 * a device is an event that `perf stat` reads; no counter is involved.
 */
#include <stddef.h>

/* Their directory on this machine. */
#define HWMON_CLASS "/sys/class/hwmon"

struct hwmon_event {
	char *name;  /* "temp_core_0", from its label; "temp1" if it has none */
	char *alias; /* "temp1" if there is a label; or NULL */
	char *file;  /* the file with the value */
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
 * Reads all devices of the directory @root with their inputs, sorted by name. A missing directory
 * has none; invalid data is skipped. The caller calls hwmon_list_done().
 */
void hwmon_list_read(const char *root, struct hwmon_list *ret);
void hwmon_list_done(struct hwmon_list *l);
