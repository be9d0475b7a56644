/* SPDX-License-Identifier: MIT */
/*
 * Code that a process made at run time. The compiler's own map file names it; a process in a
 * container writes it into its own /tmp, under the number it has in there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "symbol/image.h"
#include "symbol/perf-map.h"

/* The last number of "NSpid:\t14604\t7" in /proc/PID/status; @pid if there is no such line. */
static int inner_pid(int pid)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/status", pid);
	_cleanup_(freep) char *status = NULL;

	if (file_read(AT_FDCWD, path, 1 << 20, &status, NULL) < 0)
		return pid;

	char *line = strstr(status, "\nNSpid:");

	if (!line)
		return pid;
	line[1 + strcspn(line + 1, "\n")] = '\0';

	const char *tab = strrchr(line, '\t');

	return tab ? atoi(tab + 1) : pid;
}

static int read_map(struct image *im)
{
	bool any_owner = symbolizer_options(im->symbolizer)->any_owner;
	int r = perf_map_read(im->wanted_path, any_owner, &im->own);

	if (r != -ENOENT)
		return r;

	_cleanup_(freep) char *inner = xasprintf("/proc/%d/root/tmp/perf-%d.map", (int)im->pid,
						 inner_pid(im->pid));

	return perf_map_read(inner, any_owner, &im->own);
}

void image_load_jit(struct image *im)
{
	im->wanted_path = xasprintf("/tmp/perf-%d.map", (int)im->pid);

	int r = read_map(im);

	if (r < 0)
		im->missing = r == -EACCES ? IMAGE_FOREIGN_MAP : IMAGE_NO_MAP;
	else
		im->missing = im->own.n ? IMAGE_LOADED : IMAGE_STRIPPED;
	im->symbols = &im->own;
}
