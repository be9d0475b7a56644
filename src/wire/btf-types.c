/* SPDX-License-Identifier: MIT */
/*
 * Types follow one another, each with twelve bytes and the data of its kind. They are numbered from
 * 1, or from the end of the kernel's numbers. A first pass notes the position of each one.
 */
#include "wire/btf-types.h"

#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/c-type.h"
#include "base/cursor.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/u64-map.h"
#include "wire/btf.h"

/* The maximum depth. Nameless members are not nested deeper. */
#define DEPTH_MAX 32

struct btf_types {
	struct c_type_source source;
	const struct btf_types *base;
	const uint8_t *types, *strings;
	size_t types_size, strings_size;
	size_t strings_end;           /* after the last NUL: data beyond it is not a text */
	uint32_t first, first_string; /* smaller numbers belong to the base */
	uint32_t *offsets;            /* offsets in @types, by number minus @first */
	size_t n, room;
	struct u64_map read; /* struct c_type by number */
	struct arena arena;
};

/* The common part of a type, and the beginning of its own data. */
struct btf_types_head {
	uint32_t name, info, size; /* the last one is a type's number for many kinds */
	struct cursor rest;
};

static const struct c_type *btf_types_target_of(const struct c_type_source *s,
						const struct c_type *t);
static bool btf_types_find_member(const struct c_type_source *s, const struct c_type *t,
				  const char *name, struct c_member *ret);
static void btf_types_suggest_members(const struct c_type_source *s, const struct c_type *t,
				      struct similar *out);

static struct btf_types_head btf_types_take_head(struct cursor *c)
{
	struct btf_types_head h = { .name = cursor_u32(c),
				    .info = cursor_u32(c),
				    .size = cursor_u32(c) };
	uint64_t more = btf_kind_bytes(BTF_INFO_KIND(h.info), BTF_INFO_VLEN(h.info));
	const uint8_t *rest = cursor_bytes(c, more);

	h.rest = cursor_over(rest, rest ? more : 0, false);
	return h;
}

static int read_offsets(struct btf_types *t)
{
	struct cursor c = cursor_over(t->types, t->types_size, false);

	while (cursor_left(&c)) {
		t->offsets = array_reserve(t->offsets, &t->room, t->n + 1, sizeof(t->offsets[0]));
		t->offsets[t->n++] = (uint32_t)(c.at - t->types);
		btf_types_take_head(&c);
	}
	return c.bad ? -EBADMSG : 0;
}

static int read_header(struct btf_types *t, const uint8_t *bytes, size_t size)
{
	struct btf_header h;

	if (size < sizeof(h))
		return -EBADMSG;
	memcpy(&h, bytes, sizeof(h));
	if (h.magic != BTF_MAGIC || (uint64_t)h.hdr_len + h.type_off + h.type_len > size ||
	    (uint64_t)h.hdr_len + h.str_off + h.str_len > size)
		return -EBADMSG;
	t->types = bytes + h.hdr_len + h.type_off;
	t->types_size = h.type_len;
	t->strings = bytes + h.hdr_len + h.str_off;
	t->strings_size = t->strings_end = h.str_len;
	while (t->strings_end && t->strings[t->strings_end - 1])
		t->strings_end--;
	return 0;
}

int btf_types_open(const void *bytes, size_t size, const struct btf_types *base,
		   struct btf_types **ret)
{
	_cleanup_(btf_types_freep) struct btf_types *t = xcalloc(1, sizeof(*t));
	int r;

	t->base = base;
	t->first = base ? base->first + (uint32_t)base->n : 1;
	t->first_string = base ? base->first_string + (uint32_t)base->strings_size : 0;
	t->source = (struct c_type_source){
		.pointer_size = 8,
		.target = btf_types_target_of,
		.member = btf_types_find_member,
		.suggest = btf_types_suggest_members,
	};
	r = read_header(t, bytes, size);
	if (r >= 0)
		r = read_offsets(t);
	if (r < 0)
		return r;
	*ret = TAKE(t);
	return 0;
}

void btf_types_free(struct btf_types *t)
{
	if (!t)
		return;
	free(t->offsets);
	u64_map_done(&t->read);
	arena_done(&t->arena);
	free(t);
}

/* Returns a string. NULL: there is none at @offset, or it is empty. */
static const char *btf_types_string_at(const struct btf_types *t, uint32_t offset)
{
	while (t->base && offset < t->first_string)
		t = t->base;
	if (offset < t->first_string || offset - t->first_string >= t->strings_end)
		return NULL;

	const char *s = (const char *)t->strings + (offset - t->first_string);

	return *s ? s : NULL;
}

static bool btf_types_head_of(const struct btf_types *t, uint32_t id, struct btf_types_head *ret)
{
	while (t->base && id < t->first)
		t = t->base;
	if (id < t->first || id - t->first >= t->n)
		return false;

	uint32_t offset = t->offsets[id - t->first];
	struct cursor c = cursor_over(t->types + offset, t->types_size - offset, false);

	*ret = btf_types_take_head(&c);
	return !c.bad;
}

static enum c_kind btf_types_kind_of(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_INT:
		return C_INTEGER;
	case BTF_KIND_FLOAT:
		return C_FLOAT;
	case BTF_KIND_PTR:
		return C_POINTER;
	case BTF_KIND_ARRAY:
		return C_ARRAY;
	case BTF_KIND_STRUCT:
	case BTF_KIND_FWD:
		return C_STRUCT;
	case BTF_KIND_UNION:
		return C_UNION;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return C_ENUM;
	case BTF_KIND_TYPEDEF:
		return C_TYPEDEF;
	case BTF_KIND_VOLATILE:
		return C_VOLATILE;
	case BTF_KIND_RESTRICT:
		return C_RESTRICT;
	/* A tag on a type has no effect here. */
	case BTF_KIND_CONST:
	case BTF_KIND_TYPE_TAG:
		return C_CONST;
	case BTF_KIND_FUNC_PROTO:
		return C_FUNCTION;
	default:
		return C_UNKNOWN;
	}
}

static void read_integer(struct btf_types_head *h, struct c_type *t)
{
	uint32_t info = cursor_u32(&h->rest);

	t->is_signed = BTF_INT_ENCODING(info) & BTF_INT_SIGNED;
	if (BTF_INT_ENCODING(info) & BTF_INT_BOOL)
		t->kind = C_BOOL;
	else if (BTF_INT_ENCODING(info) & BTF_INT_CHAR)
		t->kind = C_CHARACTER;
}

static void btf_types_read_type(struct btf_types *types, struct btf_types_head *h, struct c_type *t)
{
	t->kind = btf_types_kind_of(BTF_INFO_KIND(h->info));
	t->name = btf_types_string_at(types, h->name);
	switch (t->kind) {
	case C_INTEGER:
		t->size = h->size;
		read_integer(h, t);
		break;
	case C_ENUM:
		t->is_signed = BTF_INFO_KFLAG(h->info);
		t->size = h->size;
		break;
	case C_STRUCT:
	case C_UNION:
		if (BTF_INFO_KIND(h->info) == BTF_KIND_FWD) {
			t->kind = BTF_INFO_KFLAG(h->info) ? C_UNION : C_STRUCT;
			break;
		}
		t->size = h->size;
		break;
	case C_FLOAT:
		t->size = h->size;
		break;
	case C_POINTER:
		t->size = types->source.pointer_size;
		break;
	case C_ARRAY:
		cursor_u32(&h->rest);
		cursor_u32(&h->rest);
		t->count = cursor_u32(&h->rest);
		break;
	default:
		break;
	}
}

const struct c_type *btf_type(struct btf_types *t, uint32_t id)
{
	struct c_type *type = u64_map_find(&t->read, id);
	struct btf_types_head h;

	if (type || !id || !btf_types_head_of(t, id, &h))
		return type;
	type = arena_alloc(&t->arena, sizeof(*type));
	type->source = &t->source;
	type->id = id;
	btf_types_read_type(t, &h, type);
	u64_map_put(&t->read, id, type);
	return type;
}

static const struct c_type *btf_types_target_of(const struct c_type_source *s,
						const struct c_type *type)
{
	struct btf_types *t = (struct btf_types *)s;
	struct btf_types_head h;

	if (!btf_types_head_of(t, (uint32_t)type->id, &h))
		return NULL;
	if (type->kind == C_ARRAY)
		return btf_type(t, cursor_u32(&h.rest));
	return type->kind == C_POINTER || type->kind >= C_TYPEDEF ? btf_type(t, h.size) : NULL;
}

/*
 * The state of a search. The type of a nameless member is searched once, however many members have
 * it: a second search would not find anything new, and structures that contain each other twice
 * would take 2^depth steps.
 */
struct btf_types_search {
	struct btf_types *types;
	struct u64_map seen; /* the types seen, by number */
	const char *name;
	struct similar *similar; /* or NULL */
	struct c_member *ret;
};

static bool btf_types_search_members(struct btf_types_search *s, uint32_t id, uint64_t base_bits,
				     unsigned depth);

/*
 * Searches a member. Offsets are in bits; the size of a bit field is above them if the structure's
 * flag is set.
 */
static bool btf_types_search_member(struct btf_types_search *s, struct btf_types_head *h,
				    uint64_t base_bits, unsigned depth)
{
	const char *name = btf_types_string_at(s->types, cursor_u32(&h->rest));
	uint32_t id = cursor_u32(&h->rest), offset = cursor_u32(&h->rest);
	bool has_bits = BTF_INFO_KFLAG(h->info);
	uint64_t bit = base_bits + (has_bits ? BTF_MEMBER_BIT_OFFSET(offset) : offset);
	struct c_member m = { .type = btf_type(s->types, id), .offset = bit / 8 };

	if (name && s->similar)
		similar_add(s->similar, name);
	if (!name) {
		const struct c_type *inner = c_type_bare(m.type);

		return c_type_has_members(inner) &&
		       btf_types_search_members(s, (uint32_t)inner->id, bit, depth + 1);
	}
	if (!s->ret || strcmp(name, s->name) != 0)
		return false;
	if (has_bits && BTF_MEMBER_BITFIELD_SIZE(offset) &&
	    !c_member_set_bits(&m, bit, BTF_MEMBER_BITFIELD_SIZE(offset), c_type_size(m.type)))
		return false;
	*s->ret = m;
	return true;
}

static bool btf_types_search_members(struct btf_types_search *s, uint32_t id, uint64_t base_bits,
				     unsigned depth)
{
	struct btf_types_head h;

	if (depth > DEPTH_MAX || u64_map_find(&s->seen, id) || !btf_types_head_of(s->types, id, &h))
		return false;
	u64_map_put(&s->seen, id, s);
	if (BTF_INFO_KIND(h.info) != BTF_KIND_STRUCT && BTF_INFO_KIND(h.info) != BTF_KIND_UNION)
		return false;
	while (cursor_left(&h.rest))
		if (btf_types_search_member(s, &h, base_bits, depth))
			return true;
	return false;
}

static bool btf_types_find_member(const struct c_type_source *s, const struct c_type *t,
				  const char *name, struct c_member *ret)
{
	struct btf_types_search search = { .types = (struct btf_types *)s,
					   .name = name,
					   .ret = ret };
	bool found = btf_types_search_members(&search, (uint32_t)t->id, 0, 0);

	u64_map_done(&search.seen);
	return found;
}

static void btf_types_suggest_members(const struct c_type_source *s, const struct c_type *t,
				      struct similar *out)
{
	struct btf_types_search search = { .types = (struct btf_types *)s, .similar = out };

	btf_types_search_members(&search, (uint32_t)t->id, 0, 0);
	u64_map_done(&search.seen);
}

/*
 * Returns the number of the type of one of the @kinds (bits) with the name @name; 0: there is none.
 * It reads the words of each type directly, because a kernel has some 100,000; read_offsets() has
 * checked that they exist.
 */
static uint32_t btf_types_find_named(const struct btf_types *t, uint32_t kinds, const char *name)
{
	for (size_t i = 0; i < t->n; i++) {
		struct btf_type type;
		const char *other;

		memcpy(&type, t->types + t->offsets[i], sizeof(type));
		if (!(kinds >> BTF_INFO_KIND(type.info) & 1))
			continue;
		other = btf_types_string_at(t, type.name_off);
		if (other && !strcmp(other, name))
			return t->first + (uint32_t)i;
	}
	return 0;
}

/* Returns the number of the type with the parameters of the function @name; 0: there is none. */
static uint32_t btf_types_find_function(const struct btf_types *t, const char *name)
{
	struct btf_types_head h;
	uint32_t id = btf_types_find_named(t, 1u << BTF_KIND_FUNC, name);

	return id && btf_types_head_of(t, id, &h) ? h.size : 0;
}

const struct c_type *btf_type_named(struct btf_types *t, enum c_kind kind, const char *name)
{
	uint32_t kinds = kind == C_STRUCT  ? 1u << BTF_KIND_STRUCT
			 : kind == C_UNION ? 1u << BTF_KIND_UNION
			 : kind == C_ENUM  ? 1u << BTF_KIND_ENUM | 1u << BTF_KIND_ENUM64
					   : 0;

	return btf_type(t, btf_types_find_named(t, kinds, name));
}

/* Finds part @i of a type's own data, each of which has @words words. False: there is none. */
static bool btf_types_part_of(const struct btf_types *t, const struct c_type *type, size_t i,
			      size_t words, struct btf_types_head *ret)
{
	return btf_types_head_of(t, (uint32_t)type->id, ret) && i < BTF_INFO_VLEN(ret->info) &&
	       cursor_bytes(&ret->rest, i * words * sizeof(uint32_t)) &&
	       cursor_left(&ret->rest) >= words * sizeof(uint32_t);
}

bool btf_struct_member(struct btf_types *t, const struct c_type *type, size_t i,
		       struct btf_struct_member *ret)
{
	struct btf_types_head h;
	uint32_t offset;

	if ((type->kind != C_STRUCT && type->kind != C_UNION) ||
	    !btf_types_part_of(t, type, i, 3, &h))
		return false;
	ret->name = btf_types_string_at(t, cursor_u32(&h.rest));
	ret->type = btf_type(t, cursor_u32(&h.rest));
	offset = cursor_u32(&h.rest);
	ret->bit_offset = BTF_INFO_KFLAG(h.info) ? BTF_MEMBER_BIT_OFFSET(offset) : offset;
	ret->bit_size = BTF_INFO_KFLAG(h.info) ? BTF_MEMBER_BITFIELD_SIZE(offset) : 0;
	return true;
}

bool btf_enum_value(struct btf_types *t, const struct c_type *type, size_t i,
		    struct btf_enum_value *ret)
{
	struct btf_types_head h;
	bool is_64;

	if (type->kind != C_ENUM || !btf_types_head_of(t, (uint32_t)type->id, &h))
		return false;
	is_64 = BTF_INFO_KIND(h.info) == BTF_KIND_ENUM64;
	if (!btf_types_part_of(t, type, i, is_64 ? 3 : 2, &h))
		return false;
	ret->name = btf_types_string_at(t, cursor_u32(&h.rest));
	ret->value = cursor_u32(&h.rest);
	if (is_64)
		ret->value |= (uint64_t)cursor_u32(&h.rest) << 32;
	else if (BTF_INFO_KFLAG(h.info))
		ret->value = (uint64_t)(int32_t)ret->value;
	return ret->name;
}

int btf_function_parameters(struct btf_types *t, const char *name,
			    struct btf_parameter ret[BTF_PARAMETERS_MAX])
{
	uint32_t id = btf_types_find_function(t, name);
	struct btf_types_head h;
	int n = 0;

	if (!id)
		return -ENOENT;
	if (!btf_types_head_of(t, id, &h) || BTF_INFO_KIND(h.info) != BTF_KIND_FUNC_PROTO)
		return -EBADMSG;
	while (cursor_left(&h.rest) && n < BTF_PARAMETERS_MAX) {
		const char *own = btf_types_string_at(t, cursor_u32(&h.rest));
		uint32_t type = cursor_u32(&h.rest);

		/* The parameters after "..." have neither name nor type. */
		if (own || type)
			ret[n++] = (struct btf_parameter){ .name = own, .type = btf_type(t, type) };
	}
	return n;
}

/* True if type @id is an array. Modifiers (const, volatile) are skipped. */
static bool is_array(const struct btf *btf, uint32_t id)
{
	for (int depth = 0; depth < 8; depth++) {
		struct btf_type t;
		struct cursor tail;

		if (!btf_type_find(btf, id, &t, &tail))
			return false;
		if (BTF_INFO_KIND(t.info) == BTF_KIND_ARRAY)
			return true;
		if (BTF_INFO_KIND(t.info) != BTF_KIND_CONST &&
		    BTF_INFO_KIND(t.info) != BTF_KIND_VOLATILE)
			return false;
		id = t.type;
	}
	return false;
}

bool btf_section_text(const struct btf *btf, uint32_t section, size_t i,
		      struct btf_section_text *ret)
{
	struct btf_section_text text = { 0 };
	struct btf_type t, var;
	struct cursor tail, none;
	uint32_t id;

	if (!btf_type_find(btf, section, &t, &tail) || BTF_INFO_KIND(t.info) != BTF_KIND_DATASEC ||
	    i >= BTF_INFO_VLEN(t.info))
		return false;
	cursor_bytes(&tail, i * sizeof(struct btf_var_secinfo));
	id = cursor_u32(&tail);
	text.at = cursor_u32(&tail);
	text.length = cursor_u32(&tail);
	if (tail.bad)
		return false;
	if (!btf_type_find(btf, id, &var, &none) || BTF_INFO_KIND(var.info) != BTF_KIND_VAR ||
	    !is_array(btf, var.type))
		text.length = 0;
	else
		text.name = btf_string(btf, var.name_off);
	if (!text.name)
		text.length = 0;
	*ret = text;
	return true;
}
