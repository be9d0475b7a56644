/* SPDX-License-Identifier: MIT */
#include "types/object.h"

#include "base/c-type.h"
#include "base/text.h"

/* Deeper than structures are nested. */
#define DEPTH_MAX 32

/* A larger structure is not taken for an element of an array, unless its index says so. */
#define ARRAY_ELEMENT_MAX 1024

static int64_t wrap(int64_t offset, uint64_t size)
{
	int64_t rest = offset % (int64_t)size;

	return rest < 0 ? rest + (int64_t)size : rest;
}

/* Elements of arrays of arrays, too. */
static bool enter_array(struct object_place *p)
{
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		const struct c_type *bare = c_type_bare(p->type), *inner;
		uint64_t size;

		if (!bare || bare->kind != C_ARRAY)
			return true;
		inner = c_type_target(bare);
		size = c_type_size(inner);
		if (!size || size > INT32_MAX)
			return false;
		p->type = inner;
		p->offset = wrap(p->offset, size);
	}
	return false;
}

/* An array without a size, as the last member of a structure may be. */
static bool is_flexible(const struct c_type *t)
{
	const struct c_type *bare = c_type_bare(t);

	return bare && bare->kind == C_ARRAY && !c_type_size(bare);
}

static bool field_has(const struct c_field *f, int64_t offset)
{
	return offset >= (int64_t)f->offset &&
	       ((uint64_t)offset - f->offset < f->size || (!f->bit_size && is_flexible(f->type)));
}

/* The same, or an array of one element, which was written for it before C99. */
static bool is_open_ended(const struct c_type *t)
{
	const struct c_type *bare = c_type_bare(t);

	return is_flexible(t) || (bare && bare->kind == C_ARRAY && bare->count == 1);
}

/* Moves @p, a structure, to what its flexible array has behind its end. */
static bool enter_flexible(struct object_place *p)
{
	const struct c_field *fields = NULL, *last;
	size_t n = c_type_fields(c_type_bare(p->type), &fields);

	last = n ? &fields[n - 1] : NULL;
	if (!last || p->offset < (int64_t)last->offset || !is_open_ended(last->type))
		return false;
	p->type = last->type;
	p->offset -= (int64_t)last->offset;
	return enter_array(p);
}

/* Is what lies at @offset of @t an array whose elements are @stride apart? */
static bool has_array(const struct c_type *t, int64_t offset, uint64_t stride, unsigned depth)
{
	const struct c_type *bare = c_type_bare(t);
	const struct c_field *fields = NULL;
	struct object_place inner = { .type = t, .offset = offset };
	size_t n;

	if (!bare || depth > DEPTH_MAX)
		return false;
	if (bare->kind == C_ARRAY) {
		uint64_t size;

		if (!enter_array(&inner))
			return false;
		size = c_type_size(inner.type);
		return stride == 1 || stride % size == 0 ||
		       has_array(inner.type, inner.offset, stride, depth + 1);
	}
	n = c_type_has_members(bare) ? c_type_fields(bare, &fields) : 0;
	for (size_t i = 0; i < n; i++)
		if (field_has(&fields[i], offset) &&
		    has_array(fields[i].type, offset - (int64_t)fields[i].offset, stride,
			      depth + 1))
			return true;
	return false;
}

/*
 * A structure with an index: of an array of it, or of one in it. An index of which nothing is known
 * is taken for the latter where there is one.
 */
static enum object_result settle_index(struct object_place *p, uint64_t stride)
{
	uint64_t size = c_type_size(p->type);
	bool is_inside = p->offset >= 0 && (uint64_t)p->offset < size;

	if (!is_inside && enter_flexible(p))
		return OBJECT_FOUND;
	if (stride % size == 0) {
		p->offset = wrap(p->offset, size);
		return OBJECT_FOUND;
	}
	if (is_inside && has_array(p->type, p->offset, stride, 0))
		return OBJECT_FOUND;
	if (stride != 1 || size > ARRAY_ELEMENT_MAX)
		return OBJECT_BAD_OFFSET;
	p->offset = wrap(p->offset, size);
	return OBJECT_FOUND;
}

enum object_result object_place_settle(struct object_place *p, uint64_t stride)
{
	const struct c_type *bare = c_type_bare(p->type);
	uint64_t size = c_type_size(p->type);
	bool is_array = bare && bare->kind == C_ARRAY;

	if (!bare || bare->kind == C_VOID || bare->kind == C_FUNCTION || bare->kind == C_UNKNOWN)
		return OBJECT_NO_TYPE;
	if (!is_array && !size)
		return OBJECT_NO_TYPE;
	if (!enter_array(p))
		return OBJECT_NO_TYPE;
	size = c_type_size(p->type);
	if (!size || size > INT32_MAX)
		return OBJECT_NO_TYPE;
	if (!c_type_has_members(c_type_bare(p->type))) {
		/* p[3] of a pointer to a number is usual. */
		p->offset = wrap(p->offset, size);
		return OBJECT_FOUND;
	}
	if (stride)
		return settle_index(p, stride);
	/* Beyond a structure it is container_of(), or what the structure is the beginning of. */
	return (p->offset >= 0 && (uint64_t)p->offset < size) || enter_flexible(p)
		       ? OBJECT_FOUND
		       : OBJECT_BAD_OFFSET;
}

static bool leads_somewhere(struct held h)
{
	return h.kind == HELD_POINTER && c_type_bare(h.type);
}

/* Of the members of a union a pointer leads on, unless another one leads elsewhere. */
static bool are_rivals(struct held a, struct held b)
{
	return leads_somewhere(a) && leads_somewhere(b) &&
	       c_type_bare(a.type) != c_type_bare(b.type);
}

/* @is_torn: members of a union lead to different types. */
static struct held held_at(const struct c_type *t, int64_t offset, uint64_t size, unsigned depth,
			   bool *is_torn)
{
	const struct c_type *bare = c_type_bare(t);
	struct object_place inner = { .type = t, .offset = offset };
	const struct c_field *fields = NULL;
	struct held found = { .kind = HELD_UNKNOWN };
	size_t n;

	if (!bare || depth > DEPTH_MAX)
		return found;
	if (bare->kind == C_ARRAY && enter_array(&inner))
		return held_at(inner.type, inner.offset, size, depth + 1, is_torn);
	if (!c_type_has_members(bare))
		return offset == 0 && size >= c_type_size(bare) ? held_of_type(t) : found;
	n = c_type_fields(bare, &fields);
	for (size_t i = 0; i < n; i++) {
		struct held h;

		if (!field_has(&fields[i], offset))
			continue;
		h = held_at(fields[i].type, offset - (int64_t)fields[i].offset, size, depth + 1,
			    is_torn);
		*is_torn |= are_rivals(found, h);
		if (h.kind != HELD_UNKNOWN && (found.kind != HELD_POINTER || leads_somewhere(h)))
			found = h;
	}
	return found;
}

struct held object_held(const struct object_place *p, uint64_t size)
{
	bool is_torn = false;
	struct held h = held_at(p->type, p->offset, size, 0, &is_torn);

	return is_torn ? (struct held){ .kind = HELD_UNKNOWN } : h;
}

void object_field_text(const struct object_place *p, struct text *out)
{
	const struct c_type *t = c_type_bare(p->type);
	int64_t offset = p->offset;
	bool any = false;

	for (unsigned depth = 0; depth < DEPTH_MAX && c_type_has_members(t); depth++) {
		const struct c_field *fields = NULL, *found = NULL;
		size_t n = c_type_fields(t, &fields);

		for (size_t i = 0; i < n && !found; i++)
			if (offset >= (int64_t)fields[i].offset &&
			    (uint64_t)offset - fields[i].offset < fields[i].size)
				found = &fields[i];
		if (!found)
			return;
		if (found->name) {
			text_addf(out, "%s%s", any ? "." : "", found->name);
			if (found->bit_size)
				text_addf(out, ":%u", found->bit_size);
			any = true;
		}
		offset -= (int64_t)found->offset;
		t = c_type_bare(found->type);
	}
}
