/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Types as DWARF would describe them:
 *
 *	struct node { struct node *next; int id; short pad; union { long l; struct node *other; };
 *		      int table[4]; };
 *	struct list { long n; struct node nodes[]; };
 *
 * A type's target is the one whose number in `types` is its id.
 */
#include "base/c-type.h"
#include "base/cleanup.h"

enum {
	T_NONE,
	T_NODE,
	T_NODE_POINTER,
	T_INT,
	T_LONG,
	T_CHAR,
	T_TABLE,
	T_UNION,
	T_VOID_POINTER,
	T_NODES,
	T_NODE_NAME, /* typedef */
	T_CONST_NODE,
	T_INT_POINTER,
	T_FLEXIBLE, /* struct list */
	T_ENDLESS,
	T_CHAR_POINTER,
	T_STRUCT_HACK, /* struct list with nodes[1] */
	T_ONE_NODE,
	T_BYTES,    /* char[8] */
	T_OVERLAID, /* union { long l; char b[8]; } */
	T_DISPUTED, /* union { union of struct node; int *count; } */
	T_OPTION,   /* enum { None, Some(struct node *) }, as Rust has it: None is a null pointer */
	T_SHAPE,    /* enum { Round { long r; int id; }, Square { long side; char edge; } } */
	T_ROUND,
	T_SQUARE,
	T_FLAGS,         /* struct { int low : 4, high : 12, other : 16; } */
	T_ENDLESS_UNION, /* a union of itself, twice, as in a damaged file */
	N_TYPES
};

static const struct c_type *example_target(const struct c_type_source *s, const struct c_type *t);
static size_t example_fields(const struct c_type_source *s, const struct c_type *t,
			     const struct c_field **ret);

static const struct c_type_source example_source = {
	.pointer_size = 8,
	.target = example_target,
	.fields = example_fields,
};

#define EXAMPLE(k, ...)                                                                            \
	{                                                                                          \
		.source = &example_source, .kind = k, __VA_ARGS__                                  \
	}

static const struct c_type types[N_TYPES] = {
	[T_NODE] = EXAMPLE(C_STRUCT, .name = "node", .size = 40),
	[T_NODE_POINTER] = EXAMPLE(C_POINTER, .size = 8, .id = T_NODE),
	[T_INT] = EXAMPLE(C_INTEGER, .name = "int", .size = 4),
	[T_LONG] = EXAMPLE(C_INTEGER, .name = "long int", .size = 8),
	[T_CHAR] = EXAMPLE(C_CHARACTER, .name = "char", .size = 1),
	[T_TABLE] = EXAMPLE(C_ARRAY, .count = 4, .id = T_INT),
	[T_UNION] = EXAMPLE(C_UNION, .size = 8),
	[T_VOID_POINTER] = EXAMPLE(C_POINTER, .size = 8),
	[T_NODES] = EXAMPLE(C_ARRAY, .count = 8, .id = T_NODE),
	[T_NODE_NAME] = EXAMPLE(C_TYPEDEF, .name = "node_t", .id = T_NODE),
	[T_CONST_NODE] = EXAMPLE(C_CONST, .id = T_NODE),
	[T_FLEXIBLE] = EXAMPLE(C_STRUCT, .name = "list", .size = 8),
	[T_ENDLESS] = EXAMPLE(C_ARRAY, .id = T_NODE),
	[T_STRUCT_HACK] = EXAMPLE(C_STRUCT, .name = "hack", .size = 48),
	[T_ONE_NODE] = EXAMPLE(C_ARRAY, .count = 1, .id = T_NODE),
	[T_BYTES] = EXAMPLE(C_ARRAY, .count = 8, .id = T_CHAR),
	[T_OVERLAID] = EXAMPLE(C_UNION, .name = "overlaid", .size = 8),
	[T_DISPUTED] = EXAMPLE(C_UNION, .size = 8),
	[T_OPTION] = EXAMPLE(C_STRUCT, .name = "Option<node>", .size = 8),
	[T_SHAPE] = EXAMPLE(C_STRUCT, .name = "Shape", .size = 16),
	[T_ROUND] = EXAMPLE(C_STRUCT, .name = "Round", .size = 16),
	[T_SQUARE] = EXAMPLE(C_STRUCT, .name = "Square", .size = 16),
	[T_FLAGS] = EXAMPLE(C_STRUCT, .name = "flags", .size = 4),
	[T_ENDLESS_UNION] = EXAMPLE(C_UNION, .name = "endless", .size = 8),
	[T_CHAR_POINTER] = EXAMPLE(C_POINTER, .size = 8, .id = T_CHAR),
	[T_INT_POINTER] = EXAMPLE(C_POINTER, .size = 8, .id = T_INT),
};

static const struct c_field node_fields[] = {
	{ .name = "next", .type = &types[T_NODE_POINTER], .offset = 0, .size = 8 },
	{ .name = "id", .type = &types[T_INT], .offset = 8, .size = 4 },
	{ .name = "flag", .type = &types[T_INT], .offset = 12, .size = 1, .bit_size = 3 },
	{ .type = &types[T_UNION], .offset = 16, .size = 8 },
	{ .name = "table", .type = &types[T_TABLE], .offset = 24, .size = 16 },
};

static const struct c_field union_fields[] = {
	{ .name = "l", .type = &types[T_LONG], .offset = 0, .size = 8 },
	{ .name = "other", .type = &types[T_NODE_POINTER], .offset = 0, .size = 8 },
};

static const struct c_field list_fields[] = {
	{ .name = "n", .type = &types[T_LONG], .offset = 0, .size = 8 },
	{ .name = "nodes", .type = &types[T_ENDLESS], .offset = 8, .size = 0 },
};

static const struct c_field hack_fields[] = {
	{ .name = "n", .type = &types[T_LONG], .offset = 0, .size = 8 },
	{ .name = "nodes", .type = &types[T_ONE_NODE], .offset = 8, .size = 40 },
};

static const struct c_field overlaid_fields[] = {
	{ .name = "l", .type = &types[T_LONG], .offset = 0, .size = 8 },
	{ .name = "b", .type = &types[T_BYTES], .offset = 0, .size = 8 },
};

static const struct c_field disputed_fields[] = {
	{ .type = &types[T_UNION], .offset = 0, .size = 8 },
	{ .name = "count", .type = &types[T_INT_POINTER], .offset = 0, .size = 8 },
};

static const struct c_field option_fields[] = {
	{ .name = "Some", .type = &types[T_NODE_POINTER], .size = 8, .variant = 2 },
	{ .name = "discriminant", .type = &types[T_LONG], .size = 8, .is_tag = true },
};

static const struct c_field shape_fields[] = {
	{ .name = "Round", .type = &types[T_ROUND], .size = 16, .variant = 1 },
	{ .name = "Square", .type = &types[T_SQUARE], .size = 16, .variant = 2 },
	{ .name = "discriminant", .type = &types[T_CHAR], .size = 1, .is_tag = true },
};

static const struct c_field round_fields[] = {
	{ .name = "r", .type = &types[T_LONG], .offset = 8, .size = 8 },
	{ .name = "id", .type = &types[T_INT], .offset = 4, .size = 4 },
};

static const struct c_field square_fields[] = {
	{ .name = "side", .type = &types[T_LONG], .offset = 8, .size = 8 },
	{ .name = "edge", .type = &types[T_CHAR], .offset = 4, .size = 1 },
};

static const struct c_field flags_fields[] = {
	{ .name = "low", .type = &types[T_INT], .size = 1, .bit_size = 4 },
	{ .name = "high", .type = &types[T_INT], .size = 2, .bit_size = 12 },
	{ .name = "other", .type = &types[T_INT], .offset = 2, .size = 2, .bit_size = 16 },
};

static const struct c_field endless_fields[] = {
	{ .name = "a", .type = &types[T_ENDLESS_UNION], .size = 8 },
	{ .name = "b", .type = &types[T_ENDLESS_UNION], .size = 8 },
};

/* The fields of all types but struct node. */
static const struct {
	const struct c_type *type;
	const struct c_field *fields;
	size_t n;
} examples[] = {
	{ &types[T_STRUCT_HACK], hack_fields, ARRAY_SIZE(hack_fields) },
	{ &types[T_OVERLAID], overlaid_fields, ARRAY_SIZE(overlaid_fields) },
	{ &types[T_DISPUTED], disputed_fields, ARRAY_SIZE(disputed_fields) },
	{ &types[T_FLEXIBLE], list_fields, ARRAY_SIZE(list_fields) },
	{ &types[T_UNION], union_fields, ARRAY_SIZE(union_fields) },
	{ &types[T_OPTION], option_fields, ARRAY_SIZE(option_fields) },
	{ &types[T_SHAPE], shape_fields, ARRAY_SIZE(shape_fields) },
	{ &types[T_ROUND], round_fields, ARRAY_SIZE(round_fields) },
	{ &types[T_SQUARE], square_fields, ARRAY_SIZE(square_fields) },
	{ &types[T_FLAGS], flags_fields, ARRAY_SIZE(flags_fields) },
	{ &types[T_ENDLESS_UNION], endless_fields, ARRAY_SIZE(endless_fields) },
};

static const struct c_type *example_target(const struct c_type_source *s, const struct c_type *t)
{
	(void)s;
	return t->id ? &types[t->id] : NULL;
}

static size_t example_fields(const struct c_type_source *s, const struct c_type *t,
			     const struct c_field **ret)
{
	(void)s;
	for (size_t i = 0; i < ARRAY_SIZE(examples); i++)
		if (examples[i].type == t) {
			*ret = examples[i].fields;
			return examples[i].n;
		}
	*ret = node_fields;
	return ARRAY_SIZE(node_fields);
}
