/* SPDX-License-Identifier: MIT */
#include "kernel/cgroup-names.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "kernel/cgroup.h"

struct cgroup_names {
	struct arena arena;
	struct u64_map by_id;
};

void cgroup_names_free(struct cgroup_names *n)
{
	if (!n)
		return;
	u64_map_done(&n->by_id);
	arena_done(&n->arena);
	free(n);
}

static int read_below(struct cgroup_names *n, char *root)
{
	char *const roots[] = { root, NULL };
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);

	if (!walk)
		return -errno;
	for (FTSENT *at; (at = fts_read(walk));) {
		const char *name = at->fts_path + strlen(root);

		if (at->fts_info != FTS_D)
			continue;
		if (!name[0])
			name = "/";
		u64_map_put(&n->by_id, at->fts_statp->st_ino,
			    arena_strndup(&n->arena, name, strlen(name)));
	}
	fts_close(walk);
	return 0;
}

int cgroup_names_read(const char *root, struct cgroup_names **ret, struct diag *diag)
{
	_cleanup_(cgroup_names_freep) struct cgroup_names *n = xcalloc(1, sizeof(*n));
	_cleanup_(freep) char *found = root ? xstrdup(root) : NULL;
	int r = root ? 0 : cgroup_root(&found, diag);

	if (r < 0)
		return r;
	r = read_below(n, found);
	if (r >= 0 && !n->by_id.n)
		r = -ENOENT;
	if (r < 0)
		return diag_set(diag, r, "%s: cannot read the control groups: %s", found,
				strerror(-r));
	*ret = TAKE(n);
	return 0;
}

const char *cgroup_names_find(const struct cgroup_names *n, uint64_t id)
{
	return u64_map_find(&n->by_id, id);
}
