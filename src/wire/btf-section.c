/* SPDX-License-Identifier: MIT */
#include "wire/btf-section.h"

#include <linux/btf.h>
#include <string.h>

#include "base/cursor.h"
#include "wire/btf.h"

/* Is type @id an array? Modifiers (const, volatile) are passed over. */
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
