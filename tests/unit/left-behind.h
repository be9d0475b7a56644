/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts threads and descriptors of this process, before and after a function that should leave
 * none behind.
 */
#include <dirent.h>
#include <stddef.h>
#include <unistd.h>

struct left_behind {
	size_t threads, descriptors;
};

static inline size_t entries_of(const char *folder)
{
	DIR *dir = opendir(folder);
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static inline struct left_behind left_behind_now(void)
{
	return (struct left_behind){ entries_of("/proc/self/task"), entries_of("/proc/self/fd") };
}

/*
 * Checks the counts. A joined thread is visible until the kernel has ended it, which takes some
 * time on a busy machine.
 */
static inline void assert_nothing_more_than(const struct left_behind *before)
{
	struct left_behind now = left_behind_now();

	for (int i = 0; i < 5000 && now.threads > before->threads; i++) {
		usleep(1000);
		now = left_behind_now();
	}
	assert_true(now.threads <= before->threads);
	assert_int_equal(now.descriptors, before->descriptors);
}
