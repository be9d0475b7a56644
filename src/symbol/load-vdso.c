/* SPDX-License-Identifier: MIT */
/* The vdso: from the build-id cache, or from our own memory. */
#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/file.h"
#include "kernel/vdso.h"
#include "symbol/buildid/cache.h"
#include "symbol/elf-load.h"
#include "symbol/image.h"

/* Returns @f if it has the recorded build-id; otherwise closes it. */
static int load_vdso_check_build(const struct image *im, struct elf_file *f, struct elf_file **ret)
{
	struct build_id id = { .size = 0 };

	if (elf_file_build_id(f, &id) >= 0 && im->build_id.size &&
	    !build_id_equal(&id, &im->build_id)) {
		elf_file_free(f);
		return -ESTALE;
	}
	*ret = f;
	return 0;
}

static int open_cached(const struct image *im, struct elf_file **ret)
{
	const char *dir = symbolizer_options(im->symbolizer)->buildid_dir;
	struct elf_file *f;

	if (!dir || !im->build_id.size)
		return -ENOENT;

	_cleanup_(freep) char *path = buildid_cache_find(dir, &im->build_id, "vdso");
	int r = path ? elf_file_open(path, &f) : -ENOENT;

	return r < 0 ? r : load_vdso_check_build(im, f, ret);
}

static int open_own(const struct image *im, struct elf_file **ret)
{
	struct elf_file *f;
	const void *bytes;
	size_t size;

	/* [vdso32] is that of 32-bit processes, and a symfs belongs to another machine. */
	if (strcmp(im->name, "[vdso]") != 0 || symbolizer_options(im->symbolizer)->symfs)
		return -ENOENT;

	int r = vdso_get(&bytes, &size);

	if (r >= 0)
		r = elf_file_open_memory(bytes, size, &f);
	return r < 0 ? r : load_vdso_check_build(im, f, ret);
}

int image_open_vdso(struct image *im, struct elf_file **ret)
{
	int r = open_cached(im, ret);

	return r < 0 ? open_own(im, ret) : r;
}

void image_load_vdso(struct image *im)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	int r = open_cached(im, &f);

	im->origin = ORIGIN_CACHE;
	if (r < 0) {
		r = open_own(im, &f);
		im->origin = r < 0 ? ORIGIN_NOTHING : ORIGIN_FILE;
	}
	if (r >= 0 && !im->build_id.size)
		(void)elf_file_build_id(f, &im->build_id);
	if (r >= 0)
		r = elf_load_by_offset(f, f, &im->own);
	im->missing = image_missing_from(r);
	im->symbols = &im->own;
}

/* The vdso itself never has DWARF, but the debug file of the kernel's package may have it. */
int image_find_dwarf_vdso(struct image *im, struct dwarf_place *ret)
{
	_cleanup_(elf_file_freep) struct elf_file *code = NULL, *dwarf = NULL;
	struct build_id id = { .size = 0 };
	int r = image_open_vdso(im, &code);

	if (r < 0)
		return r;
	if (elf_file_build_id(code, &id) < 0)
		id = im->asked_id;

	_cleanup_(freep) char *path = image_debug_path(im, &id);

	r = path ? elf_file_open_mapped(path, &dwarf) : -ENODATA;
	if (r < 0 || !elf_has_dwarf(dwarf))
		return -ENODATA;
	*ret = (struct dwarf_place){
		.dwarf = TAKE(dwarf), .code = TAKE(code), .path = TAKE(path), .by_offset = true
	};
	return 0;
}
