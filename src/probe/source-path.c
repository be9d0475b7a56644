/* SPDX-License-Identifier: MIT */
#include "probe/source-path.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

static bool can_read(const char *path)
{
	return access(path, R_OK) == 0;
}

/* Finds the file below @source: "/build/linux-6.1/net/ipv4/tcp.c" may be SOURCE/net/ipv4/tcp.c. */
static char *find_below(const char *source, const char *path)
{
	for (const char *rest = path; rest; rest = strchr(rest, '/')) {
		rest += strspn(rest, "/");
		if (!strncmp(rest, "../", 3))
			continue;

		_cleanup_(freep) char *candidate = xasprintf("%s/%s", source, rest);

		if (can_read(candidate))
			return TAKE(candidate);
	}
	return NULL;
}

char *source_path_find(const char *path, const char *directory, const char *source)
{
	if (source)
		return find_below(source, path);
	if (*path == '/' || !directory)
		return can_read(path) ? xstrdup(path) : NULL;

	_cleanup_(freep) char *full = xasprintf("%s/%s", directory, path);

	return can_read(full) ? TAKE(full) : NULL;
}
