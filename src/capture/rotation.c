/* SPDX-License-Identifier: MIT */
#include "capture/rotation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output-file.h"

#define NS_PER_S  1000000000
#define NS_PER_CS 10000000

void rotation_done(struct rotation *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->items[i]);
	free(r->items);
	*r = (struct rotation){ 0 };
}

void rotation_begin(struct rotation *r, uint64_t now_ns)
{
	r->due_ns = now_ns + r->each_ns;
}

uint64_t rotation_deadline(const struct rotation *r)
{
	return r->each_ns ? r->due_ns : UINT64_MAX;
}

bool rotation_is_due(const struct rotation *r, uint64_t bytes, uint64_t now_ns)
{
	return (r->bytes && bytes >= r->bytes) || now_ns >= rotation_deadline(r);
}

char *rotation_name(const char *path, const struct timespec *time)
{
	char stamp[sizeof("YYYYMMDDHHMMSS")];
	struct tm tm;

	localtime_r(&time->tv_sec, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d%H%M%S", &tm);
	return xasprintf("%s.%s%02ld", path, stamp, time->tv_nsec / NS_PER_CS);
}

char *rotation_name_now(const char *path)
{
	struct timespec t;
	char *name;

	clock_gettime(CLOCK_REALTIME, &t);
	while (name = rotation_name(path, &t), access(name, F_OK) == 0) {
		free(name);
		t.tv_nsec += NS_PER_CS;
		t.tv_sec += t.tv_nsec / NS_PER_S;
		t.tv_nsec %= NS_PER_S;
	}
	return name;
}

void rotation_add(struct rotation *r, const char *name)
{
	*ARRAY_ADD(r) = xstrdup(name);
	if (!r->max_files || r->n <= r->max_files)
		return;
	output_file_remove(r->items[0]);
	free(r->items[0]);
	r->n--;
	memmove(r->items, r->items + 1, r->n * sizeof(r->items[0]));
}
