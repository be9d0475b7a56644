/* SPDX-License-Identifier: MIT */
#include "session/images.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbol/symbolizer.h"
#include "wire/record.h"

#define KERNEL_NAME       "[kernel.kallsyms]"
#define GUEST_KERNEL_NAME "[guest.kernel.kallsyms]"

void images_init(struct images *im, struct symbolizer *symbolizer)
{
	*im = (struct images){ .symbolizer = symbolizer };
	if (!symbolizer)
		im->symbolizer = im->own = symbolizer_new(&(struct symbolizer_options){ 0 });
}

void images_done(struct images *im)
{
	u64_map_done(&im->build_ids);
	u64_map_done(&im->known);
	free(im->list.items);
	arena_done(&im->arena);
	intern_done(&im->names);
	symbolizer_free(im->own);
}

/* A module's name has .ko in it or is "[x]"; the kernel itself may go by the path of its vmlinux.
 */
static const char *kernel_by_other_name(const char *name, unsigned mode)
{
	bool guest = mode == PERF_RECORD_MISC_GUEST_KERNEL;

	if ((mode != PERF_RECORD_MISC_KERNEL && !guest) || name[0] != '/' || strstr(name, ".ko"))
		return NULL;
	return guest ? GUEST_KERNEL_NAME : KERNEL_NAME;
}

static void put_build_id(struct images *im, const char *name, struct build_id *id)
{
	u64_map_put(&im->build_ids, (uintptr_t)intern_text(&im->names, name), id);
}

void images_learn_build_id(struct images *im, const char *name, uint16_t misc,
			   const struct build_id *id)
{
	const char *kernel = kernel_by_other_name(name, misc & PERF_RECORD_MISC_CPUMODE_MASK);
	struct build_id *copy = arena_alloc(&im->arena, sizeof(*copy));

	*copy = *id;
	put_build_id(im, name, copy);
	if (kernel)
		put_build_id(im, kernel, copy);
}

static const struct build_id *build_id_of(const struct images *im, const char *name)
{
	const char *known = intern_find(&im->names, name);

	return known ? u64_map_find(&im->build_ids, (uintptr_t)known) : NULL;
}

struct image *images_get(struct images *im, const struct image_key *key)
{
	struct image_key k = *key;
	const struct build_id *id = k.build_id_size ? NULL : build_id_of(im, k.name);

	if (id) {
		k.build_id = id->bytes;
		k.build_id_size = id->size;
		/* Linux's perf shows the modules that the table lists by their files. */
		k.by_path = true;
	}

	struct image *image = symbolizer_image(im->symbolizer, &k);

	if (!u64_map_find(&im->known, (uintptr_t)image)) {
		u64_map_put(&im->known, (uintptr_t)image, image);
		*ARRAY_ADD(&im->list) = image;
	}
	return image;
}
