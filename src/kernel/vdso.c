/* SPDX-License-Identifier: MIT */
#include "kernel/vdso.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/cleanup.h"
#include "base/file.h"

#define MAPS_SIZE_MAX (64 << 20)

/* The auxiliary vector gives its beginning, the list of maps its end. */
int vdso_get(const void **ret, size_t *ret_size)
{
	_cleanup_(freep) char *maps = NULL;
	uint64_t start = getauxval(AT_SYSINFO_EHDR);

	if (!start)
		return -ENOENT;

	int r = file_read(AT_FDCWD, "/proc/self/maps", MAPS_SIZE_MAX, &maps, NULL);

	if (r < 0)
		return r;
	for (char *line = maps; line && *line; line = strchr(line, '\n')) {
		char *end;

		line += *line == '\n';
		if (strtoull(line, &end, 16) != start || *end != '-')
			continue;
		*ret = (const void *)(uintptr_t)start;
		*ret_size = strtoull(end + 1, NULL, 16) - start;
		return 0;
	}
	return -ENOENT;
}
