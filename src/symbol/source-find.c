/* SPDX-License-Identifier: MIT */
#include "symbol/source-find.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sealed-file.h"
#include "dwarf/file.h"
#include "elf/build-id.h"
#include "elf/debug-link.h"
#include "elf/file.h"
#include "symbol/image.h"

static int source_find_place(struct image *im, struct dwarf_place *ret)
{
	switch (im->kind) {
	case IMAGE_USER:
		return image_find_dwarf_user(im, ret);
	case IMAGE_VDSO:
		return image_find_dwarf_vdso(im, ret);
	case IMAGE_KERNEL:
	case IMAGE_GUEST_KERNEL:
		return image_find_dwarf_kernel(im, ret);
	case IMAGE_MODULE:
	case IMAGE_GUEST_MODULE:
		return image_find_dwarf_module(im, ret);
	default:
		return -ENODATA;
	}
}

/* Opens @path if it has the build-id @id; dwz files always have one. */
static struct elf_file *open_alt(const char *path, const struct build_id *id)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct build_id own;

	if (!path || elf_file_open_mapped(path, &f) < 0 || elf_file_build_id(f, &own) < 0 ||
	    !build_id_equal(&own, id))
		return NULL;
	return TAKE(f);
}

/*
 * Returns the path of the dwz file. A relative path is relative to the file that names it, an
 * absolute one to symfs.
 */
static char *alt_path(struct image *im, const char *from, const char *name)
{
	const char *symfs = symbolizer_options(im->symbolizer)->symfs;
	const char *slash = strrchr(from, '/');

	if (*name == '/')
		return xasprintf("%s%s", symfs ? symfs : "", name);
	return xasprintf("%.*s%s", slash ? (int)(slash - from) + 1 : 0, from, name);
}

static struct elf_file *find_alt(struct image *im, const struct dwarf_place *place)
{
	struct build_id id;
	const char *name;

	if (elf_debug_alt_link(place->dwarf, &name, &id) < 0)
		return NULL;

	_cleanup_(freep) char *named = alt_path(im, place->path, name);
	_cleanup_(freep) char *by_id = image_debug_path(im, &id);
	struct elf_file *f = open_alt(named, &id);

	return f ? f : open_alt(by_id, &id);
}

/* Finds the package, which is beside the program and has its name, with .dwp. */
static struct elf_file *find_package(struct image *im, const struct dwarf_place *place)
{
	const char *symfs = symbolizer_options(im->symbolizer)->symfs;
	_cleanup_(freep) char *beside = xasprintf("%s.dwp", place->path);
	_cleanup_(freep) char *named = xasprintf("%s%s.dwp", symfs ? symfs : "", im->name);
	struct elf_file *f = NULL;

	if (elf_file_open_mapped(beside, &f) < 0)
		(void)elf_file_open_mapped(named, &f);
	return f;
}

void source_parts_done(struct source_parts *p)
{
	elf_file_free(p->dwarf);
	elf_file_free(p->alt);
	elf_file_free(p->package);
	elf_file_free(p->code);
	free(p->path);
	*p = (struct source_parts){ 0 };
}

static struct source_parts parts_of(struct image *im, const struct dwarf_place *place)
{
	return (struct source_parts){
		.dwarf = place->dwarf,
		.alt = find_alt(im, place),
		.package = find_package(im, place),
		.code = place->code,
		.path = place->path,
		.by_offset = place->by_offset,
		.is_module = place->is_module,
		.start = place->start,
	};
}

int source_parts_find(struct image *im, struct source_parts *ret)
{
	struct dwarf_place place;
	int r;

	pthread_mutex_lock(&im->lock);
	r = source_find_place(im, &place);
	pthread_mutex_unlock(&im->lock);
	if (r >= 0)
		*ret = parts_of(im, &place);
	return r;
}

void source_file_done(struct source_file *f)
{
	source_parts_done(&f->parts);
	dwarf_file_free(f->dwarf);
	elf_file_free(f->code);
	*f = (struct source_file){ 0 };
}

int source_file_find(struct image *im, struct source_file *ret)
{
	struct dwarf_place place;
	int r = source_find_place(im, &place);

	if (r < 0)
		return r;
	*ret = (struct source_file){ .parts = parts_of(im, &place),
				     .start = place.start,
				     .is_module = place.is_module };
	ret->code = TAKE(ret->parts.code);
	if (place.by_offset)
		ret->layout = ret->code ? ret->code : place.dwarf;
	return 0;
}

int source_file_open(struct source_file *f)
{
	int r = dwarf_file_open(TAKE(f->parts.dwarf), &f->dwarf);

	if (r < 0) {
		f->layout = NULL; /* it may be the file that is closed now */
		return r;
	}
	if (f->parts.alt)
		dwarf_file_set_alt(f->dwarf, TAKE(f->parts.alt));
	if (f->parts.package)
		dwarf_file_set_package(f->dwarf, TAKE(f->parts.package));
	if (f->is_module)
		f->start -= dwarf_file_text(f->dwarf);
	return 0;
}

uint64_t source_file_identity(const struct source_file *f)
{
	uint64_t own = elf_file_identity(f->parts.dwarf);
	uint64_t alt = f->parts.alt ? elf_file_identity(f->parts.alt) : 0;

	return own ? sealed_identity(own, alt) : 0;
}

bool source_file_link_address(const struct source_file *f, uint64_t addr, uint64_t *ret)
{
	if (f->layout)
		return elf_file_address(f->layout, addr, ret);
	*ret = addr - f->start;
	return true;
}

bool source_file_address(const struct source_file *f, uint64_t link, uint64_t *ret)
{
	if (f->layout)
		return elf_file_offset(f->layout, link, 0, ret);
	*ret = link + f->start;
	return true;
}
