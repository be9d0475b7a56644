/* SPDX-License-Identifier: MIT */
#include "cli/config-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "cli/config.h"

#define SYSTEM_FILE "/etc/perfconfig"
#define SIZE_LIMIT  (1 << 20)

char *config_path(enum config_scope scope)
{
	const char *home = getenv("HOME"), *named = getenv("PERF_CONFIG");

	switch (scope) {
	case CONFIG_SYSTEM:
		return xstrdup(SYSTEM_FILE);
	case CONFIG_USER:
		return home && *home ? xasprintf("%s/.perfconfig", home) : NULL;
	case CONFIG_NAMED:
		return named ? xstrdup(named) : NULL;
	}
	return NULL;
}

static int config_file_cannot(struct diag *diag, int error, const char *what, const char *path)
{
	return diag_set(diag, error, "cannot %s '%s': %s", what, path, strerror(-error));
}

static bool is_dev_null(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
}

/*
 * Opens the text. $HOME may be another user's, who controls its contents: only a regular file is
 * opened, or /dev/null as an empty one. A file that is named otherwise may be a pipe.
 */
static int open_text(const char *path)
{
	_cleanup_(freep) char *own = config_path(CONFIG_USER);
	int fd;

	if (!own || strcmp(own, path) != 0) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	fd = input_file_open(path);
	return fd == -EINVAL && is_dev_null(path) ? -ENOENT : fd;
}

/* Reads the text of @path; empty, and *@ret_mode 0, if there is no such file. */
static int config_file_read_text(const char *path, char **ret, size_t *ret_length,
				 struct stat *ret_stat, struct diag *diag)
{
	_cleanup_(closep) int fd = open_text(path);

	*ret_stat = (struct stat){ 0 };
	if (fd == -ENOENT || fd == -ENOTDIR) {
		*ret = xstrdup("");
		*ret_length = 0;
		return 0;
	}
	if (fd == -EINVAL)
		return diag_set(diag, fd, "'%s' is not read: it is not a file", path);
	if (fd < 0 || fstat(fd, ret_stat) < 0)
		return config_file_cannot(diag, fd < 0 ? fd : -errno, "read", path);
	if (ret_stat->st_uid != 0 && ret_stat->st_uid != geteuid()) {
		int r = diag_set(diag, -EPERM, "'%s' is not read: it belongs to another user",
				 path);

		diag_hint(diag, "Own it (chown), or set PERF_CONFIG=/dev/null to do without.");
		return r;
	}

	int r = file_read_fd(fd, SIZE_LIMIT, ret, ret_length);

	return r < 0 ? config_file_cannot(diag, r, "read", path) : 0;
}

int config_read_file(struct config *c, const char *path, struct diag *diag)
{
	_cleanup_(freep) char *text = NULL;
	struct stat st;
	size_t length;
	int r = config_file_read_text(path, &text, &length, &st, diag);

	return r < 0 ? r : config_parse(c, text, length, path, diag);
}

/*
 * Writes a new file beside the old one, and renames it over the old one, so that no reader sees an
 * incomplete file.
 */
static int config_file_replace(const char *path, const char *text, const struct stat *old,
			       struct diag *diag)
{
	_cleanup_(output_file_done) struct output_file o = OUTPUT_FILE_NONE;
	/* A link (to a folder of dotfiles) stays a link. */
	int r = output_file_begin(&o, path, FILE_PLACE_FOLLOW, 0666, diag);

	if (r < 0)
		return r;
	r = output_file_write(&o, text, strlen(text));
	/* Root may edit a user's file; its owner does not change. */
	if (r >= 0 && old->st_mode && fchown(o.fd, old->st_uid, old->st_gid) < 0 && geteuid() == 0)
		r = -errno;
	if (r >= 0 && old->st_mode && fchmod(o.fd, old->st_mode & 0777) < 0)
		r = -errno;
	if (r >= 0)
		r = output_file_commit(&o, true);
	return r < 0 ? config_file_cannot(diag, r, "write", path) : 0;
}

int config_write_file(const char *path, const char *key, const char *value, struct diag *diag)
{
	_cleanup_(freep) char *text = NULL, *edited = NULL;
	struct stat st;
	size_t length;
	int r = config_file_read_text(path, &text, &length, &st, diag);

	if (r < 0)
		return r;
	if (st.st_mode && !S_ISREG(st.st_mode))
		return diag_set(diag, -EINVAL, "cannot change '%s': not a regular file", path);
	r = config_edit(text, length, path, key, value, &edited, diag);
	if (r < 0)
		return r;
	return config_file_replace(path, edited, &st, diag);
}
