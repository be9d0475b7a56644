/* SPDX-License-Identifier: MIT */
#include "code/types/object.h"

#include "base/c-type.h"
#include "base/text.h"

/* Structures do not nest deeper than this. */
#define DEPTH_MAX 32

/*
 * The limit on members that are looked at to answer one question: types of damaged files may have
 * any number at an offset, as may unions in unions.
 */
#define FIELDS_MAX 4096

/* A larger structure is not treated as an element of an array, unless its index shows it. */
#define ARRAY_ELEMENT_MAX 1024

static int64_t object_wrap(int64_t offset, uint64_t size)
{
	int64_t rest = offset % (int64_t)size;

	return rest < 0 ? rest + (int64_t)size : rest;
}

/* Moves @p to the element of an array, also of an array of arrays. */
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
		p->offset = object_wrap(p->offset, size);
	}
	return false;
}

/* True for an array without a size, as the last member of a structure may be. */
static bool is_flexible(const struct c_type *t)
{
	const struct c_type *bare = c_type_bare(t);

	return bare && bare->kind == C_ARRAY && !c_type_size(bare);
}

static bool object_field_has(const struct c_field *f, int64_t offset)
{
	return offset >= (int64_t)f->offset &&
	       ((uint64_t)offset - f->offset < f->size || (!f->bit_size && is_flexible(f->type)));
}

/* True for the same, or for an array of one element, its form before C99. */
static bool is_open_ended(const struct c_type *t)
{
	const struct c_type *bare = c_type_bare(t);

	return is_flexible(t) || (bare && bare->kind == C_ARRAY && bare->count == 1);
}

/* Moves @p, a structure, to the elements of its flexible array after its end. */
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

/* Subtracts one from @left; false: none is left. */
static bool object_take_one(unsigned *left)
{
	if (*left)
		--*left;
	return *left;
}

/* True if an array whose elements are @stride apart is at @offset of @t. */
static bool has_array(const struct c_type *t, int64_t offset, uint64_t stride, unsigned depth,
		      unsigned *left)
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
		       has_array(inner.type, inner.offset, stride, depth + 1, left);
	}
	n = c_type_has_members(bare) ? c_type_fields(bare, &fields) : 0;
	for (size_t i = 0; i < n && object_take_one(left); i++)
		if (object_field_has(&fields[i], offset) &&
		    has_array(fields[i].type, offset - (int64_t)fields[i].offset, stride, depth + 1,
			      left))
			return true;
	return false;
}

/*
 * True if @t has a member, at any offset, to which an index that is a multiple of @stride can
 * belong.
 */
static bool has_array_anywhere(const struct c_type *t, uint64_t stride, unsigned depth,
			       unsigned *left)
{
	const struct c_type *bare = c_type_bare(t);
	const struct c_field *fields = NULL;
	uint64_t size;
	size_t n;

	if (!bare || depth > DEPTH_MAX)
		return false;
	if (bare->kind == C_ARRAY) {
		size = c_type_size(c_type_target(bare));
		return !size || stride % size == 0 ||
		       has_array_anywhere(c_type_target(bare), stride, depth + 1, left);
	}
	n = c_type_has_members(bare) ? c_type_fields(bare, &fields) : 0;
	for (size_t i = 0; i < n; i++)
		if (!object_take_one(left) ||
		    has_array_anywhere(fields[i].type, stride, depth + 1, left))
			return true;
	return false;
}

/*
 * True if an index that is only known to be a multiple of @stride belongs to an array of @t: `p[i]`
 * of 56 bytes may be computed as `(i * 8 - i) * 8`. It does unless it may belong to an array in @t.
 */
static bool divides_element(const struct c_type *t, uint64_t stride)
{
	unsigned left = FIELDS_MAX;

	return c_type_size(t) % stride == 0 && !has_array_anywhere(t, stride, 0, &left);
}

/*
 * Settles a structure with an index: the index is that of an array of it, or of one in it. An index
 * of which nothing is known is treated as the latter if there is one.
 */
static enum object_result settle_index(struct object_place *p, uint64_t stride)
{
	uint64_t size = c_type_size(p->type);
	bool is_inside = p->offset >= 0 && (uint64_t)p->offset < size;
	unsigned left = FIELDS_MAX;

	if (!is_inside && enter_flexible(p))
		return OBJECT_FOUND;
	if (stride % size == 0) {
		p->offset = object_wrap(p->offset, size);
		return OBJECT_FOUND;
	}
	if (is_inside && has_array(p->type, p->offset, stride, 0, &left))
		return OBJECT_FOUND;
	if (size > ARRAY_ELEMENT_MAX || (stride != 1 && !divides_element(p->type, stride)))
		return OBJECT_BAD_OFFSET;
	p->offset = object_wrap(p->offset, size);
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
		/* p[3] through a pointer to a number is usual. */
		p->offset = object_wrap(p->offset, size);
		return OBJECT_FOUND;
	}
	if (stride)
		return settle_index(p, stride);
	/*
	 * An access beyond a structure is container_of(), or the structure is the beginning of a
	 * larger one.
	 */
	return (p->offset >= 0 && (uint64_t)p->offset < size) || enter_flexible(p)
		       ? OBJECT_FOUND
		       : OBJECT_BAD_OFFSET;
}

static bool leads_somewhere(struct held h)
{
	return h.kind == HELD_POINTER && c_type_bare(h.type);
}

/*
 * True if two members of a union both are pointers, to different types. Otherwise the one that is a
 * pointer counts.
 */
static bool are_rivals(struct held a, struct held b)
{
	return leads_somewhere(a) && leads_somewhere(b) &&
	       c_type_bare(a.type) != c_type_bare(b.type);
}

struct held_search {
	uint64_t size;
	unsigned left; /* limit on members that may still be looked at */
	bool is_torn;  /* members of a union lead to different types */
};

static struct held held_at(struct held_search *s, const struct c_type *t, int64_t offset,
			   unsigned depth)
{
	const struct c_type *bare = c_type_bare(t);
	struct object_place inner = { .type = t, .offset = offset };
	const struct c_field *fields = NULL;
	struct held found = { .kind = HELD_UNKNOWN };
	size_t n;

	if (!bare || depth > DEPTH_MAX)
		return found;
	if (bare->kind == C_ARRAY && enter_array(&inner))
		return held_at(s, inner.type, inner.offset, depth + 1);
	if (!c_type_has_members(bare))
		return offset == 0 && s->size >= c_type_size(bare) ? held_of_type(t) : found;
	n = c_type_fields(bare, &fields);
	for (size_t i = 0; i < n; i++) {
		struct held h;

		if (!object_take_one(&s->left)) {
			s->is_torn = true;
			return found;
		}
		if (!object_field_has(&fields[i], offset))
			continue;
		h = held_at(s, fields[i].type, offset - (int64_t)fields[i].offset, depth + 1);
		s->is_torn |= are_rivals(found, h);
		if (h.kind != HELD_UNKNOWN && (found.kind != HELD_POINTER || leads_somewhere(h)))
			found = h;
	}
	return found;
}

struct held object_held(const struct object_place *p, uint64_t size)
{
	struct held_search s = { .size = size, .left = FIELDS_MAX };
	struct held h = held_at(&s, p->type, p->offset, 0);

	return s.is_torn ? (struct held){ .kind = HELD_UNKNOWN } : h;
}

/* The match of a member with an access at an offset of it, the best last. */
enum field_fit {
	FIT_NONE,
	FIT_INSIDE, /* the access is somewhere in it */
	FIT_BEGINS, /* a member without members begins there */
	FIT_SIZE,   /* the same, and it has the size of the access */
};

static enum field_fit field_fit(const struct c_field *f, int64_t offset, uint64_t size,
				unsigned depth, unsigned *left);

/*
 * Returns the best match in @t at @offset for an access of @size bytes; 0: the size is not known.
 */
static enum field_fit type_fit(const struct c_type *t, int64_t offset, uint64_t size,
			       unsigned depth, unsigned *left)
{
	const struct c_type *bare = c_type_bare(t);
	struct object_place inner = { .type = t, .offset = offset };
	const struct c_field *fields = NULL;
	enum field_fit best = FIT_INSIDE;
	size_t n;

	if (!bare || depth > DEPTH_MAX)
		return FIT_INSIDE;
	if (bare->kind == C_ARRAY)
		return enter_array(&inner)
			       ? type_fit(inner.type, inner.offset, size, depth + 1, left)
			       : FIT_INSIDE;
	if (!c_type_has_members(bare))
		return offset ? FIT_INSIDE : c_type_size(t) == size ? FIT_SIZE : FIT_BEGINS;
	n = c_type_fields(bare, &fields);
	for (size_t i = 0; i < n && best < FIT_SIZE && object_take_one(left); i++) {
		enum field_fit fit = field_fit(&fields[i], offset, size, depth + 1, left);

		best = fit > best ? fit : best;
	}
	return best;
}

/*
 * Returns the match of a field. A bit field begins with the first of its bytes, and is as large as
 * the bytes that contain its bits.
 */
static enum field_fit field_fit(const struct c_field *f, int64_t offset, uint64_t size,
				unsigned depth, unsigned *left)
{
	int64_t inside = offset - (int64_t)f->offset;

	if (inside < 0 || (uint64_t)inside >= f->size)
		return FIT_NONE;
	if (f->bit_size)
		return inside ? FIT_INSIDE : f->size == size ? FIT_SIZE : FIT_BEGINS;
	return type_fit(f->type, inside, size, depth, left);
}

static bool is_other_variant(const struct c_field *a, const struct c_field *b)
{
	return a->variant && b->variant && a->variant != b->variant;
}

/*
 * Returns the first of the fields that match best: the fourth byte of `union { long l; char b[8];
 * }` is in b. NULL: none contains @offset, or fields of several variants match equally well.
 */
static const struct c_field *object_field_at(const struct c_type *t, int64_t offset, uint64_t size)
{
	const struct c_field *fields = NULL, *found = NULL;
	size_t n = c_type_fields(t, &fields);
	enum field_fit best = FIT_NONE;
	unsigned left = FIELDS_MAX;
	bool is_ambiguous = false;

	for (size_t i = 0; i < n; i++) {
		const struct c_field *f = &fields[i];
		enum field_fit fit = field_fit(f, offset, size, 0, &left);

		if (fit > best) {
			best = fit;
			found = f;
			is_ambiguous = false;
		} else if (fit == best && found && is_other_variant(f, found)) {
			is_ambiguous = true;
		}
	}
	return is_ambiguous ? NULL : found;
}

void object_field_text(const struct object_place *p, uint64_t size, struct text *out)
{
	const struct c_type *t = c_type_bare(p->type);
	int64_t offset = p->offset;
	bool any = false;

	for (unsigned depth = 0; depth < DEPTH_MAX && c_type_has_members(t); depth++) {
		const struct c_field *found = object_field_at(t, offset, size);

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
