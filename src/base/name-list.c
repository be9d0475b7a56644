/* SPDX-License-Identifier: MIT */
#include "base/name-list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

void name_list_done(struct name_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->items[i]);
	free(l->items);
	*l = (struct name_list){ 0 };
}

void name_list_add(struct name_list *l, const char *name)
{
	*ARRAY_ADD(l) = xstrdup(name);
}

static int name_list_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void name_list_sort(struct name_list *l)
{
	if (l->n)
		qsort(l->items, l->n, sizeof(l->items[0]), name_list_by_name);
}

bool name_list_contains(const struct name_list *l, const char *name)
{
	return l->n && bsearch(&name, l->items, l->n, sizeof(l->items[0]), name_list_by_name);
}

/* True if the entry is a directory. Not every file system reports the type with the name. */
static bool name_list_is_directory(int dirfd, const struct dirent *e)
{
	struct stat st;

	if (e->d_type != DT_UNKNOWN && e->d_type != DT_LNK)
		return e->d_type == DT_DIR;
	return fstatat(dirfd, e->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

static int name_list_read_entries(DIR *dir, bool directories_only, struct name_list *l)
{
	for (;;) {
		errno = 0;
		struct dirent *e = readdir(dir);

		if (!e)
			return -errno;
		if (e->d_name[0] == '.' ||
		    (directories_only && !name_list_is_directory(dirfd(dir), e)))
			continue;
		name_list_add(l, e->d_name);
	}
}

int name_list_read(int dirfd, const char *path, bool directories_only, struct name_list *ret)
{
	_cleanup_(name_list_done) struct name_list l = { 0 };
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;

	_cleanup_(closedirp) DIR *dir = fdopendir(fd);

	if (!dir) {
		int r = -errno;

		close(fd);
		return r;
	}

	int r = name_list_read_entries(dir, directories_only, &l);

	if (r < 0)
		return r;
	*ret = l;
	l = (struct name_list){ 0 };
	return 0;
}
