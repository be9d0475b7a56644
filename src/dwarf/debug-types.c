/* SPDX-License-Identifier: MIT */
/*
 * An array of several dimensions is one entry with several ranges; here it becomes an array of
 * arrays, as in C. Bit fields are read as on little-endian machines, the only ones that can be
 * probed.
 */
#include "dwarf/debug-types.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/c-type.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/u64-map.h"
#include "dwarf/debug-info-internal.h"

/* Programs do not nest unnamed members deeper than this, or have more dimensions. */
#define DEPTH_MAX 32

/* The tag of a Rust enum, which DWARF calls the discriminant of its variants. */
#define TAG_NAME "discriminant"

struct debug_types {
	struct c_type_source source;
	struct debug_info *info;
	struct u64_map by_entry;
	struct arena arena;
};

struct type {
	struct c_type shown;
	Dwarf_Die die;
	unsigned dimension;         /* index of the dimension of an array, from 0 */
	const struct c_type *inner; /* valid if @has_inner */
	bool has_inner, has_fields;
	struct c_field *fields; /* valid if @has_fields */
	size_t n_fields;
};

static const struct c_type *debug_types_target_of(const struct c_type_source *s,
						  const struct c_type *t);
static bool debug_types_find_member(const struct c_type_source *s, const struct c_type *t,
				    const char *name, struct c_member *ret);
static void debug_types_suggest_members(const struct c_type_source *s, const struct c_type *t,
					struct similar *out);

static size_t debug_types_fields_of(const struct c_type_source *s, const struct c_type *t,
				    const struct c_field **ret);

static struct debug_types *debug_types_of(struct debug_info *d)
{
	struct debug_types **slot = debug_info_types(d);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->info = d;
		(*slot)->source = (struct c_type_source){
			.pointer_size = 8,
			.target = debug_types_target_of,
			.member = debug_types_find_member,
			.suggest = debug_types_suggest_members,
			.fields = debug_types_fields_of,
		};
	}
	return *slot;
}

void debug_types_free(struct debug_types *t)
{
	if (!t)
		return;
	u64_map_done(&t->by_entry);
	arena_done(&t->arena);
	free(t);
}

bool debug_next(Dwarf_Die *die)
{
	Dwarf_Die next;

	if (dwarf_siblingof(die, &next) != 0 || (uintptr_t)next.addr <= (uintptr_t)die->addr)
		return false;
	*die = next;
	return true;
}

static bool debug_types_number_of(Dwarf_Die *die, unsigned attribute, Dwarf_Word *ret)
{
	Dwarf_Attribute a;

	return dwarf_attr_integrate(die, attribute, &a) && dwarf_formudata(&a, ret) == 0;
}

static enum c_kind kind_of_base(Dwarf_Die *die, bool *ret_signed)
{
	Dwarf_Word encoding = 0;

	debug_types_number_of(die, DW_AT_encoding, &encoding);
	*ret_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char ||
		      encoding == DW_ATE_signed_fixed;
	switch (encoding) {
	case DW_ATE_boolean:
		return C_BOOL;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		return C_CHARACTER;
	case DW_ATE_float:
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float:
		return C_FLOAT;
	default:
		return C_INTEGER;
	}
}

static enum c_kind debug_types_kind_of(int tag)
{
	static const struct {
		int tag;
		enum c_kind kind;
	} kinds[] = {
		{ DW_TAG_enumeration_type, C_ENUM },
		{ DW_TAG_pointer_type, C_POINTER },
		{ DW_TAG_reference_type, C_REFERENCE },
		{ DW_TAG_rvalue_reference_type, C_REFERENCE },
		{ DW_TAG_ptr_to_member_type, C_INTEGER },
		{ DW_TAG_structure_type, C_STRUCT },
		{ DW_TAG_interface_type, C_CLASS },
		{ DW_TAG_class_type, C_CLASS },
		{ DW_TAG_union_type, C_UNION },
		{ DW_TAG_array_type, C_ARRAY },
		{ DW_TAG_subroutine_type, C_FUNCTION },
		{ DW_TAG_typedef, C_TYPEDEF },
		{ DW_TAG_template_alias, C_TYPEDEF },
		{ DW_TAG_const_type, C_CONST },
		{ DW_TAG_volatile_type, C_VOLATILE },
		{ DW_TAG_restrict_type, C_RESTRICT },
		{ DW_TAG_atomic_type, C_ATOMIC },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].tag == tag)
			return kinds[i].kind;
	return C_UNKNOWN;
}

/* Returns the number of ranges of @array; *@ret_count is the size of range @wanted. */
static unsigned array_ranges(Dwarf_Die *array, unsigned wanted, uint64_t *ret_count)
{
	Dwarf_Die child;
	unsigned n = 0;
	bool more = dwarf_child(array, &child) == 0;

	for (; more && n < DEPTH_MAX; more = debug_next(&child)) {
		Dwarf_Word count = 0;

		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (!debug_types_number_of(&child, DW_AT_count, &count) &&
		    debug_types_number_of(&child, DW_AT_upper_bound, &count) && count < UINT64_MAX)
			count++;
		if (n++ == wanted)
			*ret_count = count;
	}
	return n;
}

static struct type *new_type(struct debug_types *t, Dwarf_Die *die, enum c_kind kind)
{
	struct type *type = arena_alloc(&t->arena, sizeof(*type));

	type->die = *die;
	type->shown.source = &t->source;
	type->shown.id = debug_info_entry(t->info, die);
	type->shown.kind = kind;
	return type;
}

static void debug_types_read_type(struct type *type)
{
	Dwarf_Word size = 0;
	int tag = dwarf_tag(&type->die);
	struct c_type *t = &type->shown;

	t->name = dwarf_diename(&type->die);
	debug_types_number_of(&type->die, DW_AT_byte_size, &size);
	t->size = size;
	if (tag == DW_TAG_base_type)
		t->kind = kind_of_base(&type->die, &t->is_signed);
	else if (tag == DW_TAG_enumeration_type)
		kind_of_base(&type->die, &t->is_signed);
	else if (tag == DW_TAG_array_type)
		array_ranges(&type->die, 0, &t->count);
}

static const struct c_type *type_at(struct debug_types *t, Dwarf_Die *die)
{
	uint64_t entry = debug_info_entry(t->info, die);
	struct type *type = u64_map_find(&t->by_entry, entry);

	if (!type) {
		type = new_type(t, die, debug_types_kind_of(dwarf_tag(die)));
		debug_types_read_type(type);
		u64_map_put(&t->by_entry, entry, type);
	}
	return &type->shown;
}

static const struct c_type *type_attribute(struct debug_types *t, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die type, definition;

	if (!dwarf_attr_integrate(die, DW_AT_type, &a) || !dwarf_formref_die(&a, &type))
		return NULL;
	/* A type in a type unit is known here only by its signature. */
	if (dwarf_attr(&type, DW_AT_signature, &a) && dwarf_formref_die(&a, &definition))
		type = definition;
	return type_at(t, &type);
}

const struct c_type *debug_type_of(struct debug_info *d, Dwarf_Die *die)
{
	return type_attribute(debug_types_of(d), die);
}

/* Returns the element type of an array: another array, or DW_AT_type. */
static const struct c_type *element_of(struct debug_types *t, struct type *array)
{
	uint64_t count = 0;
	unsigned next = array->dimension + 1;

	if (array_ranges(&array->die, next, &count) <= next)
		return type_attribute(t, &array->die);

	struct type *inner = new_type(t, &array->die, C_ARRAY);

	inner->dimension = next;
	inner->shown.count = count;
	return &inner->shown;
}

static const struct c_type *debug_types_target_of(const struct c_type_source *s,
						  const struct c_type *shown)
{
	struct debug_types *t = (struct debug_types *)s;
	struct type *type = (struct type *)shown;

	if (!type->has_inner)
		type->inner = shown->kind == C_ARRAY ? element_of(t, type)
						     : type_attribute(t, &type->die);
	type->has_inner = true;
	return type->inner;
}

/* Reads DW_AT_data_member_location: a number, or (DWARF 2) an expression that adds one. */
static bool member_offset(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute a;
	Dwarf_Word offset = 0;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &a)) {
		*ret = 0;
		return true;
	}
	if (dwarf_formudata(&a, &offset) != 0) {
		if (dwarf_getlocation(&a, &ops, &n) != 0 || n != 1 ||
		    ops[0].atom != DW_OP_plus_uconst)
			return false;
		offset = ops[0].number;
	}
	*ret = offset;
	return true;
}

/*
 * Reads the offset of a bit field: since DWARF 4 in bits from the start of the structure, before
 * that in bits from the highest bit of its storage unit.
 */
static bool read_bits(Dwarf_Die *die, uint64_t base, struct c_member *m)
{
	Dwarf_Word size, offset, storage = c_type_size(m->type);
	uint64_t bit = (base + m->offset) * 8;

	if (!debug_types_number_of(die, DW_AT_bit_size, &size)) {
		m->offset += base;
		return true;
	}
	if (!size || size > 64 || base > INT64_MAX / 16 || m->offset > INT64_MAX / 16)
		return false;
	debug_types_number_of(die, DW_AT_byte_size, &storage);
	if (debug_types_number_of(die, DW_AT_data_bit_offset, &offset))
		bit = base * 8 + offset;
	else if (debug_types_number_of(die, DW_AT_bit_offset, &offset) &&
		 offset <= storage * 8 - size)
		bit += storage * 8 - size - offset;
	return c_member_set_bits(m, bit, (unsigned)size, storage);
}

static bool debug_types_is_member(int tag)
{
	return tag == DW_TAG_member || tag == DW_TAG_inheritance;
}

/* True for entries between a structure and the members of its variants. */
static bool has_variants(int tag)
{
	return tag == DW_TAG_variant_part || tag == DW_TAG_variant;
}

/* A search for a member. As in wire/btf-types.c, each unnamed member is searched once. */
struct debug_types_search {
	struct debug_types *types;
	struct u64_map seen; /* entries already searched */
	const char *name;
	struct similar *similar; /* or NULL */
	struct c_member *ret;
};

static bool debug_types_search_members(struct debug_types_search *s, Dwarf_Die *parent,
				       uint64_t base, unsigned depth);

/* True if the wanted member is @die, or in @die, if that has no name. */
static bool debug_types_search_member(struct debug_types_search *s, Dwarf_Die *die, uint64_t base,
				      unsigned depth)
{
	const char *name = dwarf_tag(die) == DW_TAG_inheritance ? NULL : dwarf_diename(die);
	struct c_member m = { .type = type_attribute(s->types, die) };

	if (name && s->similar)
		similar_add(s->similar, name);
	if (!member_offset(die, &m.offset))
		return false;
	if (!name) {
		const struct c_type *inner = c_type_bare(m.type);

		return c_type_has_members(inner) &&
		       debug_types_search_members(s, &((struct type *)inner)->die, base + m.offset,
						  depth + 1);
	}
	if (!s->ret || strcmp(name, s->name) != 0 || !read_bits(die, base, &m))
		return false;
	*s->ret = m;
	return true;
}

static bool debug_types_search_members(struct debug_types_search *s, Dwarf_Die *parent,
				       uint64_t base, unsigned depth)
{
	Dwarf_Die child;
	uint64_t entry = debug_info_entry(s->types->info, parent);

	if (depth > DEPTH_MAX || u64_map_find(&s->seen, entry) || dwarf_child(parent, &child) != 0)
		return false;
	u64_map_put(&s->seen, entry, s);
	do {
		int tag = dwarf_tag(&child);

		if ((debug_types_is_member(tag) &&
		     debug_types_search_member(s, &child, base, depth)) ||
		    (has_variants(tag) && debug_types_search_members(s, &child, base, depth + 1)))
			return true;
	} while (debug_next(&child));
	return false;
}

static bool debug_types_find_member(const struct c_type_source *s, const struct c_type *t,
				    const char *name, struct c_member *ret)
{
	struct debug_types_search search = { .types = (struct debug_types *)s,
					     .name = name,
					     .ret = ret };
	bool found = debug_types_search_members(&search, &((struct type *)t)->die, 0, 0);

	u64_map_done(&search.seen);
	return found;
}

static void debug_types_suggest_members(const struct c_type_source *s, const struct c_type *t,
					struct similar *out)
{
	struct debug_types_search search = { .types = (struct debug_types *)s, .similar = out };

	debug_types_search_members(&search, &((struct type *)t)->die, 0, 0);
	u64_map_done(&search.seen);
}

/* Reads a field; a bit field has the bytes that contain its bits. */
static bool debug_types_read_field(struct debug_types *t, Dwarf_Die *die, struct c_field *ret)
{
	struct c_member m = { .type = type_attribute(t, die) };

	if (!member_offset(die, &m.offset) || !read_bits(die, 0, &m))
		return false;
	*ret = (struct c_field){
		.name = dwarf_tag(die) == DW_TAG_inheritance ? NULL : dwarf_diename(die),
		.type = m.type,
		.offset = m.offset + m.bit_offset / 8,
		.size = m.bit_size ? (m.bit_offset % 8 + m.bit_size + 7) / 8 : c_type_size(m.type),
		.bit_size = m.bit_size,
	};
	return true;
}

/* True for a field. Static members of classes are variables. */
static bool debug_types_is_field(Dwarf_Die *die)
{
	return debug_types_is_member(dwarf_tag(die)) && !dwarf_hasattr(die, DW_AT_external) &&
	       !dwarf_hasattr(die, DW_AT_declaration);
}

struct field_list {
	struct c_field *items;
	size_t n, room;
};

/* The fields of a structure while they are read. */
struct field_reading {
	struct debug_types *types;
	struct field_list fields, tags;
	unsigned variants;
	const void *reached; /* lists of entries in damaged files may be circular */
};

static void read_children(struct field_reading *r, Dwarf_Die *parent, unsigned variant,
			  unsigned depth);

/*
 * Reads a member, or an entry that contains members. A variant part has variants and, as its only
 * member, the tag that selects the variant. The tag has no name in the file.
 */
static void read_child(struct field_reading *r, Dwarf_Die *parent, Dwarf_Die *die, unsigned variant,
		       unsigned depth)
{
	int tag = dwarf_tag(die);
	bool is_tag = dwarf_tag(parent) == DW_TAG_variant_part;
	struct c_field f;

	if (tag == DW_TAG_variant_part) {
		read_children(r, die, variant, depth + 1);
	} else if (tag == DW_TAG_variant) {
		read_children(r, die, ++r->variants, depth + 1);
	} else if (debug_types_is_field(die) && debug_types_read_field(r->types, die, &f)) {
		f.variant = variant;
		f.is_tag = is_tag;
		if (is_tag && !f.name)
			f.name = TAG_NAME;
		*(is_tag ? ARRAY_ADD(&r->tags) : ARRAY_ADD(&r->fields)) = f;
	}
}

static void read_children(struct field_reading *r, Dwarf_Die *parent, unsigned variant,
			  unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		if ((uintptr_t)die.addr <= (uintptr_t)r->reached)
			return;
		r->reached = die.addr;
		read_child(r, parent, &die, variant, depth);
	} while (debug_next(&die));
}

/* Tags come last: if a tag lies in the bytes of a member, the member counts. */
static void debug_types_read_fields(struct debug_types *t, struct type *type)
{
	struct field_reading r = { .types = t };

	read_children(&r, &type->die, 0, 0);
	type->n_fields = r.fields.n + r.tags.n;
	type->fields = arena_alloc(&t->arena, type->n_fields * sizeof(type->fields[0]));
	if (r.fields.n)
		memcpy(type->fields, r.fields.items, r.fields.n * sizeof(type->fields[0]));
	if (r.tags.n)
		memcpy(type->fields + r.fields.n, r.tags.items, r.tags.n * sizeof(type->fields[0]));
	free(r.fields.items);
	free(r.tags.items);
}

static size_t debug_types_fields_of(const struct c_type_source *s, const struct c_type *t,
				    const struct c_field **ret)
{
	struct type *type = (struct type *)t;

	if (!type->has_fields)
		debug_types_read_fields((struct debug_types *)s, type);
	type->has_fields = true;
	if (type->n_fields)
		*ret = type->fields;
	return type->n_fields;
}
