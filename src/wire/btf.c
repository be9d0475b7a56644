/* SPDX-License-Identifier: MIT */
/*
 * Types follow one another, each with twelve bytes and the data of its kind. They are numbered from
 * 1.
 */
#include "wire/btf.h"

#include <linux/btf.h>
#include <string.h>

#include "base/cursor.h"

size_t btf_kind_bytes(unsigned kind, unsigned vlen)
{
	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return (size_t)vlen * 3 * sizeof(uint32_t);
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return (size_t)vlen * 2 * sizeof(uint32_t);
	default:
		return kind <= BTF_KIND_MAX ? 0 : SIZE_MAX;
	}
}

static const char *btf_string_at(const struct btf *btf, uint64_t offset, uint32_t length,
				 uint32_t name)
{
	if (!name || name >= length || offset + length > btf->size ||
	    !memchr(btf->data + offset + name, '\0', length - name))
		return NULL;
	return (const char *)btf->data + offset + name;
}

const char *btf_string(const struct btf *btf, uint32_t offset)
{
	struct cursor head = cursor_over(btf->data, btf->size, false);
	struct btf_header h;
	const uint8_t *bytes = cursor_bytes(&head, sizeof(h));

	if (!bytes)
		return NULL;
	memcpy(&h, bytes, sizeof(h));
	return h.magic == BTF_MAGIC
		       ? btf_string_at(btf, (uint64_t)h.hdr_len + h.str_off, h.str_len, offset)
		       : NULL;
}

bool btf_type_find(const struct btf *btf, uint32_t id, struct btf_type *ret,
		   struct cursor *ret_tail)
{
	struct cursor head = cursor_over(btf->data, btf->size, false), types;
	struct btf_header h;
	const uint8_t *bytes = cursor_bytes(&head, sizeof(h));

	if (!bytes)
		return false;
	memcpy(&h, bytes, sizeof(h));
	if (h.magic != BTF_MAGIC || (uint64_t)h.hdr_len + h.type_off + h.type_len > btf->size)
		return false;
	types = cursor_over(btf->data + h.hdr_len + h.type_off, h.type_len, false);
	for (uint32_t i = 1; cursor_left(&types); i++) {
		const uint8_t *at = cursor_bytes(&types, sizeof(*ret));
		struct btf_type t;

		if (!at)
			return false;
		memcpy(&t, at, sizeof(t));
		if (i == id) {
			*ret = t;
			*ret_tail = types;
			return true;
		}
		cursor_bytes(&types, btf_kind_bytes(BTF_INFO_KIND(t.info), BTF_INFO_VLEN(t.info)));
	}
	return false;
}

const char *btf_type_name(const struct btf *btf, uint32_t id)
{
	struct btf_type t;
	struct cursor tail;

	return btf_type_find(btf, id, &t, &tail) ? btf_string(btf, t.name_off) : NULL;
}
