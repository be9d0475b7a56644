/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * BTF, the kernel's description of types, as far as names go (Documentation/bpf/btf.rst).
 */
#include <stddef.h>
#include <stdint.h>

/* Borrowed bytes, in this machine's order. */
struct btf {
	const uint8_t *data;
	size_t size;
};

/* The name of type @id, which lies in @btf; NULL: it has none, or @btf is damaged. O(types). */
const char *btf_type_name(const struct btf *btf, uint32_t id);

/* The text at @offset of its strings; NULL: there is none, or @btf is damaged. */
const char *btf_string(const struct btf *btf, uint32_t offset);

/* What follows the common part of a type with @vlen members. SIZE_MAX: a kind we do not know. */
size_t btf_kind_bytes(unsigned kind, unsigned vlen);
