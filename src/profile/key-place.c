/* SPDX-License-Identifier: MIT */
/*
 * Places in code and data in the form of sort keys: images by name, functions, and addresses if
 * there is no function. Shared by the keys for sampled code, both ends of branches, and data.
 */
#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "profile/key-types.h"
#include "profile/shared-values.h"
#include "profile/source-text.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"

static const char *key_place_image_text(const struct key_env *env, const struct frame *f)
{
	return env->verbose ? image_long_name(f->image) : image_short_name(f->image);
}

/* Returns the result of @find for @frame, which is kept after the first call. It is not 0. */
static uint64_t key_place_noted(struct key_env *env, uint32_t frame, enum frame_note which,
				uint64_t (*find)(struct key_env *env, uint32_t frame))
{
	_Atomic(uint64_t) *note = frames_note(env->frames, frame, which);
	uint64_t value = atomic_load_explicit(note, memory_order_relaxed);

	if (!value) {
		value = find(env, frame);
		atomic_store_explicit(note, value, memory_order_relaxed);
	}
	return value;
}

/* A function without an image stands for frames that --frames leaves out. */
static uint64_t key_place_find_image(struct key_env *env, uint32_t frame)
{
	const struct frame *f = frames_get(env->frames, frame);

	return shared_values_add_text(env->values,
				      f->image ? key_place_image_text(env, f) : f->sym->name);
}

/* Returns the image's name; 0: no image is known there. */
uint64_t key_image_of(struct key_env *env, uint32_t frame)
{
	const struct frame *f = frame == FRAME_NONE ? NULL : frames_get(env->frames, frame);

	if (!f || (!f->image && !f->sym))
		return 0;
	return key_place_noted(env, frame, FRAME_NOTE_IMAGE, key_place_find_image);
}

int key_image_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	return a && b ? key_compare_texts(k, env, a, b) : !a - !b;
}

/*
 * Returns the representative of all frames that print alike, plus one: functions of the same name
 * at the same place (or inlined anywhere) in images of the same name, and addresses without a
 * function in any image.
 */
static uint64_t key_place_find_symbol(struct key_env *env, uint32_t frame)
{
	const struct frame *f = frames_get(env->frames, frame);
	struct {
		uint64_t image, name, addr, mode;
	} same = { 0 };

	same.addr = !f->sym ? frame_address(f) : f->sym->is_inlined ? 0 : f->sym->start;
	if (f->sym) {
		same.mode = f->mode;
		same.image = key_image_of(env, frame);
		same.name = shared_values_add_text(env->values, f->sym->name);
	}
	return shared_values_note(env->values, &same, sizeof(same), env->generation,
				  (uint64_t)frame + 1);
}

/* Returns the same number for frames that would be printed alike, because they are one row. */
uint64_t key_symbol_of(struct key_env *env, uint32_t frame)
{
	return frame == FRAME_NONE
		       ? FRAME_NONE
		       : key_place_noted(env, frame, FRAME_NOTE_SYMBOL, key_place_find_symbol) - 1;
}

/* True if both values stand for frames. */
static bool both_frames(struct key_env *env, uint64_t a, uint64_t b, const struct frame **ret_a,
			const struct frame **ret_b)
{
	if (a == FRAME_NONE || b == FRAME_NONE)
		return false;
	*ret_a = frames_get(env->frames, (uint32_t)a);
	*ret_b = frames_get(env->frames, (uint32_t)b);
	return true;
}

/* Compares functions by name, before all addresses, which compare as equal. */
int key_symbol_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	const struct frame *fa, *fb;
	int c;

	(void)k;
	if (!both_frames(env, a, b, &fa, &fb))
		return (a == FRAME_NONE) - (b == FRAME_NONE);
	if (!fa->sym || !fb->sym)
		return !fa->sym - !fb->sym;
	c = strcmp(fa->sym->name, fb->sym->name);
	return c ? c : fa->sym->is_inlined - fb->sym->is_inlined;
}

static uint64_t first_letters(const char *name)
{
	uint64_t letters = 0;

	for (size_t i = 0; i < sizeof(letters); i++) {
		letters = letters << 8 | (uint8_t)*name;
		name += !!*name;
	}
	return letters;
}

#define BEHIND_FUNCTIONS (1ULL << 63)

/*
 * Returns the prefix. The lowest bit of the name's part is dropped, because a bit is needed to
 * separate functions from what comes after them.
 */
uint64_t key_symbol_prefix(const struct key *k, struct key_env *env, uint64_t value)
{
	const struct frame *f = key_frame(env, value);

	(void)k;
	if (!f)
		return UINT64_MAX;
	return f->sym ? first_letters(f->sym->name) >> 1 : BEHIND_FUNCTIONS;
}

/* Returns a rank that sorts addresses as signed numbers. */
static uint64_t address_rank(uint64_t addr)
{
	return addr ^ 1ULL << 63;
}

uint64_t key_symbol_identity_prefix(const struct key *k, struct key_env *env, uint64_t value)
{
	const struct frame *f = key_frame(env, value);

	(void)k;
	if (!f)
		return UINT64_MAX;
	return f->sym ? address_rank(f->sym->start) >> 1
		      : BEHIND_FUNCTIONS | address_rank(frame_address(f)) >> 1;
}

static int compare_images(const struct key_env *env, const struct frame *a, const struct frame *b)
{
	if (a->image && b->image)
		return strcmp(key_place_image_text(env, a), key_place_image_text(env, b));
	return !a->image - !b->image;
}

/* Compares two functions by position. */
int key_symbol_identity(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	const struct frame *fa, *fb;
	int c;

	(void)k;
	if (!both_frames(env, a, b, &fa, &fb))
		return (a == FRAME_NONE) - (b == FRAME_NONE);
	if (!fa->sym && !fb->sym)
		return key_address_around(frame_address(fa), frame_address(fb));
	c = env->has_image_key ? 0 : compare_images(env, fa, fb);
	if (c || !fa->sym || !fb->sym)
		return c ? c : !fa->sym - !fb->sym;
	c = key_order(address_rank(fa->sym->start), address_rank(fb->sym->start));
	/* Inlined functions have no address of their own. */
	return c ? c : strcmp(fa->sym->name, fb->sym->name);
}

static const char *mode_word(enum address_mode mode)
{
	static const char *const words[] = {
		[ADDRESS_KERNEL] = "kernel",
		[ADDRESS_USER] = "user",
		[ADDRESS_GUEST_KERNEL] = "guest-kernel",
		[ADDRESS_GUEST_USER] = "guest-user",
		[ADDRESS_HYPERVISOR] = "hypervisor",
		[ADDRESS_UNKNOWN] = "hypervisor", /* as in Linux's perf */
	};

	return words[mode];
}

/* Returns Linux's perf's letter for the source of the image's symbols. */
static const char *origin_letter(const struct frame *f)
{
	static const char *const letters[] = {
		[ORIGIN_NOTHING] = "!",         [ORIGIN_FILE] = "d",
		[ORIGIN_CACHE] = "B",           [ORIGIN_CACHE_DEBUG] = "D",
		[ORIGIN_DEBUG_LINK] = "l",      [ORIGIN_DEBUG_TREE] = "f",
		[ORIGIN_DEBUG_TREE_BARE] = "u", [ORIGIN_DEBUG_BESIDE] = "o",
		[ORIGIN_BUILD_ID] = "b",        [ORIGIN_KERNEL_LIST] = "k",
		[ORIGIN_VMLINUX] = "v",         [ORIGIN_JIT] = "j",
	};
	enum image_origin origin = f->image ? image_origin(f->image) : ORIGIN_NOTHING;

	if (origin == ORIGIN_FILE && image_kind(f->image) == IMAGE_MODULE)
		return "K";
	return letters[origin];
}

static uint64_t address_shown(const struct frame *f)
{
	return f->map && f->mode == ADDRESS_USER ? f->ip - f->map->start + f->map->pgoff : f->ip;
}

const struct frame *key_frame(const struct key_env *env, uint64_t value)
{
	return value == FRAME_NONE ? NULL : frames_get(env->frames, (uint32_t)value);
}

void key_symbol_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *scratch, struct value *ret)
{
	static const struct frame nowhere = { .mode = ADDRESS_USER };
	const struct frame *f = key_frame(env, c->value);

	(void)k, (void)scratch;
	f = f ? f : &nowhere;
	ret[PART_NAME] = f->sym ? value_text(f->sym->name)
				: value_number(VALUE_ADDRESS, frame_address(f));
	ret[PART_MODE] = value_text(mode_word(f->mode));
	if (f->sym && f->sym->is_inlined)
		ret[PART_INLINED] = value_flag(true);
	if (env->verbose) {
		ret[PART_ADDR] = value_number(VALUE_ADDRESS, address_shown(f));
		ret[PART_ORIGIN] = value_text(origin_letter(f));
	}
}

/* Appends a replacement for an unknown source line. */
static void key_place_add(struct text *out, const struct frame *f)
{
	if (!f->image || source_is_unknown(f->image, f->sym))
		text_add(out, SOURCE_UNKNOWN);
	else if (f->sym)
		text_addf(out, "%s+%lu", f->sym->name, f->addr - f->sym->start);
	else
		text_addf(out, "%s[%lx]", image_short_name(f->image), f->addr);
}

static uint64_t key_place_find_line(struct key_env *env, uint32_t frame)
{
	const struct frame *f = frames_get(env->frames, frame);
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct source_line line;

	if (frame_source_line(f, &line))
		source_line_text(&line, env->full_source_paths, &t);
	else
		key_place_add(&t, f);
	return shared_values_add(env->values, t.chars, t.length);
}

uint64_t key_source_line_of(struct key_env *env, uint32_t frame)
{
	if (frame == FRAME_NONE)
		return shared_values_add_text(env->values, SOURCE_UNKNOWN);
	return key_place_noted(env, frame, FRAME_NOTE_LINE, key_place_find_line);
}

uint64_t key_source_file_of(struct key_env *env, uint32_t frame)
{
	struct source_line line;
	const char *file = "";

	if (frame_source_line(frames_get(env->frames, frame), &line))
		file = source_file_text(&line, env->full_source_paths);
	return shared_values_add_text(env->values, file);
}
