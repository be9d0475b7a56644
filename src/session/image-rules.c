/* SPDX-License-Identifier: MIT */
#include "session/image-rules.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/shared-map.h"
#include "dwarf/unwind/cfi-rules.h"
#include "elf/file.h"
#include "symbol/jit-code.h"
#include "symbol/symbolizer.h"

/* The rules of an image; NULL: it has no code that can be read. */
struct ruled_image {
	_Atomic(struct cfi_rules *) rules;
	atomic_uint tries; /* attempts to find its file */
	bool tried_debug_file;
	atomic_bool is_used; /* used since image_rules_forget() */
};

struct image_rules {
	unsigned tries_max;
	pthread_mutex_t lock;     /* held while adding */
	struct shared_map images; /* a ruled_image for each image */
};

struct image_rules *image_rules_new(unsigned tries)
{
	struct image_rules *r = xcalloc(1, sizeof(*r));

	r->tries_max = tries;
	pthread_mutex_init(&r->lock, NULL);
	return r;
}

static void image_rules_free_image(void *arg, uint64_t key, void *value)
{
	struct ruled_image *ri = value;

	(void)arg, (void)key;
	cfi_rules_free(ri->rules);
	free(ri);
}

void image_rules_free(struct image_rules *r)
{
	if (!r)
		return;
	shared_map_for_each(&r->images, image_rules_free_image, NULL);
	shared_map_done(&r->images);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

/*
 * Finds a piece of JIT code. Addresses in it are relative to where it would be loaded: see struct
 * jit_unwind.
 */
static bool find_piece(void *arg, uint64_t addr, struct cfi_piece *ret)
{
	struct jit_unwind u;

	if (!image_jit_unwind(arg, addr, &u))
		return false;
	*ret = (struct cfi_piece){ .start = u.start,
				   .end = u.end,
				   .bytes = u.bytes,
				   .size = u.size,
				   .addr = u.start + ((u.end - u.start + 7) & ~(uint64_t)7),
				   .swap = u.swapped };
	return true;
}

/* Returns the rules of @file, with the results of earlier runs. While recording, none are kept. */
static struct cfi_rules *rules_of_file(const struct image_rules *r, struct image *im,
				       struct elf_file *file)
{
	struct cfi_rules *rules = cfi_rules_new(file);
	char *path = r->tries_max == 1 ? image_code_answers_path(im, file) : NULL;

	if (path)
		cfi_rules_keep_answers(rules, path);
	return rules;
}

static void read_rules(const struct image_rules *r, struct ruled_image *ri, struct image *im,
		       const struct arch *arch)
{
	_cleanup_(elf_file_freep) struct elf_file *file = NULL;

	ri->tries++;
	if (image_kind(im) == IMAGE_JITDUMP)
		ri->rules = cfi_rules_new_jit(arch, find_piece, im);
	else if (image_open(im, &file) >= 0)
		ri->rules = rules_of_file(r, im, TAKE(file));
}

static bool is_settled(const struct image_rules *r, const struct ruled_image *ri)
{
	return ri && (ri->rules || ri->tries >= r->tries_max);
}

/*
 * Notes that the rules are used. JIT code ends with its process; only files will be mapped again.
 */
static void note_use(struct ruled_image *ri, const struct image *im)
{
	if (image_kind(im) != IMAGE_JITDUMP)
		atomic_store_explicit(&ri->is_used, true, memory_order_relaxed);
}

struct cfi_rules *image_rules_get(struct image_rules *r, struct image *im, const struct arch *arch)
{
	uint64_t key = (uintptr_t)im;
	struct ruled_image *ri = shared_map_find(&r->images, key);

	if (is_settled(r, ri)) {
		note_use(ri, im);
		return ri->rules;
	}
	pthread_mutex_lock(&r->lock);
	ri = shared_map_find(&r->images, key);
	if (!ri) {
		ri = xcalloc(1, sizeof(*ri));
		read_rules(r, ri, im, arch);
		note_use(ri, im);
		shared_map_put(&r->images, key, ri);
	} else if (!is_settled(r, ri)) {
		read_rules(r, ri, im, arch);
	}
	pthread_mutex_unlock(&r->lock);
	return ri->rules;
}

struct image_rules_forgetting {
	struct shared_map left;
	bool (*keeps)(void *arg, const struct image *im);
	void *arg;
};

static void image_rules_keep_or_free(void *arg, uint64_t key, void *value)
{
	struct image_rules_forgetting *f = arg;
	struct ruled_image *ri = value;

	if (!ri->is_used && !f->keeps(f->arg, (const struct image *)(uintptr_t)key)) {
		image_rules_free_image(NULL, key, ri);
		return;
	}
	ri->is_used = false;
	shared_map_put(&f->left, key, ri);
}

void image_rules_forget(struct image_rules *r, bool (*keeps)(void *arg, const struct image *im),
			void *arg)
{
	struct image_rules_forgetting f = { .keeps = keeps, .arg = arg };

	shared_map_for_each(&r->images, image_rules_keep_or_free, &f);
	shared_map_done(&r->images);
	r->images = f.left;
}

bool image_rules_has(const struct image_rules *r, const struct image *im)
{
	return shared_map_find(&r->images, (uintptr_t)im);
}

/* Adds the rules of the debug file once, if there is one. */
static void ask_debug_file(struct image_rules *r, struct image *im)
{
	struct ruled_image *ri = shared_map_find(&r->images, (uintptr_t)im);
	struct elf_file *debug;

	pthread_mutex_lock(&r->lock);
	if (!ri->tried_debug_file && image_open_debug(im, &debug) >= 0)
		cfi_rules_add_debug_file(ri->rules, debug);
	ri->tried_debug_file = true;
	pthread_mutex_unlock(&r->lock);
}

const struct unwind_rule *image_rules_find(struct image_rules *r, struct image *im,
					   struct cfi_rules *rules, uint64_t addr)
{
	const struct unwind_rule *rule = cfi_rules_find(rules, addr);

	if (rule != &unwind_rule_unknown || !cfi_rules_lacks(rules, addr))
		return rule;
	ask_debug_file(r, im);
	return cfi_rules_find(rules, addr);
}
