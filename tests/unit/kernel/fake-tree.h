/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A small directory tree in /tmp that takes the place of sysfs or tracefs in a test.
 *
 * fake_tree_open() and fake_tree_close() are a test's setup and teardown; *state is the path. The
 * helpers assert, because a test that cannot write its own data has no result.
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int fake_tree_open(void **state)
{
	char *path = strdup("/tmp/perf-test-XXXXXX");

	*state = path;
	return mkdtemp(path) ? 0 : -1;
}

static inline int fake_tree_remove(const char *path, const struct stat *st, int type,
				   struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static inline int fake_tree_close(void **state)
{
	int r = nftw(*state, fake_tree_remove, 16, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return r;
}

/*
 * Writes @text to ROOT/PATH, and creates the directories on the way. A path that ends in / is a
 * directory, and is only created.
 */
static inline void fake_file(const char *root, const char *path, const char *text)
{
	char full[512];

	assert_true(snprintf(full, sizeof(full), "%s/%s", root, path) < (int)sizeof(full));
	for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	if (full[strlen(full) - 1] == '/')
		return;

	FILE *f = fopen(full, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}
