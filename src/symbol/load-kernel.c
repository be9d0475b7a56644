/* SPDX-License-Identifier: MIT */
/* The kernel and its modules, which share one list of symbols. */
#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "symbol/buildid-cache.h"
#include "symbol/elf-load.h"
#include "symbol/image.h"
#include "symbol/kernel-symbols.h"

static struct kernel_symbols *kernel_of(struct image *im)
{
	if (im->kind == IMAGE_GUEST_KERNEL || im->kind == IMAGE_GUEST_MODULE)
		return symbolizer_guest_kernel(im->symbolizer, im->pid);
	return symbolizer_kernel(im->symbolizer);
}

void image_load_kernel(struct image *im)
{
	struct kernel_symbols *k = kernel_of(im);

	im->missing = k->missing;
	im->symbols = kernel_symbols_table(k);
	im->kernel_path = k->path;
	if (im->symbols)
		im->origin = k->path ? ORIGIN_VMLINUX : ORIGIN_KERNEL_LIST;
}

/* Are its symbols those of the load that was recorded? It may have been loaded again since. */
static bool lies_within(const struct symbol_table *t, const struct image *im)
{
	uint64_t start;

	return t && symbol_table_start(t, &start) && start >= im->start &&
	       (im->end <= im->start || start < im->end);
}

static struct symbol_table *find_in_list(struct image *im)
{
	struct kernel_symbols *k = kernel_of(im);
	const char *shown = im->short_name;
	size_t length = strlen(shown);

	if (length < 3 || *shown != '[')
		return NULL;

	_cleanup_(freep) char *name = xstrndup(shown + 1, length - 2);
	struct symbol_table *t = kernel_symbols_module(k, name);

	return lies_within(t, im) ? t : NULL;
}

static int load_file(struct image *im, const char *path)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct build_id id;
	int r = elf_file_open(path, &f);

	if (r < 0)
		return r;
	if (im->build_id.size && elf_file_build_id(f, &id) >= 0 &&
	    !build_id_equal(&id, &im->build_id))
		return -ESTALE;
	return elf_load_module(f, im->start, &im->own);
}

static int find_file(struct image *im)
{
	const struct symbolizer_options *o = symbolizer_options(im->symbolizer);
	_cleanup_(freep) char *cached = o->buildid_dir && im->build_id.size
						? buildid_cache_find(o->buildid_dir, &im->build_id,
								     "elf")
						: NULL;
	_cleanup_(freep) char *path = xasprintf("%s%s", o->symfs ? o->symfs : "", im->name);
	int r = cached ? load_file(im, cached) : -ENOENT;

	im->origin = r < 0 ? ORIGIN_FILE : ORIGIN_CACHE;
	if (r < 0 && *im->name == '/')
		r = load_file(im, path);
	return r;
}

void image_load_module(struct image *im)
{
	im->symbols = find_in_list(im);
	if (im->symbols) {
		im->missing = IMAGE_LOADED;
		im->origin = ORIGIN_KERNEL_LIST;
		return;
	}
	im->symbols = &im->own;
	im->missing = image_missing_from(find_file(im));
}
