/* SPDX-License-Identifier: MIT */
/* Follows members and indexes: computes the location of `a->b.c[3]` from that of `a`. */
#include <errno.h>
#include <inttypes.h>

#include "base/c-type.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "probe/fetch-value.h"
#include "probe/probe-def.h"

struct fetch_value fetch_value_of(const struct debug_variable *v)
{
	struct fetch_value value = {
		.name = v->name,
		.type = v->type,
		.at = v->place,
		.variable = v->n_pieces ? v : NULL,
		.own_steps = v->place.n_steps,
	};

	if (v->is_declared) {
		value.symbol = v->name;
		value.own_steps = 1;
		value.at = (struct variable_place){
			.where = VARIABLE_MEMORY,
			.is_static = true,
			.n_steps = 1,
		};
	}
	return value;
}

/* Changes the location to what the value points to. */
static int fetch_follow_dereference(const struct fetch *f, const struct probe_field *field,
				    struct fetch_value *v)
{
	struct variable_place *at = &v->at;

	v->variable = NULL;
	if (v->in_register || v->bit_size)
		return probe_def_mark(f->def, field->where, -EINVAL, f->diag,
				      "the kernel cannot follow a pointer that is a part of a "
				      "register");
	switch (at->where) {
	case VARIABLE_REGISTER:
		at->steps[0] = 0;
		at->n_steps = 1;
		break;
	case VARIABLE_MEMORY:
		if (at->n_steps == VARIABLE_STEPS_MAX)
			return probe_def_mark(f->def, field->where, -EINVAL, f->diag,
					      "the kernel cannot follow so many pointers");
		at->steps[at->n_steps++] = 0;
		break;
	case VARIABLE_ADDRESS:
		break;
	default:
		return fetch_value_refuse(f, v);
	}
	at->where = VARIABLE_MEMORY;
	return 0;
}

int fetch_value_pointee(const struct fetch *f, struct fetch_value *v)
{
	return fetch_follow_dereference(f, &(struct probe_field){ .where = f->arg->where }, v);
}

/*
 * Chooses the piece that holds the bytes [@offset, @offset + @size) of a variable in several
 * pieces.
 */
static bool choose_piece(struct fetch_value *v, uint64_t offset, uint64_t size)
{
	for (size_t i = 0; i < v->variable->n_pieces; i++) {
		const struct variable_place *p = &v->variable->pieces[i];

		if (offset < p->offset || offset + size > p->offset + p->size)
			continue;
		v->at = *p;
		v->own_steps = p->n_steps;
		v->in_register = offset - p->offset;
		return true;
	}
	return false;
}

/* Moves the location by @offset bytes. */
static int fetch_follow_advance(const struct fetch *f, const struct probe_field *field,
				struct fetch_value *v, int64_t offset, uint64_t size)
{
	if (v->variable && !choose_piece(v, (uint64_t)offset, size))
		return probe_def_mark(f->def, field->where, -ENODATA, f->diag,
				      "this part of '%s' has no place here", v->name);
	if (v->variable)
		offset = (int64_t)v->in_register;
	switch (v->at.where) {
	case VARIABLE_MEMORY:
		v->at.steps[v->at.n_steps - 1] += offset;
		v->in_register = 0;
		return 0;
	case VARIABLE_REGISTER:
		if (!v->variable)
			v->in_register += (uint64_t)offset;
		return 0;
	case VARIABLE_CONSTANT:
		if (offset < 8)
			v->at.value >>= 8 * offset;
		v->in_register = 0;
		return 0;
	default:
		return fetch_value_refuse(f, v);
	}
}

static int refuse_member(const struct fetch *f, const struct probe_field *field,
			 const struct c_type *structure)
{
	struct similar near = { .typed = field->name };
	_cleanup_(freep) char *text = c_type_text(structure);
	int r = probe_def_mark(f->def, field->where, -EINVAL, f->diag, "'%s' has no member '%s'",
			       text, field->name);

	structure->source->suggest(structure->source, structure, &near);

	_cleanup_(freep) char *phrase = similar_phrase(&near);

	if (phrase)
		diag_hint(f->diag, "did you mean %s?", phrase);
	if (!structure->size)
		diag_hint(f->diag, "the source file of this function only declares it");
	return r;
}

/* Checks that '.' and '->' are used as in C. */
static int check_sign(const struct fetch *f, const struct probe_field *field,
		      const struct c_type *type)
{
	bool is_pointer = type->kind == C_POINTER || type->kind == C_ARRAY;

	if (type->kind == C_ARRAY && !field->is_arrow)
		return probe_def_mark(f->def, field->where, -EINVAL, f->diag,
				      "what is before it is an array: write '[0].%s'", field->name);
	if (is_pointer && !field->is_arrow)
		return probe_def_mark(f->def, field->where, -EINVAL, f->diag,
				      "this follows a pointer: write '->%s'", field->name);
	if (!is_pointer && field->is_arrow)
		return probe_def_mark(f->def, field->where, -EINVAL, f->diag,
				      "this is inside of what is before it: write '.%s'",
				      field->name);
	return 0;
}

/* Returns the structure that a pointer or an array leads to, or NULL. */
static const struct c_type *structure_of(const struct c_type *type)
{
	if (type->kind == C_POINTER || type->kind == C_ARRAY || type->kind == C_REFERENCE)
		type = c_type_bare(c_type_target(type));
	return c_type_has_members(type) ? type : NULL;
}

static int follow_member(const struct fetch *f, const struct probe_field *field,
			 struct fetch_value *v)
{
	const struct c_type *type = c_type_bare(v->type);
	const struct c_type *structure = type ? structure_of(type) : NULL;
	struct c_member m;
	int r;

	if (!structure) {
		_cleanup_(freep) char *text = c_type_text(v->type);

		return probe_def_mark(f->def, field->where, -EINVAL, f->diag,
				      "what is before it is of the type '%s', which has no members",
				      text);
	}
	r = check_sign(f, field, type);
	if (r < 0)
		return r;
	if (!structure->source->member(structure->source, structure, field->name, &m))
		return refuse_member(f, field, structure);
	if (type->kind == C_POINTER || type->kind == C_REFERENCE)
		r = fetch_follow_dereference(f, field, v);
	if (r >= 0)
		r = fetch_follow_advance(f, field, v, (int64_t)m.offset,
					 m.bit_size ? m.bit_unit / 8 : c_type_size(m.type));
	if (r < 0)
		return r;
	v->type = m.type;
	v->bit_offset = m.bit_offset;
	v->bit_size = m.bit_size;
	v->bit_unit = m.bit_unit;
	return 0;
}

static int follow_index(const struct fetch *f, const struct probe_field *field,
			struct fetch_value *v)
{
	const struct c_type *type = c_type_bare(v->type);
	bool is_pointer = type && type->kind == C_POINTER;
	const struct c_type *element;
	uint64_t size;
	int64_t offset;
	int r = 0;

	if (!is_pointer && (!type || type->kind != C_ARRAY)) {
		_cleanup_(freep) char *text = c_type_text(v->type);

		return probe_def_mark(f->def, field->where, -EINVAL, f->diag,
				      "what is before it is a %s, not an array or pointer", text);
	}
	element = c_type_target(type);
	size = c_type_size(element);
	if (!size || size > INT32_MAX || __builtin_mul_overflow(field->index, size, &offset))
		return probe_def_mark(f->def, field->where, -EINVAL, f->diag,
				      "the size of its elements is not known");
	if (is_pointer)
		r = fetch_follow_dereference(f, field, v);
	if (r >= 0)
		r = fetch_follow_advance(f, field, v, offset, size);
	v->type = element;
	return r;
}

int fetch_value_follow(const struct fetch *f, struct fetch_value *v)
{
	for (size_t i = 0; i < f->arg->n_fields; i++) {
		const struct probe_field *field = &f->arg->fields[i];
		int r = field->name ? follow_member(f, field, v) : follow_index(f, field, v);

		if (r < 0)
			return r;
	}
	return 0;
}
