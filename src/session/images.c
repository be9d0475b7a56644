/* SPDX-License-Identifier: MIT */
#include "session/images.h"

#include <stdlib.h>
#include <string.h>

#include "base/file-id.h"
#include "base/hash.h"
#include "base/memory.h"
#include "symbol/symbolizer.h"
#include "wire/record.h"

#define KERNEL_NAME       "[kernel.kallsyms]"
#define GUEST_KERNEL_NAME "[guest.kernel.kallsyms]"

void images_init(struct images *im, struct symbolizer *symbolizer)
{
	*im = (struct images){ .symbolizer = symbolizer, .seed = hash_seed() };
	if (!symbolizer)
		im->symbolizer = im->own = symbolizer_new(&(struct symbolizer_options){ 0 });
}

void images_done(struct images *im)
{
	u64_map_done(&im->build_ids);
	u64_map_done(&im->of_files);
	u64_map_done(&im->known);
	free(im->list.items);
	arena_done(&im->arena);
	intern_done(&im->names);
	symbolizer_free(im->own);
}

/*
 * Returns the kernel's name if @name is another name for the kernel. A module's name has .ko in it,
 * or is "[x]"; the kernel itself may be named after its vmlinux.
 */
static const char *kernel_by_other_name(const char *name, unsigned mode)
{
	bool guest = mode == PERF_RECORD_MISC_GUEST_KERNEL;

	if ((mode != PERF_RECORD_MISC_KERNEL && !guest) || name[0] != '/' || strstr(name, ".ko"))
		return NULL;
	return guest ? GUEST_KERNEL_NAME : KERNEL_NAME;
}

struct listed_build_id {
	const struct listed_build_id *next; /* the next one with the same hash_of_file() */
	const char *name;                   /* interned */
	struct build_id id;
	struct file_id file; /* ino 0: of any file */
	unsigned n;          /* number of entries in the list from here on */
};

/*
 * The maximum number of files with the same path and inode, but different generations. No recording
 * has more.
 */
#define NAMESAKES_MAX 64

static uint64_t hash_of_file(const struct images *im, const char *name, const struct file_id *file)
{
	return hash_u64(im->seed, hash_u64(im->seed, (uintptr_t)name) ^ file->ino);
}

static void images_put_build_id(struct images *im, const char *name, const struct build_id *id,
				const struct file_id *file)
{
	const char *known = intern_text(&im->names, name);
	struct listed_build_id *l = arena_alloc(&im->arena, sizeof(*l));

	*l = (struct listed_build_id){ .name = known, .id = *id };
	u64_map_put(&im->build_ids, (uintptr_t)known, l);
	if (!file || !file->ino)
		return;

	uint64_t hash = hash_of_file(im, known, file);
	const struct listed_build_id *first = u64_map_find(&im->of_files, hash);

	l->file = *file;
	l->next = first;
	l->n = first ? first->n + 1 : 1;
	if (l->n <= NAMESAKES_MAX)
		u64_map_put(&im->of_files, hash, l);
}

void images_learn_build_id(struct images *im, const char *name, uint16_t misc,
			   const struct build_id *id, const struct file_id *file)
{
	const char *kernel = kernel_by_other_name(name, misc & PERF_RECORD_MISC_CPUMODE_MASK);

	images_put_build_id(im, name, id, file);
	if (kernel)
		images_put_build_id(im, kernel, id, NULL);
}

/*
 * Returns the build-id of an image. If a recording gives several for a name, the last one counts.
 */
static const struct build_id *build_id_of(const struct images *im, const struct image_key *key)
{
	const char *known = intern_find(&im->names, key->name);
	const struct listed_build_id *l;

	if (!known)
		return NULL;
	l = u64_map_find(&im->of_files, hash_of_file(im, known, &key->file));
	while (l && (l->name != known || file_id_differs(&l->file, &key->file)))
		l = l->next;
	if (!l)
		l = u64_map_find(&im->build_ids, (uintptr_t)known);
	return l && !file_id_differs(&l->file, &key->file) ? &l->id : NULL;
}

void images_forget(struct images *im)
{
	u64_map_done(&im->known);
	im->list.n = 0;
}

void images_note(struct images *im, struct image *image)
{
	if (images_has(im, image))
		return;
	u64_map_put(&im->known, (uintptr_t)image, image);
	*ARRAY_ADD(&im->list) = image;
}

bool images_has(const struct images *im, const struct image *image)
{
	return u64_map_find(&im->known, (uintptr_t)image);
}

struct image *images_get(struct images *im, const struct image_key *key)
{
	struct image_key k = *key;
	const struct build_id *id = k.build_id_size ? NULL : build_id_of(im, &k);

	if (id) {
		k.build_id = id->bytes;
		k.build_id_size = id->size;
		/* Modules in the build-id table are shown by their files, as Linux's perf does. */
		k.by_path = true;
	}

	struct image *image = symbolizer_image(im->symbolizer, &k);

	images_note(im, image);
	return image;
}
