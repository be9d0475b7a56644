/* SPDX-License-Identifier: MIT */
#pragma once
/* The paths of control groups by their ids, in the current state of the mounted hierarchy. */
#include <stdint.h>

#include "base/cleanup.h"

struct cgroup_names;
struct diag;

/*
 * Reads all groups below @root (NULL: that of cgroup_root()). -ENOENT with @diag: there is no
 * hierarchy.
 */
int cgroup_names_read(const char *root, struct cgroup_names **ret, struct diag *diag);
void cgroup_names_free(struct cgroup_names *n);
DEFINE_FREEP(cgroup_names)

/* Returns "/system.slice/cron.service", "/" for the root; NULL: there is no such group any more. */
const char *cgroup_names_find(const struct cgroup_names *n, uint64_t id);
