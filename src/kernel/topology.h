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
 * Reads where each online CPU is from the directory @system. What sysfs does not say is -1; a
 * kernel without topology files is no error. -ENOENT with @diag set: no list of online CPUs.
 */
int topology_read(const char *system, struct topology *ret, struct diag *diag);

/* The online CPUs alone. Errors as above. */
int topology_online(const char *system, struct cpu_list *ret, struct diag *diag);
