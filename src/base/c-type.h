/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A type of a C program, described by DWARF (dwarf/debug-types.c) or BTF (wire/btf-types.c). Its
 * target and its members are looked up when needed.
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
	const struct c_type_source *source; /* the description that contains it */
	uint64_t id;                        /* its key in that description */
	enum c_kind kind;
	const char *name; /* NULL: it has none */
	/* in bytes, as described; 0: not given (by clang for pointers), or see c_type_size() */
	uint64_t size;
	bool is_signed;
	uint64_t count; /* length of an array; 0: unknown */
};

struct c_member {
	const struct c_type *type;
	uint64_t offset;               /* in bytes, from the beginning of the outermost structure */
	unsigned bit_offset, bit_size; /* a bit field in its storage unit; @bit_size 0: none */
	/* bit field: number of bits in the storage unit at @offset */
	unsigned bit_unit;
};

/* A member as it is declared, in the order of declarations. */
struct c_field {
	const char *name; /* NULL: an unnamed structure or union, or a base class */
	const struct c_type *type;
	uint64_t offset, size; /* in bytes, from the beginning of the structure */
	unsigned bit_size;     /* bit field, which lies in these bytes: its bits; 0: none */
	/*
	 * The variant to which it belongs, from 1, where only one of several variants exists at a
	 * time (Rust enums). 0: it always exists.
	 */
	unsigned variant;
	bool is_tag; /* it selects the variant; may lie in the bytes of a variant */
};

struct c_type_source {
	unsigned pointer_size; /* in bytes */
	/*
	 * Returns the type that @t points to, is an array of, qualifies, or is another name of;
	 * NULL: void, or none.
	 */
	const struct c_type *(*target)(const struct c_type_source *s, const struct c_type *t);
	/*
	 * Finds member @name of a structure, also inside its unnamed members. False: there is none.
	 */
	bool (*member)(const struct c_type_source *s, const struct c_type *t, const char *name,
		       struct c_member *ret);
	/* Adds the names of the members to @similar, for "did you mean". */
	void (*suggest)(const struct c_type_source *s, const struct c_type *t, struct similar *out);
	/* Returns the members of a structure, which live as long as the source. NULL: not known. */
	size_t (*fields)(const struct c_type_source *s, const struct c_type *t,
			 const struct c_field **ret);
};

/* Returns @t without typedefs and qualifiers; NULL for void (or NULL). */
const struct c_type *c_type_bare(const struct c_type *t);

/*
 * Returns the type that @t points to, is an array of, qualifies, or is another name of; NULL: void,
 * or none.
 */
const struct c_type *c_type_target(const struct c_type *t);

/* Returns the size of @t in bytes, computed where the description does not give it; 0: unknown. */
uint64_t c_type_size(const struct c_type *t);

/* True if @t is a structure, union or class. */
bool c_type_has_members(const struct c_type *t);

/* Returns the members of @t, a structure, union or class. *@ret is untouched if there are none. */
size_t c_type_fields(const struct c_type *t, const struct c_field **ret);

/*
 * Returns the type of the member that occupies the @size bytes at @offset of @t, or @t itself.
 * NULL: no member occupies them, or members of several types do.
 */
const struct c_type *c_type_piece(const struct c_type *t, uint64_t offset, uint64_t size);

/*
 * Returns the name of @t as reports on data types write it: "struct sock", "struct sock*",
 * "char[]", without qualifiers. An unnamed structure is "struct ". The caller frees it.
 */
char *c_type_name(const struct c_type *t);

/*
 * Returns the text of @t as -V writes it: "struct sock*", "char*", "(function_type)*". The caller
 * frees it.
 */
char *c_type_text(const struct c_type *t);

/*
 * Sets the place of a bit field of @bit_size bits that begins at bit @bit of the structure (the
 * lowest of a byte first). Its storage unit has @unit_bytes, the size of its type, or else 8 to 64
 * bits that contain all of it. False: there is no such unit.
 */
bool c_member_set_bits(struct c_member *m, uint64_t bit, unsigned bit_size, uint64_t unit_bytes);
