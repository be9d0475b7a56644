/* SPDX-License-Identifier: MIT */
/* The kernel and its modules, which share one list of symbols. */
#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/file.h"
#include "symbol/buildid/cache.h"
#include "symbol/elf-load.h"
#include "symbol/image.h"
#include "symbol/kernel-symbols.h"

static struct kernel_symbols *load_kernel_of(struct image *im)
{
	if (im->kind == IMAGE_GUEST_KERNEL || im->kind == IMAGE_GUEST_MODULE)
		return symbolizer_guest_kernel(im->symbolizer, im->pid);
	return symbolizer_kernel(im->symbolizer);
}

void image_load_kernel(struct image *im)
{
	struct kernel_symbols *k = load_kernel_of(im);

	im->missing = k->missing;
	im->symbols = kernel_symbols_table(k);
	im->kernel_path = k->path;
	if (im->symbols)
		im->origin = k->path ? ORIGIN_VMLINUX : ORIGIN_KERNEL_LIST;
}

bool image_kernel_address(struct image *im, const char *name, uint64_t *ret)
{
	return im->kind == IMAGE_KERNEL && kernel_symbols_address(load_kernel_of(im), name, ret);
}

/*
 * True if the symbols are of the recorded load of the module, which may have been loaded again
 * since.
 */
static bool lies_within(const struct symbol_table *t, const struct image *im)
{
	uint64_t start;

	return t && symbol_table_start(t, &start) && start >= im->start &&
	       (im->end <= im->start || start < im->end);
}

static struct symbol_table *find_in_list(struct image *im)
{
	struct kernel_symbols *k = load_kernel_of(im);
	const char *shown = im->short_name;
	size_t length = strlen(shown);

	if (length < 3 || *shown != '[')
		return NULL;

	_cleanup_(freep) char *name = xstrndup(shown + 1, length - 2);
	struct symbol_table *t = kernel_symbols_module(k, name);

	return lies_within(t, im) ? t : NULL;
}

int image_open_module(struct image *im, struct elf_file **ret, enum image_origin *ret_origin)
{
	const struct symbolizer_options *o = symbolizer_options(im->symbolizer);
	_cleanup_(freep) char *cached = o->buildid_dir && im->build_id.size
						? buildid_cache_find(o->buildid_dir, &im->build_id,
								     "elf")
						: NULL;
	_cleanup_(freep) char *path = xasprintf("%s%s", o->symfs ? o->symfs : "", im->name);
	int r = cached ? image_open_build(im, cached, ret) : -ENOENT;

	*ret_origin = r < 0 ? ORIGIN_FILE : ORIGIN_CACHE;
	return r < 0 && *im->name == '/' ? image_open_build(im, path, ret) : r;
}

static int load_kernel_find_file(struct image *im)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	int r = image_open_module(im, &f, &im->origin);

	return r < 0 ? r : elf_load_module(f, im->start, &im->own);
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
	im->missing = image_missing_from(load_kernel_find_file(im));
}

/* Opens @path if it has DWARF and is the build @id. */
static int try_dwarf(const char *path, const struct build_id *wanted, struct dwarf_place *ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct build_id id;
	int r = path ? elf_file_open_mapped(path, &f) : -ENOENT;

	if (r < 0)
		return r;
	if (!elf_has_dwarf(f))
		return -ENODATA;
	if (wanted->size && elf_file_build_id(f, &id) >= 0 && !build_id_equal(&id, wanted))
		return -ESTALE;
	*ret = (struct dwarf_place){ .path = xstrdup(path), .dwarf = TAKE(f) };
	return 0;
}

int image_find_dwarf_kernel(struct image *im, struct dwarf_place *ret)
{
	struct kernel_symbols *k = load_kernel_of(im);
	_cleanup_(freep) char *by_id = image_debug_path(im, &k->build_id);
	int r = try_dwarf(k->path, &k->build_id, ret);

	if (r < 0)
		r = try_dwarf(by_id, &k->build_id, ret);
	if (r < 0)
		return r;
	ret->start = kernel_symbols_distance(k, ret->dwarf);
	return 0;
}

/* Distributions put debug files of modules below /usr/lib/debug, under the path of the module. */
static const struct {
	const char *before, *behind;
} module_places[] = { { "", "" }, { "/usr/lib/debug", "" }, { "/usr/lib/debug", ".debug" } };

int image_find_dwarf_module(struct image *im, struct dwarf_place *ret)
{
	const struct symbolizer_options *o = symbolizer_options(im->symbolizer);
	const struct build_id *id = &im->build_id;
	_cleanup_(freep) char *by_id = image_debug_path(im, id);
	_cleanup_(freep) char *cached = o->buildid_dir && id->size
						? buildid_cache_find(o->buildid_dir, id, "elf")
						: NULL;
	int r = try_dwarf(cached, id, ret);

	for (size_t i = 0; r < 0 && *im->name == '/' && i < ARRAY_SIZE(module_places); i++) {
		_cleanup_(freep) char *path = xasprintf("%s%s%s%s", o->symfs ? o->symfs : "",
							module_places[i].before, im->name,
							module_places[i].behind);

		r = try_dwarf(path, id, ret);
	}
	if (r < 0)
		r = try_dwarf(by_id, id, ret);
	if (r < 0)
		return r;
	ret->start = im->start;
	ret->is_module = true;
	return 0;
}
