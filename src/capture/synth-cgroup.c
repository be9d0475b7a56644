/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/synth-internal.h"
#include "kernel/cgroup.h"

/* No real hierarchy is deeper; the kernel's own limit is by name length only. */
#define DEPTH_MAX 128

static void synth_cgroup_add(const struct synth_plan *p, int dir, const char *path,
			     struct bytes *out)
{
	struct record r = {
		.header.type = PERF_RECORD_CGROUP,
		.cgroup.path = *path ? path : "/",
	};
	struct stat st;

	if (fstat(dir, &st) < 0)
		return;
	r.cgroup.id = st.st_ino;
	synth_add(p, &r, out);
}

/* Adds the group in the directory @fd, and those below it. Takes ownership of @fd. */
static void synth_cgroup_walk(const struct synth_plan *p, int fd, const char *path, unsigned depth,
			      struct bytes *out)
{
	_cleanup_(closedirp) DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		close(fd);
		return;
	}
	synth_cgroup_add(p, fd, path, out);
	while (depth < DEPTH_MAX && (entry = readdir(dir))) {
		_cleanup_(freep) char *below = NULL;
		int child;

		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		child = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (child < 0)
			continue;
		below = xasprintf("%s/%s", path, entry->d_name);
		synth_cgroup_walk(p, child, below, depth + 1, out);
	}
}

void synth_cgroups(const struct synth_plan *p, struct bytes *out)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *root = NULL;
	int fd;

	if (cgroup_root(&root, &diag) < 0)
		return;
	fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		synth_cgroup_walk(p, fd, "", 0, out);
}
