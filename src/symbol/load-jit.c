/* SPDX-License-Identifier: MIT */
/*
 * Loads names of JIT code from the compiler's map file. A process in a container writes that file
 * to the container's /tmp, under its pid in the container.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "symbol/image.h"
#include "symbol/jit-dumps.h"
#include "symbol/jit-file.h"
#include "symbol/perf-map.h"
#include "kernel/process-files.h"

/*
 * Opens the map file. For a process in a container, this is the file there, because one of that
 * name here belongs to another process.
 */
static int load_jit_open_map(const struct image *im, const char *path, struct jit_file *ret)
{
	const struct jit_trust trust = {
		.pid = im->pid, .any_owner = symbolizer_options(im->symbolizer)->any_owner
	};
	_cleanup_(freep) char *inside = xasprintf("/tmp/perf-%d.map", process_inner_pid(im->pid));
	_cleanup_(freep) char *inner = process_path(im->pid, inside);
	int r = inner ? jit_file_open(inner, &trust, ret) : -ENOENT;

	if (r == -ENOENT)
		r = jit_file_open(path, &trust, ret);
	/* The process may have a pid namespace of its own but share our files. */
	return r == -ENOENT && !inner ? jit_file_open(inside, &trust, ret) : r;
}

static enum image_missing missing_from(int error)
{
	switch (error) {
	case -EPERM:
		return IMAGE_FOREIGN_MAP;
	case -EACCES:
		return IMAGE_UNREADABLE;
	case -EINVAL:
		return IMAGE_BAD_MAP;
	default:
		return IMAGE_NO_MAP;
	}
}

/*
 * If there is a dump that could not be read, takes its error as the reason, because the dump is the
 * better source.
 */
static void prefer_dump(struct image *im)
{
	const struct jit_dump *dump = symbolizer_failed_dump(im->symbolizer, im->pid);

	if (!dump)
		return;
	free(im->wanted_path);
	free(im->refusal);
	im->wanted_path = xstrdup(dump->path);
	im->refusal = dump->refusal ? xstrdup(dump->refusal) : NULL;
	im->missing = missing_from(dump->error);
}

void image_load_jit(struct image *im)
{
	_cleanup_(jit_file_done) struct jit_file f = JIT_FILE_NONE;

	im->wanted_path = xasprintf("/tmp/perf-%d.map", (int)im->pid);

	int r = load_jit_open_map(im, im->wanted_path, &f);

	if (r >= 0)
		r = perf_map_read(f.fd, &im->own);
	im->symbols = &im->own;
	if (r > 0)
		image_set_remark(im, "its map of JIT code is too large, or damaged: only its "
				     "beginning was read");
	if (r >= 0) {
		im->missing = im->own.n ? IMAGE_LOADED : IMAGE_STRIPPED;
		im->origin = ORIGIN_JIT;
		return;
	}
	im->missing = missing_from(r);
	im->refusal = TAKE(f.refusal);
	prefer_dump(im);
}
