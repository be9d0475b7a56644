/* SPDX-License-Identifier: MIT */
#include "transform/image-build-id.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "elf/file.h"
#include "kernel/kernel-notes.h"
#include "kernel/vdso.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

static int vdso_build_id(struct build_id *ret)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	const void *bytes;
	size_t size;
	int r = vdso_get(&bytes, &size);

	if (r >= 0)
		r = elf_file_open_memory(bytes, size, &f);
	return r < 0 ? r : elf_file_build_id(f, ret);
}

/*
 * Finds the build-id of a module in /sys/module. "/lib/modules/6.1.0/kernel/fs/nf-tables.ko.xz" and
 * "[nf_tables]" are both nf_tables there.
 */
static int module_build_id(const char *name, struct build_id *ret)
{
	const char *slash = strrchr(name, '/');
	_cleanup_(freep) char *module = xstrdup(slash ? slash + 1 : name + (*name == '['));

	module[strcspn(module, ".]")] = '\0';
	for (char *c = module; *c; c++)
		if (*c == '-')
			*c = '_';
	return build_id_of_module(module, ret);
}

/*
 * Finds the build-id of the image's file. The file at its path is not necessarily the same one: the
 * image may be in a container, or have been replaced.
 */
static int file_build_id(const struct image *im, struct build_id *ret)
{
	_cleanup_(freep) char *path = NULL;
	int r = image_file_path(im, &path);

	return r < 0 ? r : elf_build_id_read(path, ret);
}

int image_find_build_id(struct image *im, struct build_id *ret)
{
	const struct build_id *recorded = image_build_id(im);
	const char *name = image_name(im);

	if (recorded->size) {
		*ret = *recorded;
		return 0;
	}
	switch (image_kind(im)) {
	case IMAGE_KERNEL:
		return build_id_of_kernel(ret);
	case IMAGE_MODULE:
		return module_build_id(name, ret);
	case IMAGE_VDSO:
		return strcmp(name, "[vdso]") ? -ENOENT : vdso_build_id(ret);
	case IMAGE_USER:
		return file_build_id(im, ret);
	default:
		return -ENOENT;
	}
}

struct namesakes {
	const struct image *of;
	bool any;
};

static void look_for_namesake(void *arg, struct image *im)
{
	struct namesakes *n = arg;

	n->any |= im != n->of && image_kind(im) == IMAGE_USER &&
		  file_id_differs(image_file_id(im), image_file_id(n->of)) &&
		  !strcmp(image_name(im), image_name(n->of));
}

static bool has_namesake(const struct session *s, const struct image *im)
{
	struct namesakes n = { .of = im };

	if (image_file_id(im)->ino)
		machine_images(s, look_for_namesake, &n);
	return n.any;
}

struct build_id_entry image_build_id_entry(const struct session *s, const struct image *im,
					   const struct build_id *id)
{
	bool kernel = image_kind(im) == IMAGE_KERNEL || image_kind(im) == IMAGE_MODULE;

	return (struct build_id_entry){
		.misc = (kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER) |
			PERF_RECORD_MISC_BUILD_ID_SIZE,
		.pid = -1,
		.build_id = *id,
		.filename = xstrdup(image_name(im)),
		.file = has_namesake(s, im) ? *image_file_id(im) : (struct file_id){ 0 },
	};
}
