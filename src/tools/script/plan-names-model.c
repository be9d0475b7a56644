/* SPDX-License-Identifier: MIT */
#include "tools/script/plan-names-model.h"

#include <string.h>

#include "tracepoint/format.h"
#include "tracepoint/plan-node.h"

/*
 * Returns the first node below @node, from the left, that reads a number of the record. NULL: there
 * is none.
 */
static const struct plan_node *first_load(const struct tracepoint_plan *p, uint32_t node)
{
	const struct plan_node *n = &p->nodes.items[node], *found;

	switch (n->op) {
	case NODE_LOAD:
		return n;
	case NODE_CAST:
	case NODE_NEGATE:
	case NODE_COMPLEMENT:
	case NODE_NOT:
	case NODE_MILLISECONDS:
		return first_load(p, n->a);
	case NODE_CHOICE:
		found = first_load(p, n->a);
		if (!found)
			found = first_load(p, n->b);
		return found ? found : first_load(p, n->c);
	default:
		if (n->op < NODE_MULTIPLY || n->op > NODE_OR)
			return NULL;
		found = first_load(p, n->a);
		return found ? found : first_load(p, n->b);
	}
}

static const struct tracepoint_field *script_plan_names_field_at(const struct tracepoint_format *f,
								 uint32_t offset)
{
	for (size_t i = 0; i < f->n_fields; i++)
		if (f->fields[i].offset == offset && !f->fields[i].is_array)
			return &f->fields[i];
	return NULL;
}

/*
 * Returns the field whose values @n names. NULL: @n does not print names, or not those of a field.
 */
static const struct tracepoint_field *script_plan_names_field_of(const struct tracepoint_plan *p,
								 const struct plan_node *n)
{
	const struct plan_node *load = NULL;

	if (n->op == NODE_FLAGS || n->op == NODE_SYMBOLIC)
		load = first_load(p, n->a);
	return load ? script_plan_names_field_at(p->format, load->a) : NULL;
}

static struct named_field named_field_of(const struct tracepoint_plan *p, const struct plan_node *n)
{
	struct named_field f = {
		.is_flags = n->op == NODE_FLAGS, .separator = "", .n = n->c, .first_ = n->b
	};

	if (f.is_flags) {
		const struct plan_string *s = &p->strings.items[n->value];

		f.separator = p->chars.chars + s->offset;
		f.separator_length = s->length;
	}
	return f;
}

bool plan_named_field(const struct tracepoint_plan *p, size_t i, struct named_field *ret)
{
	/* A print fmt whose parsing was abandoned may have nodes without operands. */
	for (size_t k = 0; !p->problem && k < p->nodes.n; k++) {
		const struct tracepoint_field *field =
			script_plan_names_field_of(p, &p->nodes.items[k]);

		if (!field || i-- > 0)
			continue;
		*ret = named_field_of(p, &p->nodes.items[k]);
		ret->field = field;
		return true;
	}
	return false;
}

bool plan_named_field_find(const struct tracepoint_plan *p, const char *name,
			   struct named_field *ret)
{
	for (size_t k = 0; !p->problem && k < p->nodes.n; k++) {
		const struct tracepoint_field *field =
			script_plan_names_field_of(p, &p->nodes.items[k]);

		if (!field || strcmp(field->name, name) != 0)
			continue;
		*ret = named_field_of(p, &p->nodes.items[k]);
		ret->field = field;
		return true;
	}
	return false;
}

struct field_value_name plan_named_value(const struct tracepoint_plan *p,
					 const struct named_field *f, size_t i)
{
	const struct plan_name *name = &p->names.items[f->first_ + i];
	const struct plan_string *s = &p->strings.items[name->string];

	return (struct field_value_name){ .value = name->value,
					  .name = p->chars.chars + s->offset,
					  .length = s->length };
}
