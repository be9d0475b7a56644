/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Control groups as targets of counting: `-G NAME`.
 *
 * perf_event_open() takes a descriptor of the group's directory (PERF_FLAG_PID_CGROUP), in the
 * hierarchy that has the perf_event controller: a version 1 mount that names it, otherwise the
 * unified one, where the controller is always on.
 */
#include <stdint.h>

struct diag;
struct name_list;

struct cgroup {
	char *name;  /* as the user wrote it */
	char *path;  /* path of its directory */
	int fd;      /* descriptor of that directory */
	uint64_t id; /* inode number, the id in PERF_RECORD_CGROUP and samples */
};

void cgroup_done(struct cgroup *c);

/*
 * Finds the mount point, which the caller frees. -ENOENT: there is none; @diag explains how to get
 * one.
 */
int cgroup_root(char **ret, struct diag *diag);

/*
 * Opens the group @name ("foo", "/foo", "system.slice/cron.service") below @root (NULL: that of
 * cgroup_root()). -ENOENT: no such group, with the nearest names; -EINVAL: the name leads
 * elsewhere; or the error of open().
 */
int cgroup_open(const char *root, const char *name, struct cgroup *ret, struct diag *diag);

/*
 * Finds the names, as cgroup_open() accepts them, of the groups below @root (NULL as there) that
 * the extended regular expression @pattern matches, sorted. -ENOENT: none; -EINVAL: it is not a
 * valid expression.
 */
int cgroup_match(const char *root, const char *pattern, struct name_list *ret, struct diag *diag);
