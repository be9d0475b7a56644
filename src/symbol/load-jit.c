/* SPDX-License-Identifier: MIT */
/*
 * Code that a process made at run time. The compiler's own map file names it; a process in a
 * container writes it into its own /tmp, under the number it has in there.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "symbol/image.h"
#include "symbol/perf-map.h"
#include "symbol/process-files.h"

/* Of a process in a container, its own file there: one here of that name is somebody else's. */
static int read_map(struct image *im, const char *path)
{
	bool any_owner = symbolizer_options(im->symbolizer)->any_owner;
	_cleanup_(freep) char *inside = xasprintf("/tmp/perf-%d.map", process_inner_pid(im->pid));
	_cleanup_(freep) char *inner = process_path(im->pid, inside);
	int r = inner ? perf_map_read(inner, any_owner, &im->own) : -ENOENT;

	if (r == -ENOENT)
		r = perf_map_read(path, any_owner, &im->own);
	/* It may have a number of its own and share our files. */
	return r == -ENOENT && !inner ? perf_map_read(inside, any_owner, &im->own) : r;
}

/* A dump that could not be read was the better source: it is what to tell of. */
static void prefer_dump(struct image *im)
{
	int error;
	const char *dump = symbolizer_failed_dump(im->symbolizer, im->pid, &error);

	if (!dump)
		return;
	free(im->wanted_path);
	im->wanted_path = xstrdup(dump);
	im->missing = error == -EACCES ? IMAGE_FOREIGN_MAP : IMAGE_NO_MAP;
}

void image_load_jit(struct image *im)
{
	im->wanted_path = xasprintf("/tmp/perf-%d.map", (int)im->pid);

	int r = read_map(im, im->wanted_path);

	im->symbols = &im->own;
	if (r >= 0) {
		im->missing = im->own.n ? IMAGE_LOADED : IMAGE_STRIPPED;
		im->origin = ORIGIN_JIT;
		return;
	}
	im->missing = r == -EACCES ? IMAGE_FOREIGN_MAP : IMAGE_NO_MAP;
	prefer_dump(im);
}
