/* SPDX-License-Identifier: MIT */
#include "datafile/old-output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file-place.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "datafile/part.h"

/* True for the names of the files of a recording in the form of a directory. */
static bool is_data_name(const char *name)
{
	return !strcmp(name, "data") || part_name_is(name);
}

static bool is_kcore_name(const char *name)
{
	return !strcmp(name, "kcore") || !strcmp(name, "kallsyms") || !strcmp(name, "modules");
}

static bool is_kcore_directory(const char *name)
{
	return !strncmp(name, "kcore_dir", strlen("kcore_dir"));
}

static bool old_output_is_entry(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

static DIR *open_directory(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

bool recording_is_file(int at, const char *name)
{
	struct stat st;
	_cleanup_(closep) int fd = input_file_open_at(at, name, &st);
	char magic[8];

	return fd >= 0 && read(fd, magic, sizeof(magic)) == sizeof(magic) &&
	       (!memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8));
}

static bool old_output_is_regular(int at, const char *name)
{
	struct stat st;

	return fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

/*
 * True if the directory @name contains nothing except files that remove_directory() would remove.
 */
static bool has_only(int at, const char *name, bool (*is_ours)(const char *name))
{
	_cleanup_(closedirp) DIR *dir = open_directory(at, name);
	const struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (old_output_is_entry(d) &&
		    !(is_ours(d->d_name) && old_output_is_regular(dirfd(dir), d->d_name)) &&
		    !(is_kcore_directory(d->d_name) &&
		      has_only(dirfd(dir), d->d_name, is_kcore_name)))
			return false;
	return dir;
}

bool recording_is_folder(int at, const char *name)
{
	_cleanup_(closedirp) DIR *dir = open_directory(at, name);

	return dir && recording_is_file(dirfd(dir), "data") && has_only(at, name, is_data_name);
}

static bool old_output_is_empty(int at, const char *name)
{
	_cleanup_(closedirp) DIR *dir = open_directory(at, name);
	const struct dirent *d;

	while (dir && (d = readdir(dir)))
		if (old_output_is_entry(d))
			return false;
	return dir;
}

/* Removes the directory @name in @at with those of its files that have such names. */
static int remove_directory(int at, const char *name, bool (*is_ours)(const char *name))
{
	_cleanup_(closedirp) DIR *dir = open_directory(at, name);
	const struct dirent *d;

	while (dir && (d = readdir(dir))) {
		if (is_kcore_directory(d->d_name))
			remove_directory(dirfd(dir), d->d_name, is_kcore_name);
		else if (is_ours(d->d_name))
			unlinkat(dirfd(dir), d->d_name, 0);
	}
	return unlinkat(at, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

/* Removes the recording called @name; it need not exist. */
static int remove_recording(int folder, const char *name)
{
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(st.st_mode))
		return remove_directory(folder, name, is_data_name);
	return unlinkat(folder, name, 0) < 0 && errno != ENOENT ? -errno : 0;
}

static bool old_output_is_directory(int folder, const char *name)
{
	struct stat st;

	return fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* Checks that a directory is a recording: no other directory is removed or renamed. */
static int check_directory(int folder, const char *name, const char *path, struct diag *diag)
{
	if (!old_output_is_directory(folder, name) || recording_is_folder(folder, name) ||
	    old_output_is_empty(folder, name))
		return 0;
	diag_set(diag, -EISDIR, "'%s' is a directory, and not only of a recording", path);
	diag_hint(diag, "Name another file with -o, or move what else is in there.");
	return -EISDIR;
}

int old_output_rotate(const struct file_place *place, const char *path, bool keep_old,
		      struct diag *diag)
{
	_cleanup_(freep) char *old = xasprintf("%s.old", place->name);
	_cleanup_(freep) char *old_path = xasprintf("%s.old", path);
	const char *gone = keep_old ? old : place->name;
	struct stat st;
	int r;

	if (fstatat(place->folder, place->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return diag_set(diag, -errno, "cannot look at '%s': %s", path, strerror(errno));
	r = check_directory(place->folder, place->name, path, diag);
	if (r >= 0 && keep_old)
		r = check_directory(place->folder, old, old_path, diag);
	if (r < 0)
		return r;
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return diag_set(diag, -ENOTDIR, "'%s' is neither a file nor a directory", path);
	r = remove_recording(place->folder, gone);
	if (r < 0)
		return diag_set(diag, r, "cannot remove '%s': %s", keep_old ? old_path : path,
				strerror(-r));
	if (keep_old && renameat(place->folder, place->name, place->folder, old) < 0)
		return diag_set(diag, -errno, "cannot rename '%s' to '%s': %s", path, old_path,
				strerror(errno));
	return 0;
}
