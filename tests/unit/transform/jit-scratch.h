/* SPDX-License-Identifier: MIT */
#pragma once
/* A directory for dumps, and for the files that are made of them. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "symbol/dump-builder.h"

struct jit_scratch {
	char path[64]; /* of the directory */
	char dump[96]; /* of jit-7.dump in it */
};

static inline void jit_scratch_init(struct jit_scratch *s)
{
	strcpy(s->path, "/tmp/test-jit-XXXXXX");
	assert_non_null(mkdtemp(s->path));
	snprintf(s->dump, sizeof(s->dump), "%s/jit-7.dump", s->path);
}

static inline void jit_scratch_write(const struct jit_scratch *s, const struct bytes *b)
{
	int fd = open(s->dump, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, b->data, b->n), b->n);
	close(fd);
}

static inline void jit_scratch_done(struct jit_scratch *s)
{
	DIR *dir = opendir(s->path);
	struct dirent *e;

	while (dir && (e = readdir(dir)))
		unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(s->path);
}
