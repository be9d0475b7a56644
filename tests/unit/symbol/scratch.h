/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A directory that exists as long as a test: scratch_make() as the test's setup, scratch_remove()
 * as its teardown; *state is its path.
 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

static inline int scratch_make(void **state)
{
	char *path = xstrdup("/tmp/test-symbol-XXXXXX");

	*state = path;
	return mkdtemp(path) ? 0 : -1;
}

static inline int scratch_unlink(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

static inline int scratch_remove(void **state)
{
	int r = nftw(*state, scratch_unlink, 16, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return r;
}

/* Returns DIR/NAME, and creates the directories on the way. The caller frees it. */
static inline char *scratch_path(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	char *slash = strrchr(path, '/');

	*slash = '\0';
	file_make_directories(path);
	*slash = '/';
	return path;
}

static inline void scratch_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) == EOF || fclose(f) == EOF)
		abort();
}
