/* SPDX-License-Identifier: MIT */
#include "symbol/kernel-debug.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/file.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "symbol/buildid/cache.h"
#include "symbol/buildid/debuginfod.h"
#include "symbol/kernel-symbols.h"

struct debug_search {
	const struct build_id *id;
	struct elf_file *found;
	char *path;
};

/* Keeps @path if it has the DWARF of the right kernel. */
static int kernel_debug_take(void *arg, const char *path)
{
	struct debug_search *s = arg;
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct build_id id;
	int r = path ? elf_file_open_mapped(path, &f) : -ENOENT;

	if (r < 0)
		return r;
	if (!elf_has_dwarf(f))
		return -ENODATA;
	if (s->id && (elf_file_build_id(f, &id) < 0 || !build_id_equal(&id, s->id)))
		return -ESTALE;
	s->path = xstrdup(path);
	s->found = TAKE(f);
	return 0;
}

static int take_by_id(struct debug_search *s, const struct symbolizer_options *o)
{
	char text[BUILD_ID_TEXT_MAX];

	build_id_format(s->id, text);

	_cleanup_(freep) char *installed = xasprintf("%s/usr/lib/debug/.build-id/%.2s/%s.debug",
						     o->symfs ? o->symfs : "", text, text + 2);
	_cleanup_(freep) char *cached = buildid_cache_find(o->buildid_dir, s->id, "debug");
	int r = kernel_debug_take(s, installed);

	return r < 0 ? kernel_debug_take(s, cached) : r;
}

static int take_from_server(struct debug_search *s, struct progress *progress)
{
	_cleanup_(debuginfod_freep) struct debuginfod *d = debuginfod_new(progress);
	_cleanup_(freep) char *path = d ? debuginfod_debug_file(d, s->id) : NULL;

	return kernel_debug_take(s, path);
}

static int kernel_debug_search(const struct kernel_request *r, struct debug_search *s)
{
	int e;

	if (r->options->vmlinux)
		return kernel_debug_take(s, r->options->vmlinux);
	if (!r->build_id.size)
		return -ENODATA;
	s->id = &r->build_id;
	e = kernel_files_try(r, kernel_debug_take, s);
	if (e < 0)
		e = take_by_id(s, r->options);
	if (e < 0)
		e = take_from_server(s, r->options->progress);
	return e < 0 ? -ENODATA : 0;
}

int kernel_debug_find(const struct kernel_request *r, struct elf_file **ret, char **ret_path)
{
	struct debug_search s = { 0 };
	int e = kernel_debug_search(r, &s);

	if (e < 0)
		return e;
	*ret = s.found;
	*ret_path = s.path;
	return 0;
}
