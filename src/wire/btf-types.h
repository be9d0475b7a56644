/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's functions and types as described by BTF (Documentation/bpf/btf.rst), in the form of
 * base/c-type.h: the last source if there is no debug information.
 *
 * The bytes are borrowed and in this machine's order. A module's BTF continues the numbers of the
 * kernel's BTF, which must be given when it is opened.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/c-type.h"
#include "base/cleanup.h"

struct btf_types;

/*
 * Opens BTF. @base is the kernel's BTF if this is a module's, else NULL; it must outlive the
 * result. Returns -EBADMSG if it is damaged.
 */
int btf_types_open(const void *bytes, size_t size, const struct btf_types *base,
		   struct btf_types **ret);
void btf_types_free(struct btf_types *t);
DEFINE_FREEP(btf_types)

struct btf_parameter {
	const char *name; /* NULL: it has none */
	const struct c_type *type;
};

#define BTF_PARAMETERS_MAX 32

/*
 * Finds the parameters of the function @name, the first with that name. Returns their number,
 * -ENOENT if there is no such function, or -EBADMSG if its description is damaged.
 */
int btf_function_parameters(struct btf_types *t, const char *name,
			    struct btf_parameter ret[BTF_PARAMETERS_MAX]);

/*
 * Returns the first type of this kind (C_STRUCT, C_UNION, C_ENUM) with the name @name; NULL: none.
 */
const struct c_type *btf_type_named(struct btf_types *t, enum c_kind kind, const char *name);

struct btf_struct_member {
	const char *name; /* NULL: it has none */
	const struct c_type *type;
	uint32_t bit_offset;
	uint32_t bit_size; /* 0: not a bit field */
};

/*
 * Finds member @i of a structure or union, in the order of the description. False: there is none.
 */
bool btf_struct_member(struct btf_types *t, const struct c_type *type, size_t i,
		       struct btf_struct_member *ret);

struct btf_enum_value {
	const char *name;
	uint64_t value;
};

/* Finds enumerator @i of an enum. False: there is none. */
bool btf_enum_value(struct btf_types *t, const struct c_type *type, size_t i,
		    struct btf_enum_value *ret);

/* Returns type number @id; NULL: void, or there is none. It belongs to @t. */
const struct c_type *btf_type(struct btf_types *t, uint32_t id);

/* Finds texts among the variables of a section, with BTF: the metadata of BPF programs. */

struct btf;

/* A variable that is an array of characters. */
struct btf_section_text {
	const char *name;    /* borrowed from BTF */
	uint32_t at, length; /* the range in the section */
};

/*
 * Finds variable @i of the section that is type @section of @btf, if it is an array of bytes.
 * False: there is no such variable, and none after it. A variable of another type has the length 0.
 */
bool btf_section_text(const struct btf *btf, uint32_t section, size_t i,
		      struct btf_section_text *ret);
