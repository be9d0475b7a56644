/* SPDX-License-Identifier: MIT */
/*
 * Sort keys of data types: the object that an instruction accesses, the offset in it, and the cache
 * line of it. The instruction decides, not the address of the data, so any samples can be used.
 */
#include <string.h>

#include "base/text.h"
#include "code/types/access-types.h"
#include "profile/key-types.h"
#include "profile/keys.h"
#include "profile/shared-values.h"
#include "profile/skid.h"

#define LINE_BYTES 64

/* A place in a type: an offset, or a cache line. */
struct type_place {
	uint64_t name, text; /* numbers of texts */
	uint64_t at;
};

struct frame_type {
	uint64_t name;        /* number of a text */
	uint64_t place, line; /* numbers of struct type_place */
};

/* The data that is stored for a frame: the number of such a value. */
struct frame_types {
	struct frame_type exact;   /* for events that report the exact place */
	struct frame_type skidded; /* for events with event_skids() */
};

static void type_prepare(struct key *k, struct keys *owner, const struct key_env *env)
{
	(void)env;
	k->arg = keys_access_types(owner);
}

/* Appends "struct node +0x10 (in.a)". */
static void key_type_add_place(struct text *out, const struct access_type *t)
{
	_cleanup_(text_done) struct text field = TEXT_EMPTY;

	text_add(out, t->type->name);
	if (!t->type->type)
		return;
	access_type_field(t, &field);
	text_addf(out, " +%#llx (%s)", (unsigned long long)t->offset,
		  field.length ? field.chars : "no field");
}

static uint64_t add_type_place(struct key_env *env, uint64_t name, uint64_t at, const char *text)
{
	struct type_place p = {
		.name = name,
		.text = shared_values_add_text(env->values, text),
		.at = at,
	};

	return shared_values_add(env->values, &p, sizeof(p));
}

static struct frame_type describe_type(struct key_env *env, const struct access_type *found)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	struct frame_type ret = { .name = shared_values_add_text(env->values, found->type->name) };
	uint64_t line = found->offset / LINE_BYTES;

	key_type_add_place(&t, found);
	ret.place = add_type_place(env, ret.name, found->offset, t.chars);
	text_clear(&t);
	text_addf(&t, "%s: cache-line %llu", found->type->name, (unsigned long long)line);
	ret.line = add_type_place(env, ret.name, line, t.chars);
	return ret;
}

static uint64_t note_types(const struct key *k, struct key_env *env, uint32_t frame)
{
	const struct frame *f = frames_get(env->frames, frame);
	struct access_types *types = (struct access_types *)k->arg;
	struct access_type exact = access_types_find(types, f->image, f->sym, f->addr);
	struct access_type skidded = access_types_find_skidded(types, f->image, f->sym, f->addr);
	struct frame_types note = {
		.exact = describe_type(env, &exact),
		.skidded = describe_type(env, &skidded),
	};

	return shared_values_add(env->values, &note, sizeof(note));
}

static const struct frame_type *type_of_sample(const struct key *k, struct key_env *env,
					       const struct key_sample *s)
{
	_Atomic(uint64_t) *note = frames_note(env->frames, s->frame, FRAME_NOTE_TYPE);
	uint64_t known = atomic_load_explicit(note, memory_order_acquire);
	const struct frame_types *types;
	size_t n;

	if (!known) {
		known = note_types(k, env, s->frame);
		atomic_store_explicit(note, known, memory_order_release);
	}
	types = shared_value(known, &n);
	return s->event && event_skids(s->event) ? &types->skidded : &types->exact;
}

static uint64_t key_type_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	return type_of_sample(k, env, s)->name;
}

static uint64_t typeoff_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	return type_of_sample(k, env, s)->place;
}

static uint64_t typecln_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	return type_of_sample(k, env, s)->line;
}

/* Compares in reverse alphabetical order, as Linux's perf does. */
static int compare_down(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	return key_compare_texts(k, env, b, a);
}

static const struct type_place *type_place_get(uint64_t value)
{
	size_t n;

	return shared_value(value, &n);
}

/* Compares types likewise, and in each type the last place first. */
static int compare_places(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	const struct type_place *x = type_place_get(a), *y = type_place_get(b);
	int order = compare_down(k, env, x->name, y->name);

	return order ? order : key_order(y->at, x->at);
}

static void key_type_place_value(const struct key *k, struct key_env *env, const struct key_cell *c,
				 struct text *scratch, struct value *ret)
{
	(void)k, (void)env, (void)scratch;
	ret[0] = value_text(shared_value_text(type_place_get(c->value)->text));
}

const struct key_type key_type = {
	.name = "type",
	.title = "Data Type",
	.flags = KEY_BY_ADDRESS,
	.parts = { { .name = "type", .type = VALUE_TEXT } },
	.prepare = type_prepare,
	.of_sample = key_type_of,
	.compare = compare_down,
};

const struct key_type key_typeoff = {
	.name = "typeoff",
	.title = "Data Type Offset",
	.flags = KEY_BY_ADDRESS,
	.parts = { { .name = "typeoff", .type = VALUE_TEXT } },
	.prepare = type_prepare,
	.of_sample = typeoff_of,
	.compare = compare_places,
	.value = key_type_place_value,
};

const struct key_type key_typecln = {
	.name = "typecln",
	.title = "Data Type Cacheline",
	.flags = KEY_BY_ADDRESS,
	.parts = { { .name = "typecln", .type = VALUE_TEXT } },
	.prepare = type_prepare,
	.of_sample = typecln_of,
	.compare = compare_places,
	.value = key_type_place_value,
};
