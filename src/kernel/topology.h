/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The topology of this machine, read from /sys/devices/system.
 */
#include "wire/topology.h"

struct cpu_list;
struct diag;

#define SYSTEM_DEVICES "/sys/devices/system"

/*
 * Reads the place of each online CPU from the directory @system. Data missing in sysfs is -1; a
 * kernel without topology files is not an error. -ENOENT with @diag set: there is no list of online
 * CPUs.
 */
int topology_read(const char *system, struct topology *ret, struct diag *diag);

/* Reads only the online CPUs. Errors as above. */
int topology_online(const char *system, struct cpu_list *ret, struct diag *diag);
