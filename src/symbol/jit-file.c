/* SPDX-License-Identifier: MIT */
#include "symbol/jit-file.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "kernel/process-files.h"

/* The size of an entry of the user database; getpwuid_r() fails with ERANGE for larger ones. */
#define USER_ENTRY_MAX 4096

static bool jit_file_is_trusted(const struct jit_trust *t, uid_t owner)
{
	uid_t user;

	return t->any_owner || owner == 0 || owner == geteuid() ||
	       (t->pid > 0 && process_user(t->pid, &user) && owner == user);
}

static char *describe_user(uid_t uid)
{
	char buffer[USER_ENTRY_MAX];
	struct passwd entry, *found = NULL;

	if (getpwuid_r(uid, &entry, buffer, sizeof(buffer), &found) == 0 && found)
		return xasprintf("%s (uid %u)", found->pw_name, (unsigned)uid);
	return xasprintf("uid %u", (unsigned)uid);
}

/* Returns -EPERM, with the reason. */
static int jit_file_refuse(const struct jit_trust *t, uid_t owner, struct jit_file *ret)
{
	_cleanup_(freep) char *who = describe_user(owner);
	uid_t user;

	free(ret->refusal);
	if (t->pid > 0 && process_user(t->pid, &user))
		ret->refusal = xasprintf("it belongs to %s, not to you, root or the user of "
					 "process %d, and may hold invented names",
					 who, (int)t->pid);
	else
		ret->refusal = xasprintf("it belongs to %s, not to you or root, and may hold "
					 "invented names",
					 who);
	return -EPERM;
}

/*
 * Does the same as input_file_find(), but follows only symbolic links whose owner is trusted: in a
 * directory with the sticky bit other users cannot replace them.
 */
static int find_trusted(const char *path, const struct jit_trust *t, struct stat *ret_st,
			struct jit_file *ret)
{
	int found = input_file_find(path, O_NOFOLLOW, ret_st);
	struct stat link;

	if (found != -ELOOP)
		return found;
	if (lstat(path, &link) < 0)
		return -errno;
	if (!jit_file_is_trusted(t, link.st_uid))
		return jit_file_refuse(t, link.st_uid, ret);
	return input_file_find(path, 0, ret_st);
}

int jit_file_open(const char *path, const struct jit_trust *trust, struct jit_file *ret)
{
	struct stat st;
	_cleanup_(closep) int found = find_trusted(path, trust, &st, ret);
	int fd;

	if (found < 0)
		return found;
	if (!jit_file_is_trusted(trust, st.st_uid))
		return jit_file_refuse(trust, st.st_uid, ret);
	fd = input_file_reopen(found, path);
	if (fd < 0)
		return fd;
	*ret = (struct jit_file){ .fd = fd, .size = (size_t)st.st_size, .path = xstrdup(path) };
	return 0;
}

int jit_file_find(const char *path, const char *symfs, const struct jit_trust *trust,
		  struct jit_file *ret)
{
	_cleanup_(freep) char *below = symfs ? xasprintf("%s%s", symfs, path) : NULL;
	_cleanup_(freep) char *inner = below ? NULL : process_path(trust->pid, path);
	const struct jit_trust elsewhere = { .any_owner = trust->any_owner };
	int r = inner ? jit_file_open(inner, trust, ret) : -ENOENT;

	if (below)
		return jit_file_open(below, &elsewhere, ret);
	return r == -ENOENT ? jit_file_open(path, trust, ret) : r;
}

void jit_file_done(struct jit_file *f)
{
	closep(&f->fd);
	free(f->path);
	free(f->refusal);
	*f = JIT_FILE_NONE;
}
