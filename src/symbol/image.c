/* SPDX-License-Identifier: MIT */
#include "symbol/image.h"

#include <errno.h>
#include <stdlib.h>

#include "base/memory.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "symbol/buildid/cache.h"
#include "symbol/given-names.h"
#include "symbol/runtime-names.h"
#include "symbol/source.h"

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

static void load_runtime(struct image *im)
{
	im->missing = IMAGE_LOADED;
	im->origin = ORIGIN_JIT;
}

static void (*const loaders[])(struct image *im) = {
	[IMAGE_UNKNOWN] = load_nothing,           [IMAGE_USER] = image_load_user,
	[IMAGE_VDSO] = image_load_vdso,           [IMAGE_JIT] = image_load_jit,
	[IMAGE_JITDUMP] = load_nothing,           [IMAGE_KERNEL] = image_load_kernel,
	[IMAGE_MODULE] = image_load_module,       [IMAGE_BPF] = load_whole,
	[IMAGE_GUEST_KERNEL] = image_load_kernel, [IMAGE_GUEST_MODULE] = image_load_module,
};

static bool is_loaded(const struct image *im)
{
	return atomic_load_explicit(&im->loaded, memory_order_acquire);
}

static void image_load(struct image *im)
{
	pthread_mutex_lock(&im->lock);
	if (!atomic_load_explicit(&im->loaded, memory_order_relaxed)) {
		(im->runtime ? load_runtime : loaders[im->kind])(im);
		atomic_store_explicit(&im->loaded, true, memory_order_release);
	}
	pthread_mutex_unlock(&im->lock);
}

const struct symbol *image_symbol_listed(struct image *im, uint64_t addr)
{
	if (im->given && (addr & GIVEN_NAMES))
		return symbol_table_find(im->given, addr);
	if (!is_loaded(im))
		image_load(im);
	if (im->runtime) {
		struct source_frames found = runtime_names_frames(im, addr);

		return found.n ? found.items[0].sym : NULL;
	}
	if (im->symbols)
		return symbol_table_find(im->symbols, addr);
	return addr >= im->whole.start && addr < im->whole.end ? &im->whole : NULL;
}

/* Linkers can leave static functions out of the symbol table (-x), but DWARF still has them. */
const struct symbol *image_symbol_find(struct image *im, uint64_t addr)
{
	const struct symbol *sym = image_symbol_listed(im, addr);
	struct source_frames frames;

	if (im->kind != IMAGE_USER || (sym && !sym->is_guessed) || addr & GIVEN_NAMES)
		return sym;
	frames = image_code_frames(im, addr);
	return frames.n ? frames.items[frames.n - 1].sym : sym;
}

const struct symbol *image_symbol_called(struct image *im, uint64_t addr)
{
	const struct symbol *sym = image_symbol_find(im, addr);

	if (sym && sym->start != addr && im->symbols)
		sym = symbol_table_find_called(im->symbols, addr);
	return sym;
}

int image_open(struct image *im, struct elf_file **ret)
{
	int r = -ENOTSUP;

	pthread_mutex_lock(&im->lock);
	if (im->runtime)
		r = runtime_names_open(im, ret);
	else if (im->kind == IMAGE_USER)
		r = image_open_user(im, ret);
	else if (im->kind == IMAGE_VDSO)
		r = image_open_vdso(im, ret);
	pthread_mutex_unlock(&im->lock);
	return r;
}

char *image_debug_path(const struct image *im, const struct build_id *id)
{
	const char *symfs = symbolizer_options(im->symbolizer)->symfs;
	char text[BUILD_ID_TEXT_MAX];

	if (id->size < 2)
		return NULL;
	return xasprintf("%s/usr/lib/debug/.build-id/%.2s/%s.debug", symfs ? symfs : "",
			 build_id_format(id, text), text + 2);
}

int image_open_debug(struct image *im, struct elf_file **ret)
{
	struct dwarf_place place;
	int r = -ENOTSUP;

	pthread_mutex_lock(&im->lock);
	if (im->kind == IMAGE_USER)
		r = image_find_dwarf_user(im, &place);
	pthread_mutex_unlock(&im->lock);
	if (r < 0)
		return r;
	free(place.path);
	if (!place.code) {
		elf_file_free(place.dwarf);
		return -ENODATA;
	}
	elf_file_free(place.code);
	*ret = place.dwarf;
	return 0;
}

enum image_kind image_kind(const struct image *im)
{
	return im->kind;
}

int32_t image_pid(const struct image *im)
{
	return im->pid;
}

const char *image_name(const struct image *im)
{
	return im->name;
}

/*
 * Returns the image's path. The file of the kernel's symbols is known only after the first lookup.
 */
static const char *image_path_of(const struct image *im)
{
	switch (im->kind) {
	case IMAGE_KERNEL:
	case IMAGE_GUEST_KERNEL:
		if (is_loaded(im) && im->kernel_path)
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
	return symbolizer_options(im->symbolizer)->kernel_paths ? image_path_of(im) : im->long_name;
}

const char *image_short_name(const struct image *im)
{
	return im->short_name;
}

const struct build_id *image_build_id(const struct image *im)
{
	return is_loaded(im) ? &im->build_id : &im->asked_id;
}

char *image_code_answers_path(const struct image *im, struct elf_file *file)
{
	struct build_id id;

	if (!elf_file_identity(file) || elf_file_build_id(file, &id) < 0)
		return NULL;
	return buildid_cache_kept_path(symbolizer_kept_dir(im->symbolizer), &id, BUILDID_KEPT_CODE);
}

char *image_type_answers_path(const struct image *im)
{
	return buildid_cache_kept_path(symbolizer_kept_dir(im->symbolizer), image_build_id(im),
				       BUILDID_KEPT_TYPES);
}

const struct file_id *image_file_id(const struct image *im)
{
	return &im->file;
}

enum image_missing image_missing_reason(const struct image *im)
{
	return is_loaded(im) ? im->missing : IMAGE_NOT_TRIED;
}

enum image_missing image_unnamed_reason(const struct image *im)
{
	enum image_missing why = image_missing_reason(im);

	return why == IMAGE_LOADED && im->only_public ? IMAGE_ONLY_PUBLIC : why;
}

const char *image_refusal(const struct image *im)
{
	return atomic_load_explicit(&im->loaded, memory_order_acquire) ? im->refusal : NULL;
}

enum image_origin image_origin(const struct image *im)
{
	return is_loaded(im) ? im->origin : ORIGIN_NOTHING;
}

const char *image_remark(const struct image *im)
{
	return atomic_load_explicit(&im->remark, memory_order_relaxed);
}

void image_set_remark(struct image *im, const char *remark)
{
	atomic_store_explicit(&im->remark, remark, memory_order_relaxed);
}

const char *image_wanted_path(const struct image *im)
{
	return is_loaded(im) && im->wanted_path ? im->wanted_path : image_long_name(im);
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

int image_open_build(const struct image *im, const char *path, struct elf_file **ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct build_id id;
	int r = elf_file_open(path, &f);

	if (r < 0)
		return r;
	if (im->build_id.size && elf_file_build_id(f, &id) >= 0 &&
	    !build_id_equal(&id, &im->build_id))
		return -ESTALE;
	*ret = TAKE(f);
	return 0;
}
