/* SPDX-License-Identifier: MIT */
#include "tools/test/scratch-work.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"

#define OPEN_DIRECTORIES 16

int selftest_scratch_make(char **ret)
{
	const char *below = getenv("TMPDIR");
	_cleanup_(freep) char *path = NULL;

	path = xasprintf("%s/perf-test-XXXXXX", below && *below == '/' ? below : "/tmp");
	if (!mkdtemp(path))
		return -errno;
	*ret = TAKE(path);
	return 0;
}

static int selftest_scratch_remove_entry(const char *path, const struct stat *st, int kind,
					 struct FTW *at)
{
	(void)st, (void)kind, (void)at;
	remove(path);
	return 0;
}

void selftest_scratch_remove(const char *path)
{
	if (path)
		nftw(path, selftest_scratch_remove_entry, OPEN_DIRECTORIES,
		     FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
