/* SPDX-License-Identifier: MIT */
#include "kernel/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "kernel/mounts.h"
#include "base/name-list.h"

void cgroup_done(struct cgroup *c)
{
	free(c->name);
	free(c->path);
	closep(&c->fd);
	*c = (struct cgroup){ .fd = -1 };
}

int cgroup_root(char **ret, struct diag *diag)
{
	_cleanup_(freep) char *mounts = mounts_read();
	char *root = mounts_find(mounts, "cgroup", "perf_event");

	if (!root)
		root = mounts_find(mounts, "cgroup2", NULL);
	if (!root) {
		diag_set(diag, -ENOENT, "no cgroup file system is mounted");
		diag_hint(diag, "mount it: sudo mount -t cgroup2 cgroup2 /sys/fs/cgroup");
		return -ENOENT;
	}
	*ret = root;
	return 0;
}

static bool leaves_root(const char *name)
{
	for (const char *s = name; *s; s += strspn(s, "/")) {
		size_t n = strcspn(s, "/");

		if (n == 2 && memcmp(s, "..", 2) == 0)
			return true;
		s += n;
	}
	return false;
}

/* Suggests the groups beside the requested one. */
static int explain_absent(const char *root, const char *name, struct diag *diag)
{
	const char *slash = strrchr(name, '/');
	_cleanup_(freep) char *parent = xasprintf("%s/%.*s", root, slash ? (int)(slash - name) : 0,
						  name);
	_cleanup_(name_list_done) struct name_list groups = { 0 };
	struct similar similar = { .typed = slash ? slash + 1 : name };

	diag_set(diag, -ENOENT, "there is no cgroup '%s' in %s", name, root);
	if (name_list_read(AT_FDCWD, parent, true, &groups) >= 0)
		for (size_t i = 0; i < groups.n; i++)
			similar_add(&similar, groups.items[i]);

	_cleanup_(freep) char *phrase = similar_phrase(&similar);

	if (phrase)
		diag_hint(diag, "did you mean %s?", phrase);
	diag_hint(diag, "List all groups: find %s -type d", root);
	return -ENOENT;
}

static int open_below(const char *root, const char *name, struct cgroup *ret, struct diag *diag)
{
	const char *relative = name + strspn(name, "/");
	_cleanup_(freep) char *path = xasprintf("%s/%s", root, relative);
	_cleanup_(closep) int fd = -1;
	struct stat st;

	if (leaves_root(name))
		return diag_set(diag, -EINVAL, "cgroup '%s' lies outside of %s", name, root);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return explain_absent(root, relative, diag);
	if (fd < 0 || fstat(fd, &st) < 0)
		return diag_set(diag, -errno, "cannot open cgroup '%s': %s", name, strerror(errno));
	*ret = (struct cgroup){
		.name = xstrdup(name),
		.path = TAKE(path),
		.fd = fd,
		.id = st.st_ino,
	};
	fd = -1;
	return 0;
}

int cgroup_open(const char *root, const char *name, struct cgroup *ret, struct diag *diag)
{
	_cleanup_(freep) char *found = NULL;

	if (!root) {
		int r = cgroup_root(&found, diag);

		if (r < 0)
			return r;
		root = found;
	}
	return open_below(root, name, ret, diag);
}

static int cgroup_by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int match_below(const char *root, const regex_t *pattern, struct name_list *ret)
{
	char *const roots[] = { (char *)root, NULL };
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, cgroup_by_name);

	if (!walk)
		return -errno;
	for (FTSENT *at; (at = fts_read(walk));) {
		const char *name = at->fts_path + strlen(root);

		if (at->fts_info != FTS_D || at->fts_level == FTS_ROOTLEVEL)
			continue;
		name += strspn(name, "/");
		if (regexec(pattern, name, 0, NULL, 0) == 0)
			name_list_add(ret, name);
	}
	fts_close(walk);
	return 0;
}

int cgroup_match(const char *root, const char *pattern, struct name_list *ret, struct diag *diag)
{
	_cleanup_(freep) char *found = NULL;
	regex_t compiled;
	int r = root ? 0 : cgroup_root(&found, diag);

	if (r < 0)
		return r;
	if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB))
		return diag_set(diag, -EINVAL, "'%s' is not a regular expression", pattern);
	root = root ? root : found;
	r = match_below(root, &compiled, ret);
	regfree(&compiled);
	if (r < 0)
		return diag_set(diag, r, "cannot read %s: %s", root, strerror(-r));
	return ret->n ? 0 : diag_set(diag, -ENOENT, "no cgroup in %s matches '%s'", root, pattern);
}
