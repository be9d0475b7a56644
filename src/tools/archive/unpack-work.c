/* SPDX-License-Identifier: MIT */
#include "tools/archive/unpack-work.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "datafile/old-output.h"
#include "symbol/buildid/cache.h"
#include "tools/archive/tar-work.h"

/* The name of the images' archive within an archive of everything. */
#define SYMBOLS "perf.symbols.tar."

/* Deeper folders belong to no build-id cache, and would cost a descriptor each. */
#define DEPTH_MAX 64

/* The modes of files and folders afterwards; a program stays executable. */
#define FILE_MODE   0644
#define FOLDER_MODE 0755

static bool archive_unpack_is_entry(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

static DIR *archive_unpack_open_folder(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

/* Removes the folder @name with everything in it. */
static void remove_tree(int at, const char *name, unsigned depth)
{
	/* The folder's own mode may deny access. */
	bool is_open = fchmodat(at, name, 0700, 0) == 0 && depth < DEPTH_MAX;
	_cleanup_(closedirp) DIR *dir = is_open ? archive_unpack_open_folder(at, name) : NULL;
	const struct dirent *d;

	while (dir && (d = readdir(dir))) {
		if (archive_unpack_is_entry(d) && unlinkat(dirfd(dir), d->d_name, 0) < 0)
			remove_tree(dirfd(dir), d->d_name, depth + 1);
	}
	unlinkat(at, name, AT_REMOVEDIR);
}

static void scratch_done(char **folder)
{
	if (*folder)
		remove_tree(AT_FDCWD, *folder, 0);
	freep(folder);
}

/* Makes a new folder in @dir that only its owner may enter. */
static char *scratch_new(const char *dir, struct diag *diag)
{
	char *folder = xasprintf("%s/.perf-unpack-XXXXXX", dir);

	if (mkdtemp(folder))
		return folder;
	diag_set(diag, -errno, "cannot make a folder in '%s': %s", dir, strerror(errno));
	free(folder);
	return NULL;
}

/* The contents of an unpacked tree that are not taken. */
struct cleaning {
	unsigned removed;
	char *first; /* the name of the first that was removed */
};

static void clean_remove(struct cleaning *c, int at, const char *name)
{
	if (!c->removed++)
		c->first = xstrdup(name);
	if (unlinkat(at, name, 0) < 0)
		remove_tree(at, name, 0);
}

static void clean_folder(struct cleaning *c, DIR *dir, unsigned depth, bool is_links);

/*
 * Checks an entry, and removes it if it is not allowed. @is_links: the folder is one of links by
 * build-id.
 */
static void clean_entry(struct cleaning *c, int at, const char *name, unsigned depth, bool is_links)
{
	struct stat st;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (S_ISLNK(st.st_mode) && is_links)
		return;
	/* A file with several names may be a file elsewhere. */
	if (S_ISREG(st.st_mode) && st.st_nlink == 1 &&
	    fchmodat(at, name, FILE_MODE | (st.st_mode & 0111), 0) == 0)
		return;
	if (!S_ISDIR(st.st_mode) || depth >= DEPTH_MAX || fchmodat(at, name, FOLDER_MODE, 0) < 0) {
		clean_remove(c, at, name);
		return;
	}

	_cleanup_(closedirp) DIR *dir = archive_unpack_open_folder(at, name);

	if (dir)
		clean_folder(c, dir, depth + 1,
			     (depth == 0 && !strcmp(name, ".build-id")) || is_links);
	else
		clean_remove(c, at, name);
}

static void clean_folder(struct cleaning *c, DIR *dir, unsigned depth, bool is_links)
{
	const struct dirent *d;

	while ((d = readdir(dir)))
		if (archive_unpack_is_entry(d))
			clean_entry(c, dirfd(dir), d->d_name, depth, is_links);
}

/* Unpacks @archive below @dir. Returns the folder, which the caller removes, or NULL with @diag. */
static char *unpack_clean(const struct archive_unpacking *u, const char *archive, const char *dir,
			  struct diag *diag)
{
	_cleanup_(scratch_done) char *folder = scratch_new(dir, diag);
	struct cleaning c = { 0 };

	if (!folder || archive_unpack(archive, folder, diag) < 0)
		return NULL;

	_cleanup_(closedirp) DIR *d = archive_unpack_open_folder(AT_FDCWD, folder);

	if (d)
		clean_folder(&c, d, 0, false);
	if (c.removed && u->notes)
		notes_add(u->notes, NOTE_WARNING,
			  "'%s': %u links, devices and the like are left out (the first is '%s')",
			  archive, c.removed, c.first);
	free(c.first);
	return TAKE(folder);
}

/* The state of taking over the entries of a cache. */
struct adopting {
	const char *dir, *from;
	unsigned found, refused;
	int error; /* an error of the disk */
};

static int archive_unpack_adopt(const struct build_id *id, void *arg)
{
	struct adopting *a = arg;
	int r = buildid_cache_adopt(a->dir, a->from, id);

	a->found++;
	if (r == -EBADMSG || r == -ENOENT)
		a->refused++;
	else if (r < 0)
		a->error = r;
	return a->error;
}

int archive_unpack_images(const struct archive_unpacking *u, const char *archive, struct diag *diag)
{
	_cleanup_(scratch_done) char *folder = unpack_clean(u, archive, u->buildid_dir, diag);
	struct adopting a = { .dir = u->buildid_dir, .from = folder };

	if (!folder)
		return -EIO;
	buildid_cache_for_each(folder, archive_unpack_adopt, &a);
	if (a.error)
		return diag_set(diag, a.error, "cannot write to the build-id cache '%s': %s",
				u->buildid_dir, strerror(-a.error));
	if (!a.found && u->notes)
		notes_add(u->notes, NOTE_WARNING,
			  "'%s': there are no images in it, as perf archive packs them", archive);
	if (a.refused && u->notes)
		notes_add(u->notes, NOTE_WARNING,
			  "'%s': %u images are left out, because they are not what their build-id "
			  "says",
			  archive, a.refused);
	return 0;
}

static bool archive_unpack_ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && !strcmp(name + n - m, end);
}

/*
 * True if @name may be a recording. Names with a meaning for other programs, such as .bashrc, are
 * not taken.
 */
static bool is_recording_name(const char *name)
{
	return !strncmp(name, "perf.data", strlen("perf.data")) ||
	       (*name != '.' && archive_unpack_ends_with(name, ".data"));
}

static int place_recording(const struct archive_unpacking *u, int at, const char *name,
			   struct diag *diag)
{
	int r = !u->replaces                         ? file_rename_new(at, name, name)
		: renameat(at, name, AT_FDCWD, name) ? -errno
						     : 0;

	if (r >= 0)
		return 0;
	if (r != -EEXIST && r != -ENOTEMPTY)
		return diag_set(diag, r, "cannot write '%s': %s", name, strerror(-r));
	diag_set(diag, -EEXIST, "'%s' is there already", name);
	diag_hint(diag, u->replaces ? "Remove it first."
				    : "Unpack in another folder, or replace it with -f.");
	return -EEXIST;
}

/* Takes an entry of the top folder of the archive. */
static int place_entry(const struct archive_unpacking *u, const char *folder, int at,
		       const char *name, struct diag *diag)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", folder, name);

	if (!strncmp(name, SYMBOLS, strlen(SYMBOLS)))
		return archive_unpack_images(u, path, diag);
	if (is_recording_name(name) &&
	    (recording_is_file(at, name) || recording_is_folder(at, name)))
		return place_recording(u, at, name, diag);
	if (u->notes)
		notes_add(u->notes, NOTE_WARNING,
			  "'%s' is left out: neither a recording nor the archive of its images",
			  name);
	return 0;
}

int archive_unpack_all(const struct archive_unpacking *u, const char *archive, struct diag *diag)
{
	_cleanup_(scratch_done) char *folder = unpack_clean(u, archive, ".", diag);
	_cleanup_(closedirp) DIR *dir = folder ? archive_unpack_open_folder(AT_FDCWD, folder)
					       : NULL;
	const struct dirent *d;
	int r = 0;

	if (!dir)
		return -EIO;
	while (r >= 0 && (d = readdir(dir)))
		if (archive_unpack_is_entry(d))
			r = place_entry(u, folder, dirfd(dir), d->d_name, diag);
	return r;
}
