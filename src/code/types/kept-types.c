/* SPDX-License-Identifier: MIT */
#include "code/types/kept-types.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text-block.h"

/* Structures do not nest deeper than this, nor do chains of pointers. */
#define DEPTH_MAX 100

/* A type in the file. Texts are offsets, types are numbers. */
struct kept_type {
	uint64_t size, count;
	uint32_t name, target;
	uint32_t first_field, n_fields;
	uint8_t kind, is_signed, unused[6];
};

struct kept_field {
	uint64_t offset, size;
	uint32_t name, type, variant;
	uint8_t bit_size, is_tag, unused[2];
};

_Static_assert(sizeof(struct kept_type) == KEPT_TYPE_SIZE, "kept-types.h has its size");
_Static_assert(sizeof(struct kept_field) == KEPT_FIELD_SIZE, "kept-types.h has its size");

struct made_type {
	struct c_type shown; /* @id is its number */
	struct c_field *fields;
	size_t n_fields;
	bool has_fields; /* the fields were read */
};

static const char *kept_types_text_of(const struct kept_types *k, uint32_t at)
{
	return text_block_at(k->text, k->text_size, at);
}

/* Returns the type to which type @number refers: one with a smaller number. */
static const struct c_type *kept_types_referred(struct kept_types *k, uint64_t number, uint32_t to)
{
	return to < number ? kept_types_get(k, to) : NULL;
}

static const struct c_type *kept_types_target_of(const struct c_type_source *s,
						 const struct c_type *t)
{
	struct kept_types *k = (struct kept_types *)s;

	return kept_types_referred(k, t->id, k->types[t->id - 1].target);
}

static void kept_types_read_fields(struct kept_types *k, struct made_type *m)
{
	const struct kept_type *t = &k->types[m->shown.id - 1];

	m->has_fields = true;
	if (t->n_fields > k->n_fields || t->first_field > k->n_fields - t->n_fields)
		return;
	m->fields = arena_alloc(&k->arena, t->n_fields * sizeof(m->fields[0]));
	for (size_t i = 0; i < t->n_fields; i++) {
		const struct kept_field *f = &k->fields[t->first_field + i];

		m->fields[i] = (struct c_field){
			.name = kept_types_text_of(k, f->name),
			.type = kept_types_referred(k, m->shown.id, f->type),
			.offset = f->offset,
			.size = f->size,
			.bit_size = f->bit_size,
			.variant = f->variant,
			.is_tag = f->is_tag,
		};
	}
	m->n_fields = t->n_fields;
}

static size_t kept_types_fields_of(const struct c_type_source *s, const struct c_type *t,
				   const struct c_field **ret)
{
	struct made_type *m = (struct made_type *)t;

	if (!m->has_fields)
		kept_types_read_fields((struct kept_types *)s, m);
	if (m->n_fields)
		*ret = m->fields;
	return m->n_fields;
}

/* Members are never looked up by name here. */
void kept_types_init(struct kept_types *k, const void *types, uint64_t n_types, const void *fields,
		     uint64_t n_fields, const char *text, uint64_t text_size)
{
	*k = (struct kept_types){
		.source = { .pointer_size = 8,
			    .target = kept_types_target_of,
			    .fields = kept_types_fields_of },
		.types = types,
		.fields = fields,
		.text = text,
		.n_types = n_types,
		.n_fields = n_fields,
		.text_size = text_size,
		.made = xcalloc(n_types + 1, sizeof(k->made[0])),
	};
}

void kept_types_done(struct kept_types *k)
{
	free(k->made);
	arena_done(&k->arena);
}

const struct c_type *kept_types_get(struct kept_types *k, uint32_t number)
{
	const struct kept_type *t;
	struct made_type *m;

	if (!number || number > k->n_types || k->types[number - 1].kind > C_ATOMIC)
		return NULL;
	if (k->made[number])
		return k->made[number];
	t = &k->types[number - 1];
	m = arena_alloc(&k->arena, sizeof(*m));
	m->shown = (struct c_type){
		.source = &k->source,
		.id = number,
		.kind = (enum c_kind)t->kind,
		.name = kept_types_text_of(k, t->name),
		.size = t->size,
		.is_signed = t->is_signed,
		.count = t->count,
	};
	k->made[number] = &m->shown;
	return &m->shown;
}

void types_draft_done(struct types_draft *d)
{
	bytes_done(&d->types);
	bytes_done(&d->fields);
	u64_map_done(&d->with_members);
	u64_map_done(&d->without_members);
}

static uint32_t kept_types_add(struct types_draft *d, const struct c_type *t, bool with_members,
			       unsigned depth);

static void kept_types_add_fields(struct types_draft *d, const struct c_type *t,
				  struct kept_type *k, unsigned depth)
{
	const struct c_field *fields = NULL;
	size_t n = c_type_fields(t, &fields);
	_cleanup_(freep) struct kept_field *kept = xcalloc(n + 1, sizeof(kept[0]));

	for (size_t i = 0; i < n && !d->is_refused; i++)
		kept[i] = (struct kept_field){
			.offset = fields[i].offset,
			.size = fields[i].size,
			.name = text_block_add(d->text, fields[i].name),
			.type = kept_types_add(d, fields[i].type, true, depth),
			.bit_size = (uint8_t)fields[i].bit_size,
			.variant = fields[i].variant,
			.is_tag = fields[i].is_tag,
		};
	k->first_field = (uint32_t)(d->fields.n / sizeof(kept[0]));
	k->n_fields = (uint32_t)n;
	if (n)
		bytes_add(&d->fields, kept, n * sizeof(kept[0]));
}

/*
 * Returns the size of a type. Pointers of some compilers have none; c_type_size() gives that of the
 * machine.
 */
static uint64_t kept_types_size_of(const struct c_type *t)
{
	return t->kind == C_POINTER || t->kind == C_REFERENCE ? c_type_size(t) : t->size;
}

static uint32_t kept_types_add_new(struct types_draft *d, const struct c_type *t, bool with_members,
				   unsigned depth)
{
	struct kept_type k = {
		.size = kept_types_size_of(t),
		.count = t->count,
		.name = text_block_add(d->text, t->name),
		.kind = (uint8_t)t->kind,
		.is_signed = t->is_signed,
	};
	bool is_wrapper = t->kind >= C_TYPEDEF && t->kind <= C_ATOMIC;

	if (is_wrapper || t->kind == C_POINTER || t->kind == C_REFERENCE || t->kind == C_ARRAY)
		k.target = kept_types_add(d, c_type_target(t), with_members && is_wrapper, depth);
	else if (with_members && c_type_has_members(t))
		kept_types_add_fields(d, t, &k, depth);
	bytes_add(&d->types, &k, sizeof(k));
	return (uint32_t)(d->types.n / sizeof(k));
}

/*
 * Adds a type. While it is being added, its number is UINTPTR_MAX: a type that contains itself is
 * refused.
 */
static uint32_t kept_types_add(struct types_draft *d, const struct c_type *t, bool with_members,
			       unsigned depth)
{
	struct u64_map *known = with_members ? &d->with_members : &d->without_members;
	uintptr_t number = t ? (uintptr_t)u64_map_find(known, (uintptr_t)t) : 0;

	if (!t)
		return 0;
	if (number == UINTPTR_MAX || depth > DEPTH_MAX)
		d->is_refused = true;
	if (d->is_refused)
		return 0;
	if (number)
		return (uint32_t)number;
	u64_map_put(known, (uintptr_t)t, (void *)UINTPTR_MAX);
	number = kept_types_add_new(d, t, with_members, depth + 1);
	if (!d->is_refused)
		u64_map_put(known, (uintptr_t)t, (void *)number);
	return (uint32_t)number;
}

uint32_t types_draft_add(struct types_draft *d, const struct c_type *t)
{
	uint32_t number;

	d->is_refused = false;
	number = kept_types_add(d, t, true, 0);
	return d->is_refused ? 0 : number;
}
