/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The place to which a path leads: a folder that is opened once, and a name in it.
 *
 * Files are made, renamed and removed by that name in the open folder, so that nobody can swap a
 * part of the path in the meantime. On the way a symbolic link is followed only if it cannot be
 * another user's trap. This is the rule of the kernel's fs.protected_symlinks, also applied to
 * folders without the sticky bit. In a folder to which others may write, and for root in a folder
 * of another user, only the links of the caller and of root are followed.
 *
 * Below /proc/PID/root, links and ".." stay inside the root of that process, as they do for the
 * process itself: a container cannot direct us to files of the host.
 */
#include <errno.h>
#include <stdbool.h>

struct diag;
struct stat;

struct file_place {
	int folder; /* opened with O_PATH */
	char *name; /* has no slash */
	/* The folder belongs to procfs: NAME may be an open file (/dev/stdout, /proc/self/fd/1). */
	bool is_proc;
};

#define FILE_PLACE_NONE ((struct file_place){ .folder = -1 })

enum file_place_flags {
	FILE_PLACE_FOLLOW = 1 << 0,       /* NAME itself is no link, at this moment */
	FILE_PLACE_MAKE_FOLDERS = 1 << 1, /* make missing folders: mode 0755 */
	/* follow other users' links, too: to read, not to write */
	FILE_PLACE_ANY_LINK = 1 << 2,
};

/*
 * Finds the place of @path, whose last component need not exist. Slashes at its end are ignored.
 * -EACCES: a link that is not followed; -ENOENT, -ENOTDIR, ... for a folder; with @diag.
 */
int file_place_find(const char *path, unsigned flags, struct file_place *ret, struct diag *diag);

/*
 * Returns the place as a path without links on the way, for libraries that open files by path. The
 * caller frees it. -ENOENT, ...: the folder no longer exists, or /proc is not mounted.
 */
int file_place_path(const struct file_place *p, char **ret);

/* True if others may put files there: see above. */
bool file_place_is_shared(const struct file_place *p);

/*
 * True if @st, the status of the existing file, is a file or a FIFO that another user has put into
 * a sticky folder like /tmp: that user would own what is written. The kernel has the same check
 * (fs.protected_regular, fs.protected_fifos), but only for an open() that may create a file.
 */
bool file_place_is_planted(const struct file_place *p, const struct stat *st);

/* The error for that case, which open() does not return. */
#define FILE_PLACE_PLANTED (-EBADE)

/* Reports this case for @path in @diag. Returns -EPERM. */
int file_place_refuse_planted(const char *path, struct diag *diag);

void file_place_done(struct file_place *p);
