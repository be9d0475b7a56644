/* SPDX-License-Identifier: MIT */
#include "symbol/image.h"

#include <errno.h>

static void load_whole(struct image *im)
{
	im->whole = (struct symbol){
		.start = im->start, .end = im->end, .name = im->name, .binding = 'g'
	};
	im->missing = IMAGE_LOADED;
}

static void load_nothing(struct image *im)
{
	im->missing = IMAGE_ANONYMOUS;
}

static void (*const loaders[])(struct image *im) = {
	[IMAGE_UNKNOWN] = load_nothing,           [IMAGE_USER] = image_load_user,
	[IMAGE_VDSO] = image_load_vdso,           [IMAGE_JIT] = image_load_jit,
	[IMAGE_JITDUMP] = load_nothing,           [IMAGE_KERNEL] = image_load_kernel,
	[IMAGE_MODULE] = image_load_module,       [IMAGE_BPF] = load_whole,
	[IMAGE_GUEST_KERNEL] = image_load_kernel, [IMAGE_GUEST_MODULE] = image_load_module,
};

static void load(struct image *im)
{
	pthread_mutex_lock(&im->lock);
	if (!atomic_load_explicit(&im->loaded, memory_order_relaxed)) {
		loaders[im->kind](im);
		atomic_store_explicit(&im->loaded, true, memory_order_release);
	}
	pthread_mutex_unlock(&im->lock);
}

const struct symbol *image_symbol_find(struct image *im, uint64_t addr)
{
	if (!atomic_load_explicit(&im->loaded, memory_order_acquire))
		load(im);
	if (im->symbols)
		return symbol_table_find(im->symbols, addr);
	return addr >= im->whole.start && addr < im->whole.end ? &im->whole : NULL;
}

int image_open(struct image *im, struct elf_file **ret)
{
	int r = -ENOTSUP;

	pthread_mutex_lock(&im->lock);
	if (im->kind == IMAGE_USER)
		r = image_open_user(im, ret);
	else if (im->kind == IMAGE_VDSO)
		r = image_open_vdso(im, ret);
	pthread_mutex_unlock(&im->lock);
	return r;
}

enum image_kind image_kind(const struct image *im)
{
	return im->kind;
}

const char *image_name(const struct image *im)
{
	return im->name;
}

/* What the kernel's symbols are from is known only after the first lookup. */
static const char *path_of(const struct image *im)
{
	switch (im->kind) {
	case IMAGE_KERNEL:
	case IMAGE_GUEST_KERNEL:
		if (atomic_load_explicit(&im->loaded, memory_order_acquire) && im->kernel_path)
			return im->kernel_path;
		return im->long_name;
	case IMAGE_MODULE:
	case IMAGE_GUEST_MODULE:
		return im->name;
	default:
		return im->long_name;
	}
}

const char *image_long_name(const struct image *im)
{
	return symbolizer_options(im->symbolizer)->kernel_paths ? path_of(im) : im->long_name;
}

const char *image_short_name(const struct image *im)
{
	return im->short_name;
}

const struct build_id *image_build_id(const struct image *im)
{
	return &im->build_id;
}

enum image_missing image_missing_reason(const struct image *im)
{
	return atomic_load_explicit(&im->loaded, memory_order_acquire) ? im->missing
								       : IMAGE_NOT_TRIED;
}

enum image_missing image_unnamed_reason(const struct image *im)
{
	enum image_missing why = image_missing_reason(im);

	return why == IMAGE_LOADED && im->only_public ? IMAGE_ONLY_PUBLIC : why;
}

enum image_origin image_origin(const struct image *im)
{
	return atomic_load_explicit(&im->loaded, memory_order_acquire) ? im->origin
								       : ORIGIN_NOTHING;
}

const char *image_remark(const struct image *im)
{
	return atomic_load_explicit(&im->loaded, memory_order_acquire) ? im->remark : NULL;
}

const char *image_wanted_path(const struct image *im)
{
	return im->wanted_path ? im->wanted_path : image_long_name(im);
}

enum image_missing image_missing_from(int error)
{
	switch (-error) {
	case 0:
		return IMAGE_LOADED;
	case ENOTSUP:
		return IMAGE_NOT_BUILT_IN;
	case EACCES:
	case EPERM:
		return IMAGE_UNREADABLE;
	case ENOENT:
	case ENOTDIR:
		return IMAGE_NO_FILE;
	case ENODATA:
		return IMAGE_STRIPPED;
	case ESTALE:
		return IMAGE_OTHER_BUILD;
	default:
		return IMAGE_NOT_ELF;
	}
}
