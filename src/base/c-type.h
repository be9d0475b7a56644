/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A type of a C program, whoever describes it: DWARF (dwarf/debug-types.c) or BTF
 * (wire/btf-types.c). What it points to and its members are asked for when needed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum c_kind {
	C_UNKNOWN,
	C_VOID,
	C_INTEGER,
	C_BOOL,
	C_CHARACTER,
	C_FLOAT,
	C_ENUM,
	C_POINTER,
	C_REFERENCE,
	C_STRUCT,
	C_UNION,
	C_CLASS,
	C_ARRAY,
	C_FUNCTION,
	C_TYPEDEF,
	C_CONST,
	C_VOLATILE,
	C_RESTRICT,
	C_ATOMIC,
};

struct c_type_source;
struct similar;

struct c_type {
	const struct c_type_source *source; /* who knows more */
	uint64_t id;                        /* its own key there */
	enum c_kind kind;
	const char *name; /* NULL: it has none */
	uint64_t size;    /* in bytes, as described; 0: not said (clang of pointers), or see
			     c_type_size() */
	bool is_signed;
	uint64_t count; /* of an array; 0: unknown */
};

struct c_member {
	const struct c_type *type;
	uint64_t offset;               /* in bytes, from the beginning of the outermost */
	unsigned bit_offset, bit_size; /* of a bit field in its storage unit; @bit_size 0: none */
	unsigned bit_unit;             /* of a bit field: bits in the storage unit at @offset */
};

/* A member as it is declared, in the order of declarations. */
struct c_field {
	const char *name; /* NULL: an unnamed structure or union, or a base class */
	const struct c_type *type;
	uint64_t offset, size; /* in bytes, from the beginning of the structure */
	unsigned bit_size;     /* of a bit field, which lies in these bytes; 0: none */
	/*
	 * The variant that has it, from 1, where only one of several variants is there at a time:
	 * enums of Rust. 0: it is always there.
	 */
	unsigned variant;
	bool is_tag; /* it says which variant is there; may lie in the bytes of one */
};

struct c_type_source {
	unsigned pointer_size; /* in bytes */
	/* What it points to, is an array, a qualified form or another name of; NULL: void, nothing.
	 */
	const struct c_type *(*target)(const struct c_type_source *s, const struct c_type *t);
	/* Member @name of a structure, also inside of its nameless members. False: none. */
	bool (*member)(const struct c_type_source *s, const struct c_type *t, const char *name,
		       struct c_member *ret);
	/* Adds the names of its members to @similar, for "did you mean". */
	void (*suggest)(const struct c_type_source *s, const struct c_type *t, struct similar *out);
	/* The members of a structure; they live as long as the source. NULL: not known. */
	size_t (*fields)(const struct c_type_source *s, const struct c_type *t,
			 const struct c_field **ret);
};

/* @t without typedefs and qualifiers; NULL for void (or NULL). */
const struct c_type *c_type_bare(const struct c_type *t);

/* What @t points to, is an array of, qualifies, or is another name of; NULL: void, or nothing. */
const struct c_type *c_type_target(const struct c_type *t);

/* The bytes that one takes, computed where it is not said; 0: unknown. */
uint64_t c_type_size(const struct c_type *t);

/* Is it a structure, union or class? */
bool c_type_has_members(const struct c_type *t);

/* The members of @t, a structure, union or class; *@ret is untouched if there are none. */
size_t c_type_fields(const struct c_type *t, const struct c_field **ret);

/*
 * The type of the member that is the @size bytes at @offset of @t, or of @t itself; NULL: no member
 * is, or members of several types lie there.
 */
const struct c_type *c_type_piece(const struct c_type *t, uint64_t offset, uint64_t size);

/*
 * As reports on data types write it: "struct sock", "struct sock*", "char[]", without qualifiers.
 * An unnamed structure is "struct ". The caller frees it.
 */
char *c_type_name(const struct c_type *t);

/* As -V writes it: "struct sock*", "char*", "(function_type)*". The caller frees it. */
char *c_type_text(const struct c_type *t);

/*
 * Where a bit field of @bit_size bits lies that begins at bit @bit of the structure (the lowest of
 * a byte first): in a unit of @unit_bytes, the size of its type, or in one of 8 to 64 bits that has
 * all of it. False: there is none.
 */
bool c_member_set_bits(struct c_member *m, uint64_t bit, unsigned bit_size, uint64_t unit_bytes);
