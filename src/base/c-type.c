/* SPDX-License-Identifier: MIT */
#include "base/c-type.h"

#include <string.h>

#include "base/memory.h"
#include "base/text.h"

/* Longer chains are cycles in damaged files. */
#define DEPTH_MAX 64

/* Structures whose parts are in registers do not nest this deep. */
#define PIECE_DEPTH_MAX 16

/* More members than there are at one offset. */
#define PIECE_FIELDS_MAX 1000

#define UNKNOWN_TEXT "(unknown_type)"

static bool is_wrapper(enum c_kind kind)
{
	return kind >= C_TYPEDEF && kind <= C_ATOMIC;
}

const struct c_type *c_type_target(const struct c_type *t)
{
	return t ? t->source->target(t->source, t) : NULL;
}

const struct c_type *c_type_bare(const struct c_type *t)
{
	for (unsigned i = 0; t && is_wrapper(t->kind); i++) {
		if (i == DEPTH_MAX)
			return NULL;
		t = c_type_target(t);
	}
	return t;
}

bool c_type_has_members(const struct c_type *t)
{
	return t && t->kind >= C_STRUCT && t->kind <= C_CLASS;
}

uint64_t c_type_size(const struct c_type *t)
{
	uint64_t elements = 1, size;

	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		t = c_type_bare(t);
		if (!t || t->size || t->kind != C_ARRAY)
			break;
		if (__builtin_mul_overflow(elements, t->count, &elements))
			return 0;
		t = c_type_target(t);
	}
	if (!t)
		return 0;
	size = t->size;
	if (!size && (t->kind == C_POINTER || t->kind == C_REFERENCE))
		size = t->source->pointer_size;
	return __builtin_mul_overflow(size, elements, &size) ? 0 : size;
}

/* Returns the word before the name of a type of @kind; "" for most kinds. */
static const char *c_type_prefix_of(enum c_kind kind)
{
	switch (kind) {
	case C_STRUCT:
		return "struct ";
	case C_UNION:
		return "union ";
	case C_ENUM:
		return "enum ";
	default:
		return "";
	}
}

/*
 * Writes types as Linux's perf does: without qualifiers, and an array as a pointer to its elements.
 * A type without a name makes the whole text unknown, however many pointers lead to it.
 */
char *c_type_text(const struct c_type *t)
{
	struct text stars = TEXT_EMPTY;
	enum c_kind before = C_UNKNOWN;
	char *text = NULL;

	for (unsigned i = 0; t && i < DEPTH_MAX; i++) {
		enum c_kind kind = t->kind;

		if (kind != C_POINTER && kind != C_REFERENCE && kind != C_ARRAY &&
		    (kind < C_CONST || kind == C_ATOMIC))
			break;
		/* An array of arrays gets one star for all its dimensions. */
		if (kind < C_CONST && (kind != C_ARRAY || before != C_ARRAY))
			text_add_char(&stars, '*');
		before = kind;
		t = c_type_target(t);
	}
	if (t && t->kind == C_FUNCTION)
		text = xasprintf("(function_type)%s", stars.chars);
	else if (t && t->name && t->kind != C_ATOMIC)
		text = xasprintf("%s%s%s", c_type_prefix_of(t->kind), t->name, stars.chars);
	text_done(&stars);
	return text ? text : xstrdup(UNKNOWN_TEXT);
}

size_t c_type_fields(const struct c_type *t, const struct c_field **ret)
{
	return c_type_has_members(t) && t->source->fields ? t->source->fields(t->source, t, ret)
							  : 0;
}

static bool c_type_field_has(const struct c_field *f, uint64_t offset)
{
	return offset >= f->offset && offset - f->offset < f->size;
}

/*
 * A search for the member at an offset. There may be many members of members, so at most @left are
 * looked at.
 */
struct piece_search {
	uint64_t size;
	unsigned left;
	const struct c_type *found;
	bool is_ambiguous;
};

static void search_piece(struct piece_search *s, const struct c_type *t, uint64_t offset,
			 unsigned depth);

/*
 * Searches the members of a structure. A tag that is stored in the bytes of a payload (a null
 * pointer for None) is no separate member.
 */
static void search_fields(struct piece_search *s, const struct c_type *bare, uint64_t offset,
			  unsigned depth)
{
	const struct c_field *fields = NULL;
	size_t n = c_type_fields(bare, &fields);

	for (size_t i = 0; i < n && !s->is_ambiguous; i++) {
		if (!c_type_field_has(&fields[i], offset) || (fields[i].is_tag && s->found))
			continue;
		if (fields[i].bit_size)
			s->is_ambiguous = true;
		else
			search_piece(s, fields[i].type, offset - fields[i].offset, depth + 1);
	}
}

static void search_piece(struct piece_search *s, const struct c_type *t, uint64_t offset,
			 unsigned depth)
{
	const struct c_type *bare = c_type_bare(t);

	if (!s->left-- || depth > PIECE_DEPTH_MAX) {
		s->left = 0;
		s->is_ambiguous = true;
	} else if (bare && bare->kind != C_UNION && c_type_has_members(bare)) {
		search_fields(s, bare, offset, depth);
	} else if (!bare || bare->kind == C_UNION || offset || c_type_size(t) != s->size ||
		   (s->found && c_type_bare(s->found) != bare)) {
		s->is_ambiguous = true;
	} else {
		s->found = t;
	}
}

const struct c_type *c_type_piece(const struct c_type *t, uint64_t offset, uint64_t size)
{
	struct piece_search s = { .size = size, .left = PIECE_FIELDS_MAX };

	search_piece(&s, t, offset, 0);
	return s.is_ambiguous ? NULL : s.found;
}

char *c_type_name(const struct c_type *t)
{
	struct text behind = TEXT_EMPTY;
	char *text;

	for (unsigned i = 0; t && i < DEPTH_MAX; i++) {
		if (t->kind == C_ARRAY)
			text_add(&behind, "[]");
		else if (t->kind == C_POINTER || t->kind == C_REFERENCE)
			text_add_char(&behind, '*');
		else if (t->kind < C_CONST)
			break;
		t = c_type_target(t);
	}
	if (!t)
		text = xasprintf("void%s", behind.chars ? behind.chars : "");
	else if (t->kind == C_FUNCTION)
		text = xasprintf("(function_type)%s", behind.chars ? behind.chars : "");
	else
		text = xasprintf("%s%s%s", c_type_prefix_of(t->kind), t->name ? t->name : "",
				 behind.chars ? behind.chars : "");
	text_done(&behind);
	return text;
}

static bool set_unit(struct c_member *m, uint64_t bit, unsigned bit_size, uint64_t start,
		     unsigned unit)
{
	if (bit + bit_size > start + unit)
		return false;
	m->offset = start / 8;
	m->bit_offset = (unsigned)(bit - start);
	m->bit_size = bit_size;
	m->bit_unit = unit;
	return true;
}

bool c_member_set_bits(struct c_member *m, uint64_t bit, unsigned bit_size, uint64_t unit_bytes)
{
	unsigned unit = (unsigned)unit_bytes * 8;

	if (bit > INT64_MAX)
		return false;
	if ((unit == 8 || unit == 16 || unit == 32 || unit == 64) &&
	    set_unit(m, bit, bit_size, bit / unit * unit, unit))
		return true;
	/* A packed bit field may cross the boundary of its unit. */
	for (unit = 8; unit <= 64; unit *= 2)
		if (set_unit(m, bit, bit_size, bit / 8 * 8, unit))
			return true;
	return false;
}
