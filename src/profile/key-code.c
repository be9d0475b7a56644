/* SPDX-License-Identifier: MIT */
/* Sort keys for the code that ran: images, functions, addresses, lines of source. */
#include <string.h>

#include "base/text.h"
#include "profile/frame-choice.h"
#include "profile/key-types.h"
#include "profile/shared-values.h"
#include "runtime/runtime.h"
#include "symbol/symbolizer.h"

static uint64_t dso_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k;
	return key_image_of(env, frame);
}

const struct key_type key_dso = {
	.name = "dso",
	.title = "Shared Object",
	.scope = KEY_FRAME,
	.parts = { { .name = "dso", .type = VALUE_TEXT } },
	.of_frame = dso_of,
	.compare = key_image_compare,
};

static uint64_t key_code_symbol_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k;
	return key_symbol_of(env, frame);
}

/*
 * Returns the parts of a symbol. The mode is that of the row, because other rows may have the same
 * address in other images.
 */
static void symbol_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			 struct text *scratch, struct value *ret)
{
	struct key_cell own = *c;

	if (c->frame != FRAME_NONE)
		own.value = c->frame;
	key_symbol_value(k, env, &own, scratch, ret);
}

const struct key_type key_symbol = {
	.name = "symbol",
	.title = "Symbol",
	.scope = KEY_FRAME,
	.flags = KEY_IS_FRAME | KEY_OF_NAMES,
	.parts = { SYMBOL_PARTS("symbol") },
	.of_frame = key_code_symbol_of,
	.compare = key_symbol_compare,
	.identity = key_symbol_identity,
	.prefix = key_symbol_prefix,
	.identity_prefix = key_symbol_identity_prefix,
	.value = symbol_value,
};

static uint64_t symoff_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k, (void)env;
	return frame;
}

static uint64_t key_code_offset_of(const struct frame *f)
{
	return f->addr - f->sym->start;
}

/* Compares by name, then the highest offset first; addresses without a function come last. */
static int symoff_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	const struct frame *fa = frames_get(env->frames, (uint32_t)a);
	const struct frame *fb = frames_get(env->frames, (uint32_t)b);
	int c = key_symbol_compare(k, env, a, b);

	if (c)
		return c;
	if (!fa->sym)
		return key_order(frame_address(fb), frame_address(fa));
	return key_order(key_code_offset_of(fb), key_code_offset_of(fa));
}

static void symoff_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			 struct text *scratch, struct value *ret)
{
	const struct frame *f = key_frame(env, c->value);

	key_symbol_value(k, env, c, scratch, ret);
	if (f && f->sym && !f->sym->is_inlined)
		ret[PART_OFFSET] = value_number(VALUE_ADDRESS, key_code_offset_of(f));
}

const struct key_type key_symoff = {
	.name = "symoff",
	.title = "Symbol Offset",
	.scope = KEY_FRAME,
	.flags = KEY_BY_ADDRESS | KEY_OF_NAMES,
	.parts = { SYMBOL_PARTS("symoff") },
	.of_frame = symoff_of,
	.compare = symoff_compare,
	.identity = key_symbol_identity,
	.value = symoff_value,
};

static uint64_t addr_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k;
	return frames_get(env->frames, frame)->ip;
}

static int key_code_addr_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return key_address_order(a, b);
}

const struct key_type key_addr = {
	.name = "addr",
	.title = "Address",
	.scope = KEY_FRAME,
	.flags = KEY_BY_ADDRESS,
	.parts = { { .name = "addr", .type = VALUE_ADDRESS } },
	.of_frame = addr_of,
	.compare = key_code_addr_compare,
};

/* Returns a symbol's size plus one; 0 is unknown. */
static uint64_t symbol_size_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	const struct symbol *sym = frames_get(env->frames, frame)->sym;

	(void)k;
	return sym && !sym->is_inlined ? sym->end - sym->start + 1 : 0;
}

/*
 * Returns the size as mapped. The kernel's map reaches from its text to the end of the address
 * space.
 */
static uint64_t dso_size_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	const struct frame *f = frames_get(env->frames, frame);

	(void)k;
	if (!f->map || image_kind(f->image) == IMAGE_KERNEL)
		return 0;
	return f->map->end - f->map->start + 1;
}

static void size_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		       struct text *scratch, struct value *ret)
{
	(void)k, (void)env, (void)scratch;
	if (c->value)
		ret[0] = value_unsigned(c->value - 1);
}

const struct key_type key_symbol_size = {
	.name = "symbol_size",
	.title = "Symbol size",
	.scope = KEY_FRAME,
	.flags = KEY_OF_NAMES,
	.parts = { { .name = "symbol_size", .type = VALUE_UNSIGNED } },
	.of_frame = symbol_size_of,
	.value = size_value,
};

const struct key_type key_dso_size = {
	.name = "dso_size",
	.title = "DSO size",
	.scope = KEY_FRAME,
	.parts = { { .name = "dso_size", .type = VALUE_UNSIGNED } },
	.of_frame = dso_size_of,
	.value = size_value,
};

static uint64_t srcline_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k;
	return key_source_line_of(env, frame);
}

const struct key_type key_srcline = {
	.name = "srcline",
	.title = "Source:Line",
	.scope = KEY_FRAME,
	.flags = KEY_BY_ADDRESS,
	.parts = { { .name = "srcline", .type = VALUE_TEXT } },
	.of_frame = srcline_of,
	.compare = key_compare_texts,
};

static uint64_t srcfile_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	(void)k;
	return key_source_file_of(env, frame);
}

const struct key_type key_srcfile = {
	.name = "srcfile",
	.title = "Source File",
	.scope = KEY_FRAME,
	.flags = KEY_BY_ADDRESS,
	.parts = { { .name = "srcfile", .type = VALUE_TEXT } },
	.of_frame = srcfile_of,
	.compare = key_compare_texts,
};

static uint64_t language_of(const struct key *k, struct key_env *env, uint32_t frame)
{
	enum runtime_kind kind = frame_language(frames_get(env->frames, frame));

	(void)k;
	return shared_values_add_text(
		env->values, kind == RUNTIME_KIND_NONE ? "native" : runtime_kind_language(kind));
}

const struct key_type key_language = {
	.name = "language",
	.title = "Language",
	.scope = KEY_FRAME,
	.parts = { { .name = "language", .type = VALUE_TEXT } },
	.of_frame = language_of,
	.compare = key_compare_texts,
};

/* Returns 0 if there is no caller that --parent matches. */
static uint64_t key_code_parent_of(const struct key *k, struct key_env *env,
				   const struct key_sample *s)
{
	const struct symbol *sym = s->parent == FRAME_NONE
					   ? NULL
					   : frames_get(env->frames, s->parent)->sym;

	(void)k;
	return sym ? shared_values_add_text(env->values, sym->name) : 0;
}

static int parent_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	return a && b ? key_compare_texts(k, env, a, b) : key_order(!a, !b);
}

const struct key_type key_parent = {
	.name = "parent",
	.title = "Parent symbol",
	.flags = KEY_WANTS_PARENT | KEY_OF_NAMES,
	.parts = { { .name = "parent", .type = VALUE_TEXT } },
	.of_sample = key_code_parent_of,
	.compare = parent_compare,
};
