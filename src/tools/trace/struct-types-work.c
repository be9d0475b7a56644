/* SPDX-License-Identifier: MIT */
#include "tools/trace/struct-types-work.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/c-type.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "wire/btf-types.h"

#define BTF_PATH     "/sys/kernel/btf/vmlinux"
#define BTF_SIZE_MAX (256u << 20)

/* Limits of the output, so that a damaged or unusual type cannot exhaust memory. */
#define DEPTH_MAX       6
#define MEMBERS_MAX     512
#define ENUMERATORS_MAX 4096

struct kernel_types {
	char *bytes; /* NULL: the caller owns the bytes */
	struct btf_types *btf;
	struct arena arena;
	struct intern names;           /* the requested names */
	struct u64_map structs, enums; /* by the name's address; NOTHING: does not exist */
	struct u64_map made;           /* layouts by the type's number; NOTHING: in progress */
};

static const char nothing;
#define NOTHING ((void *)&nothing)

int kernel_types_over(const void *bytes, size_t size, struct kernel_types **ret)
{
	_cleanup_(kernel_types_freep) struct kernel_types *t = xcalloc(1, sizeof(*t));
	int r = btf_types_open(bytes, size, NULL, &t->btf);

	if (r < 0)
		return r;
	*ret = TAKE(t);
	return 0;
}

int kernel_types_open(struct kernel_types **ret)
{
	_cleanup_(freep) char *bytes = NULL;
	size_t size;
	int r = file_read(AT_FDCWD, BTF_PATH, BTF_SIZE_MAX, &bytes, &size);

	if (r >= 0)
		r = kernel_types_over(bytes, size, ret);
	if (r >= 0)
		(*ret)->bytes = TAKE(bytes);
	return r;
}

void kernel_types_free(struct kernel_types *t)
{
	if (!t)
		return;
	u64_map_done(&t->made);
	u64_map_done(&t->structs);
	u64_map_done(&t->enums);
	intern_done(&t->names);
	btf_types_free(t->btf);
	arena_done(&t->arena);
	free(t->bytes);
	free(t);
}

static int kernel_types_by_value(const void *a, const void *b)
{
	const struct value_name *m = a, *n = b;

	return (m->value > n->value) - (m->value < n->value);
}

static const struct value_table *make_enum(struct kernel_types *t, const struct c_type *type)
{
	struct value_table *table;
	struct value_name *names;
	struct btf_enum_value e;
	size_t n = 0;

	while (n < ENUMERATORS_MAX && btf_enum_value(t->btf, type, n, &e))
		n++;
	table = arena_alloc(&t->arena, sizeof(*table));
	names = arena_alloc(&t->arena, n * sizeof(*names));
	for (size_t i = 0; i < n; i++) {
		btf_enum_value(t->btf, type, i, &e);
		names[i] = (struct value_name){ .value = e.value, .mask = e.value, .name = e.name };
	}
	if (n)
		qsort(names, n, sizeof(*names), kernel_types_by_value);
	*table = (struct value_table){
		.name = type->name ? type->name : "", .prefix = "", .names = names, .n = n
	};
	return table;
}

static const struct struct_layout *make_struct(struct kernel_types *t, const struct c_type *type,
					       unsigned depth);

/* Fills in the type of a member or an array's element. False: it cannot be shown. */
static bool kernel_types_set_type(struct kernel_types *t, struct struct_member *m,
				  const struct c_type *type, unsigned depth)
{
	uint64_t size = c_type_size(type);

	if (c_type_has_members(type)) {
		m->kind = ARG_STRUCT;
		m->layout = depth < DEPTH_MAX ? make_struct(t, type, depth + 1) : NULL;
		return m->layout;
	}
	if (!type || (size != 1 && size != 2 && size != 4 && size != 8))
		return false;
	m->bytes = (uint8_t)size;
	m->is_signed = type->is_signed;
	m->kind = type->kind == C_POINTER ? ARG_HEX : type->kind == C_ENUM ? ARG_ENUM : ARG_INT;
	if (!m->is_signed && m->kind == ARG_INT)
		m->kind = ARG_UNSIGNED;
	if (m->kind == ARG_ENUM)
		m->values = make_enum(t, type);
	return true;
}

static bool kernel_types_set_member(struct kernel_types *t, const struct btf_struct_member *from,
				    struct struct_member *m, unsigned depth)
{
	const struct c_type *type = c_type_bare(from->type);

	if (!type || from->bit_size || from->bit_offset % 8 || from->bit_offset / 8 > UINT16_MAX)
		return false;
	*m = (struct struct_member){ .name = from->name ? from->name : "",
				     .offset = (uint16_t)(from->bit_offset / 8),
				     .count = 1,
				     .is_shown = true };
	if (type->kind == C_ARRAY) {
		m->count = type->count < UINT16_MAX ? (uint16_t)type->count : UINT16_MAX;
		type = c_type_bare(c_type_target(type));
		if (!m->count || !type || !kernel_types_set_type(t, m, type, depth))
			return false;
		if (m->bytes == 1 && (type->kind == C_CHARACTER || type->is_signed))
			m->kind = ARG_STRING;
		return true;
	}
	return kernel_types_set_type(t, m, type, depth);
}

/*
 * Makes the layout of a struct. Bit fields are omitted, because struct struct_member cannot
 * describe their position.
 */
static const struct struct_layout *new_layout(struct kernel_types *t, const struct c_type *type,
					      unsigned depth)
{
	uint64_t size = c_type_size(type);
	struct struct_layout *l;
	struct struct_member *members;
	struct btf_struct_member from;
	size_t n = 0, n_all = 0;

	while (n_all < MEMBERS_MAX && btf_struct_member(t->btf, type, n_all, &from))
		n_all++;
	if (!n_all || size > UINT16_MAX)
		return NULL;
	l = arena_alloc(&t->arena, sizeof(*l));
	members = arena_alloc(&t->arena, n_all * sizeof(*members));
	for (size_t i = 0; i < n_all; i++)
		if (btf_struct_member(t->btf, type, i, &from) &&
		    kernel_types_set_member(t, &from, &members[n], depth))
			n++;
	*l = (struct struct_layout){ .name = type->name ? type->name : "",
				     .size = (uint16_t)size,
				     .members = members,
				     .n = n };
	return l;
}

/*
 * Makes each type once, however many members have it, because damaged BTF may nest them endlessly.
 */
static const struct struct_layout *make_struct(struct kernel_types *t, const struct c_type *type,
					       unsigned depth)
{
	void *l = u64_map_find(&t->made, type->id);

	if (l)
		return l == NOTHING ? NULL : l;
	u64_map_put(&t->made, type->id, NOTHING);
	l = (void *)new_layout(t, type, depth);
	if (l)
		u64_map_put(&t->made, type->id, l);
	return l;
}

const struct struct_layout *kernel_types_struct(void *types, const char *name)
{
	struct kernel_types *t = types;
	uint64_t key = (uintptr_t)intern_text(&t->names, name);
	void *known = u64_map_find(&t->structs, key);
	const struct c_type *type;

	if (known)
		return known == NOTHING ? NULL : known;
	type = btf_type_named(t->btf, C_STRUCT, name);
	if (!type)
		type = btf_type_named(t->btf, C_UNION, name);
	known = type ? (void *)make_struct(t, type, 0) : NULL;
	u64_map_put(&t->structs, key, known ? known : NOTHING);
	return known;
}

const struct value_table *kernel_types_enum(void *types, const char *name)
{
	struct kernel_types *t = types;
	uint64_t key = (uintptr_t)intern_text(&t->names, name);
	void *known = u64_map_find(&t->enums, key);
	const struct c_type *type;

	if (known)
		return known == NOTHING ? NULL : known;
	type = btf_type_named(t->btf, C_ENUM, name);
	known = type ? (void *)make_enum(t, type) : NULL;
	u64_map_put(&t->enums, key, known ? known : NOTHING);
	return known;
}
