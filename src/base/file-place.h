/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where a path leads: a folder that is opened once, and a name in it.
 *
 * Whoever makes, renames or removes a file does it by that name below the open folder, so that
 * nobody can swap a part of the path meanwhile. On the way a symbolic link is followed only if it
 * cannot be another user's trap, which is the rule of the kernel's fs.protected_symlinks, also for
 * folders without the sticky bit. In a folder that others may write to, and for root in a folder
 * of another user, only the links of the caller and of root are followed.
 *
 * Behind /proc/PID/root, links and ".." stay inside the root of that process, as they do for the
 * process itself: a container cannot send us to files of the host.
 */
#include <errno.h>
#include <stdbool.h>

struct diag;
struct stat;

struct file_place {
	int folder; /* O_PATH */
	char *name; /* has no slash */
	/* The folder is one of procfs: NAME may be an open file (/dev/stdout, /proc/self/fd/1). */
	bool is_proc;
};

#define FILE_PLACE_NONE ((struct file_place){ .folder = -1 })

enum file_place_flags {
	FILE_PLACE_FOLLOW = 1 << 0,       /* NAME itself is no link either, at this moment */
	FILE_PLACE_MAKE_FOLDERS = 1 << 1, /* those that are not there: mode 0755 */
	FILE_PLACE_ANY_LINK = 1 << 2,     /* other users' links, too: to read, not to write */
};

/*
 * Finds the place of @path, whose last component need not exist. Slashes at its end do not count.
 * -EACCES: a link that is not followed; -ENOENT, -ENOTDIR, ... for a folder; with @diag.
 */
int file_place_find(const char *path, unsigned flags, struct file_place *ret, struct diag *diag);

/*
 * The place as a path without links on the way, for libraries that open files by path. The caller
 * frees it. -ENOENT, ...: the folder is gone by now, or /proc is not mounted.
 */
int file_place_path(const struct file_place *p, char **ret);

/* Whether others may put files there: see above. */
bool file_place_is_shared(const struct file_place *p);

/*
 * Whether @st, of what lies there, is a file or a FIFO that another user has put into a sticky
 * folder like /tmp: what is written would be that user's. The kernel asks the same
 * (fs.protected_regular, fs.protected_fifos), but only of an open() that may create a file.
 */
bool file_place_is_planted(const struct file_place *p, const struct stat *st);

/* An error for that case, which open() does not return. */
#define FILE_PLACE_PLANTED (-EBADE)

/* Says so of @path. Returns -EPERM. */
int file_place_refuse_planted(const char *path, struct diag *diag);

void file_place_done(struct file_place *p);
