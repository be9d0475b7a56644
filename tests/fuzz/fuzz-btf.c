/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes BTF: opening ends, all types can be named and measured, members can be looked up, and a
 * repeated lookup returns the same type.
 */
#include <stdlib.h>
#include <string.h>

#include "base/c-type.h"
#include "base/similar.h"
#include "wire/btf-types.h"
#include "wire/btf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TYPES_MAX 512

static void check_parts(struct btf_types *t, const struct c_type *type)
{
	struct btf_struct_member m;
	struct btf_enum_value v;
	size_t i = 0;

	while (btf_struct_member(t, type, i, &m))
		i++;
	while (btf_enum_value(t, type, i, &v))
		i++;
	if (type->name)
		btf_type_named(t, type->kind, type->name);
}

static void check_type(struct btf_types *t, uint32_t id)
{
	const struct c_type *type = btf_type(t, id);
	struct similar near = { .typed = "name" };
	struct c_member m;

	if (!type)
		return;
	if (type != btf_type(t, id))
		abort();
	check_parts(t, type);
	free(c_type_text(type));
	c_type_size(type);
	if (!c_type_has_members(type))
		return;
	type->source->suggest(type->source, type, &near);
	for (size_t i = 0; i < near.n; i++)
		if (type->source->member(type->source, type, near.best[i].name, &m) && m.bit_size &&
		    m.bit_offset + m.bit_size > m.bit_unit)
			abort();
}

/* Checks that each text of a section lies in the strings of the blob. */
static void check_sections(const struct btf *b)
{
	for (uint32_t id = 0; id < 32; id++) {
		struct btf_section_text text;

		for (size_t i = 0; i < 32 && btf_section_text(b, id, i, &text); i++)
			if (text.length && strlen(text.name) > b->size)
				abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf_parameter parameters[BTF_PARAMETERS_MAX];
	struct btf_types *t = NULL, *module = NULL;

	check_sections(&(struct btf){ data, size });
	if (btf_types_open(data, size, NULL, &t) < 0)
		return 0;
	for (uint32_t id = 0; id < TYPES_MAX; id++)
		check_type(t, id);
	if (btf_function_parameters(t, "function", parameters) > BTF_PARAMETERS_MAX)
		abort();
	if (btf_types_open(data, size, t, &module) >= 0)
		for (uint32_t id = 0; id < TYPES_MAX; id++)
			check_type(module, id);
	btf_types_free(module);
	btf_types_free(t);
	return 0;
}
