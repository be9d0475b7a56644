/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * BTF, the kernel's description of types, as far as names go (Documentation/bpf/btf.rst).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf_type; /* of <linux/btf.h> */
struct cursor;

/* Borrowed bytes, in this machine's order. */
struct btf {
	const uint8_t *data;
	size_t size;
};

/*
 * The common part of type @id, and a cursor over what lies behind it. False: there is no such type,
 * or @btf is damaged. O(types).
 */
bool btf_type_find(const struct btf *btf, uint32_t id, struct btf_type *ret,
		   struct cursor *ret_tail);

/* The name of type @id, which lies in @btf; NULL: it has none, or @btf is damaged. O(types). */
const char *btf_type_name(const struct btf *btf, uint32_t id);

/* The text at @offset of its strings; NULL: there is none, or @btf is damaged. */
const char *btf_string(const struct btf *btf, uint32_t offset);

/* What follows the common part of a type with @vlen members. SIZE_MAX: a kind we do not know. */
size_t btf_kind_bytes(unsigned kind, unsigned vlen);
