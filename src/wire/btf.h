/* SPDX-License-Identifier: MIT */
#pragma once
/* Reads names from BTF, the kernel's description of types (Documentation/bpf/btf.rst). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf_type; /* defined in <linux/btf.h> */
struct cursor;

/* BTF data. The bytes are borrowed, and in this machine's order. */
struct btf {
	const uint8_t *data;
	size_t size;
};

/*
 * Finds the common part of type @id, and sets a cursor to the data after it. False: there is no
 * such type, or @btf is damaged. O(types).
 */
bool btf_type_find(const struct btf *btf, uint32_t id, struct btf_type *ret,
		   struct cursor *ret_tail);

/*
 * Returns the name of type @id, which is in @btf. NULL: it has none, or @btf is damaged. O(types).
 */
const char *btf_type_name(const struct btf *btf, uint32_t id);

/* Returns the text at @offset of its strings. NULL: there is none, or @btf is damaged. */
const char *btf_string(const struct btf *btf, uint32_t offset);

/*
 * Returns the size of the data after the common part of a type with @vlen members. SIZE_MAX: an
 * unknown kind.
 */
size_t btf_kind_bytes(unsigned kind, unsigned vlen);
