/* SPDX-License-Identifier: MIT */
#include "profile/runtime-share.h"

#include <stddef.h>

#include "profile/frames.h"
#include "profile/stacks.h"
#include "runtime/runtime.h"
#include "symbol/symbolizer.h"

/* One in this number of samples is a large part. */
#define GOOD_PART 5

static bool is_made_at_run_time(const struct image *im)
{
	return image_kind(im) == IMAGE_JIT || image_kind(im) == IMAGE_JITDUMP ||
	       runtime_kind_of_path(image_name(im)) != RUNTIME_KIND_NONE;
}

/* The last image. The same image is at many nodes, mostly consecutive ones. */
struct known_image {
	const struct image *image;
	enum runtime_kind runtime;
	bool is_made_at_run_time;
};

static void runtime_share_know(struct known_image *k, const struct image *im)
{
	if (k->image == im)
		return;
	*k = (struct known_image){ .image = im, .is_made_at_run_time = is_made_at_run_time(im) };
	if (image_kind(im) == IMAGE_USER)
		k->runtime = language_runtime_of(image_name(im));
}

void runtime_share_count(struct runtime_share *r, const struct frames *frames,
			 const struct stacks *s, const bool *shown)
{
	struct known_image k = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		const struct stack_node *n = &s->nodes[i];
		uint64_t samples = s->weights[i].self.samples;
		const struct frame *f;

		if (n->parent == STACK_NONE || (shown && !shown[i]))
			continue;
		f = frames_get(frames, n->frame);
		r->total += samples;
		if (!f->image)
			continue;
		runtime_share_know(&k, f->image);
		r->names_code |= f->sym && k.is_made_at_run_time;
		r->samples[k.runtime] += samples;
	}
}

enum runtime_kind runtime_share_silent(const struct runtime_share *r)
{
	for (int i = RUNTIME_KIND_NONE + 1; i < RUNTIME_KINDS && !r->names_code; i++)
		if (r->samples[i] && r->samples[i] >= r->total / GOOD_PART)
			return (enum runtime_kind)i;
	return RUNTIME_KIND_NONE;
}
