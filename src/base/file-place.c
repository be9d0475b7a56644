/* SPDX-License-Identifier: MIT */
#include "base/file-place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

/* The number of links that the kernel follows (MAXSYMLINKS). */
#define LINKS_MAX 40

struct file_place_walk {
	const char *path; /* as the user wrote it */
	unsigned flags;
	int at;     /* the folder reached so far */
	int root;   /* root of the process whose /proc/PID/root was passed, or -1: our own */
	char *rest; /* the rest of the path; does not begin with a slash */
	unsigned links;
	struct diag *diag;
};

static bool is_proc(int folder)
{
	struct statfs fs;

	return fstatfs(folder, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

/*
 * True if files of @owner can be trusted. In a user namespace, root's files, and so "/", belong to
 * a user without a name.
 */
static bool file_place_is_trusted(uid_t owner)
{
	struct stat root;

	return owner == 0 || owner == geteuid() || (stat("/", &root) == 0 && root.st_uid == owner);
}

/* True if others may write to @folder. Root's group is as trusted as root. */
static bool is_shared(int folder)
{
	struct stat st;

	if (fstat(folder, &st) < 0)
		return true;
	return (st.st_mode & S_IWOTH) || (st.st_mode & S_IWGRP && st.st_gid != 0) ||
	       (geteuid() == 0 && !file_place_is_trusted(st.st_uid));
}

/*
 * True if @link may be followed. Anyone who may write to the folder can make a second name (nlink)
 * for a link.
 */
static bool may_follow(int folder, const struct stat *link)
{
	return !is_shared(folder) || (file_place_is_trusted(link->st_uid) && link->st_nlink == 1);
}

/* Returns the text after the first component; empty if there is none. */
static const char *file_place_after(const char *rest)
{
	rest += strcspn(rest, "/");
	return rest + strspn(rest, "/");
}

/*
 * Returns the path up to the component @name, or only @name if a link led there. The caller frees
 * it.
 */
static char *path_so_far(const struct file_place_walk *w, const char *name)
{
	size_t n = w->rest && !w->links ? strlen(w->path) - strlen(file_place_after(w->rest)) : 0;

	while (n > 1 && w->path[n - 1] == '/')
		n--;
	return n ? xstrndup(w->path, n) : xstrdup(name);
}

static int refuse_link(const struct file_place_walk *w, const char *name, uid_t owner)
{
	_cleanup_(freep) char *link = path_so_far(w, name);

	diag_set(w->diag, -EACCES,
		 "cannot write '%s': '%s' is a symbolic link of another user (%u), which is not "
		 "followed",
		 w->path, link, (unsigned)owner);
	diag_hint(w->diag, "Remove the link, or name the place it leads to.");
	return -EACCES;
}

static int file_place_refuse(const struct file_place_walk *w, const char *name, int error)
{
	_cleanup_(freep) char *folder = path_so_far(w, name);

	if (error == -ENOENT && *name)
		return diag_set(w->diag, error, "cannot write '%s': there is no folder '%s'",
				w->path, folder);
	if (error == -ENOTDIR)
		return diag_set(w->diag, error, "cannot write '%s': '%s' is not a folder", w->path,
				folder);
	return diag_set(w->diag, error, "cannot write '%s': %s", w->path, strerror(-error));
}

/* Opens the folder in which paths with a leading slash begin. */
static int open_root(const struct file_place_walk *w)
{
	if (w->root >= 0)
		return fcntl(w->root, F_DUPFD_CLOEXEC, 0);
	return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Continues with @path, from "/" if it begins with a slash. Takes ownership of @path. */
static int go_on(struct file_place_walk *w, char *path)
{
	free(w->rest);
	w->rest = path;
	if (*path != '/')
		return 0;
	closep(&w->at);
	w->at = open_root(w);
	if (w->at < 0)
		return file_place_refuse(w, "/", -errno);
	memmove(path, path + strspn(path, "/"), strlen(path + strspn(path, "/")) + 1);
	return 0;
}

static int file_place_expand(struct file_place_walk *w, int link, const char *name)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(link, "", target, sizeof(target));

	if (n <= 0 || n == sizeof(target))
		return file_place_refuse(w, name, n < 0 ? -errno : -ENAMETOOLONG);
	if (++w->links > LINKS_MAX)
		return file_place_refuse(w, name, -ELOOP);
	return go_on(w, xasprintf("%.*s/%s", (int)n, target, file_place_after(w->rest)));
}

static int open_component(struct file_place_walk *w, const char *name, bool last)
{
	int fd = openat(w->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 || errno != ENOENT || last || !(w->flags & FILE_PLACE_MAKE_FOLDERS))
		return fd < 0 ? -errno : fd;
	if (mkdirat(w->at, name, 0755) < 0 && errno != EEXIST)
		return -errno;
	fd = openat(w->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Removes the first component from the rest. */
static void pass_component(struct file_place_walk *w)
{
	memmove(w->rest, file_place_after(w->rest), strlen(file_place_after(w->rest)) + 1);
}

/* Enters the folder @name. A link of procfs contains no path: the kernel follows it itself. */
static int file_place_enter(struct file_place_walk *w, const char *name, bool in_proc)
{
	int fd = openat(w->at, name, O_PATH | O_DIRECTORY | O_CLOEXEC | (in_proc ? 0 : O_NOFOLLOW));

	if (fd < 0)
		return file_place_refuse(w, name, -errno);
	closep(&w->at);
	w->at = fd;
	if (in_proc && !strcmp(name, "root")) {
		closep(&w->root);
		w->root = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (w->root < 0)
			return file_place_refuse(w, name, -errno);
	}
	pass_component(w);
	return 0;
}

/* True if @name would lead out of the root of a process. */
static bool is_above_root(const struct file_place_walk *w, const char *name)
{
	struct stat at, root;

	return w->root >= 0 && !strcmp(name, "..") && fstat(w->at, &at) == 0 &&
	       fstat(w->root, &root) == 0 && at.st_dev == root.st_dev && at.st_ino == root.st_ino;
}

/* Processes one component. 1: only the name is left; 0: there are more. */
static int file_place_step(struct file_place_walk *w)
{
	_cleanup_(freep) char *name = xstrndup(w->rest, strcspn(w->rest, "/"));
	bool last = !*file_place_after(w->rest), in_proc = is_proc(w->at);
	struct stat st;

	if (is_above_root(w, name)) {
		pass_component(w);
		return 0;
	}
	if (last && (in_proc || !(w->flags & FILE_PLACE_FOLLOW)))
		return 1;

	_cleanup_(closep) int fd = open_component(w, name, last);

	if (fd == -ENOENT && last)
		return 1;
	if (fd < 0 || fstat(fd, &st) < 0)
		return file_place_refuse(w, name, fd < 0 ? fd : -errno);
	if (S_ISLNK(st.st_mode) && !in_proc)
		return w->flags & FILE_PLACE_ANY_LINK || may_follow(w->at, &st)
			       ? file_place_expand(w, fd, name)
			       : refuse_link(w, name, st.st_uid);
	return last ? 1 : file_place_enter(w, name, in_proc);
}

static void file_place_walk_done(struct file_place_walk *w)
{
	closep(&w->at);
	closep(&w->root);
	free(w->rest);
}

int file_place_find(const char *path, unsigned flags, struct file_place *ret, struct diag *diag)
{
	_cleanup_(file_place_walk_done) struct file_place_walk w = {
		.path = path, .flags = flags, .root = -1, .diag = diag
	};
	int r;

	w.at = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	/*
	 * A current folder that has been removed, or that we may not see, does not matter to
	 * absolute paths.
	 */
	if (w.at < 0 && *path != '/')
		return file_place_refuse(&w, ".", -errno);
	if (!*path)
		return file_place_refuse(&w, "", -ENOENT);
	r = go_on(&w, xstrdup(path));
	while (r == 0)
		r = *w.rest ? file_place_step(&w) : 1;
	if (r < 0)
		return r;
	*ret = (struct file_place){
		.folder = w.at,
		.name = *w.rest ? xstrndup(w.rest, strcspn(w.rest, "/")) : xstrdup("."),
		.is_proc = is_proc(w.at),
	};
	w.at = -1;
	return 0;
}

int file_place_path(const struct file_place *p, char **ret)
{
	_cleanup_(freep) char *link = xasprintf("/proc/self/fd/%d", p->folder);
	_cleanup_(freep) char *folder = realpath(link, NULL);

	if (!folder)
		return -errno;
	*ret = xasprintf("%s/%s", strcmp(folder, "/") ? folder : "", p->name);
	return 0;
}

bool file_place_is_shared(const struct file_place *p)
{
	return is_shared(p->folder);
}

bool file_place_is_planted(const struct file_place *p, const struct stat *st)
{
	struct stat folder;

	if (p->is_proc || (!S_ISREG(st->st_mode) && !S_ISFIFO(st->st_mode)) ||
	    st->st_uid == geteuid() || fstat(p->folder, &folder) < 0)
		return false;
	return (folder.st_mode & S_ISVTX) && (folder.st_mode & (S_IWOTH | S_IWGRP)) &&
	       st->st_uid != folder.st_uid;
}

int file_place_refuse_planted(const char *path, struct diag *diag)
{
	diag_set(diag, -EPERM,
		 "cannot write '%s': another user has put it there, and would have what is written",
		 path);
	diag_hint(diag, "Name another file, in a folder of your own.");
	return -EPERM;
}

void file_place_done(struct file_place *p)
{
	closep(&p->folder);
	free(p->name);
	*p = FILE_PLACE_NONE;
}
