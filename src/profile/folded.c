/* SPDX-License-Identifier: MIT */
#include "profile/folded.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/folded-line.h"
#include "base/memory.h"
#include "base/text.h"

#define SUFFIX_LENGTH 4

static const struct {
	const char *suffix;
	enum flame_kind kind;
} suffixes[] = {
	{ "_[k]", FLAME_KERNEL },
	{ "_[i]", FLAME_INLINED },
	{ "_[j]", FLAME_JIT },
	{ "_[w]", FLAME_WAKER },
};

void folded_name_add(struct text *t, const char *name, bool is_task)
{
	size_t from = t->length;

	escape_terminal(t, name, strlen(name));
	for (size_t i = from; i < t->length; i++)
		if (t->chars[i] == ';')
			t->chars[i] = ':';
		else if (is_task && t->chars[i] == ' ')
			t->chars[i] = '_';
}

const char *folded_suffix(enum flame_kind kind)
{
	if (kind >= FLAME_LANGUAGES)
		kind = FLAME_JIT;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (suffixes[i].kind == kind)
			return suffixes[i].suffix;
	return "";
}

struct folded_reader {
	struct flame_builder *b;
	/*
	 * The name of a function may end in a number. So while all lines end in two numbers, they
	 * are read both ways. @pairs becomes NULL at the first line that has only one number.
	 */
	struct flame_builder *pairs;
	enum flame_side side;
	bool reverse;
	struct text line; /* the beginning of an incomplete line */
	bool is_too_long; /* the incomplete line is too long and is skipped */
	uint64_t n_seen;  /* number of lines of all kinds */
	struct text name; /* a copy that ends in a NUL */
	struct {
		struct folded_part {
			const char *chars;
			size_t n;
		} * items; /* the parts of the current line */
		size_t n, room;
	} parts;
	struct folded_facts facts;
};

struct folded_reader *folded_reader_new(struct flame_builder *b, enum flame_side side,
					bool may_compare, bool reverse)
{
	struct folded_reader *r = xcalloc(1, sizeof(*r));

	*r = (struct folded_reader){
		.b = b,
		.pairs = may_compare ? flame_builder_new("all") : NULL,
		.side = side,
		.reverse = reverse,
		.line = TEXT_EMPTY,
		.name = TEXT_EMPTY,
	};
	return r;
}

static void drop_pairs(struct folded_reader *r)
{
	flame_builder_free(r->pairs);
	r->pairs = NULL;
}

void folded_reader_free(struct folded_reader *r)
{
	if (!r)
		return;
	flame_builder_free(r->b);
	drop_pairs(r);
	text_done(&r->line);
	text_done(&r->name);
	free(r->parts.items);
	free(r);
}

static void folded_refuse(struct folded_reader *r, const char *why)
{
	if (!r->facts.n_bad++) {
		r->facts.first_bad = r->n_seen;
		r->facts.why = why;
	}
}

/* Cuts the suffix for the kind off the name. */
static enum flame_kind take_kind(struct text *name, bool is_first)
{
	char *end = name->chars + name->length - SUFFIX_LENGTH;

	for (size_t i = 0; name->length > SUFFIX_LENGTH && i < ARRAY_SIZE(suffixes); i++)
		if (!memcmp(end, suffixes[i].suffix, SUFFIX_LENGTH)) {
			text_filled(name, end);
			return suffixes[i].kind;
		}
	if (name->chars[0] == '[')
		return FLAME_UNKNOWN;
	return is_first ? FLAME_TASK : FLAME_USER;
}

static uint32_t folded_add_part(struct folded_reader *r, struct flame_builder *b, uint32_t box,
				struct folded_part part, bool is_first)
{
	enum flame_kind kind;

	text_clear(&r->name);
	text_add_bytes(&r->name, part.chars, part.n);
	kind = take_kind(&r->name, is_first);
	return flame_builder_box(b, box, flame_builder_text(b, r->name.chars),
				 flame_builder_text(b, ""), kind);
}

static uint32_t folded_add_stack(struct folded_reader *r, struct flame_builder *b, const char *s,
				 size_t n)
{
	const char *end = s + n, *frame;
	uint32_t box = 0;
	size_t length;

	r->parts.n = 0;
	while ((frame = folded_next_frame(&s, end, &length)))
		*ARRAY_ADD(&r->parts) = (struct folded_part){ frame, length };
	for (size_t i = 0; i < r->parts.n; i++) {
		size_t at = r->reverse ? r->parts.n - 1 - i : i;

		box = folded_add_part(r, b, box, r->parts.items[at], !at);
	}
	r->facts.has_functions |= r->parts.n > 1;
	return box;
}

static void take_pair(struct folded_reader *r, const char *s, size_t n, uint64_t after)
{
	uint64_t before;
	uint32_t box;

	if (!folded_take_count(s, &n, &before)) {
		drop_pairs(r);
		return;
	}
	box = folded_add_stack(r, r->pairs, s, n);
	flame_builder_weigh(r->pairs, box, FLAME_BEFORE, before);
	flame_builder_weigh(r->pairs, box, FLAME_AFTER, after);
}

/* Takes a line without its end. */
static void profile_folded_take_line(struct folded_reader *r, const char *s, size_t n)
{
	uint64_t count;

	r->n_seen++;
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	if (!n || *s == '#')
		return;
	if (n > FOLDED_LINE_MAX) {
		folded_refuse(r, "it is too long");
	} else if (memchr(s, '\0', n)) {
		folded_refuse(r, "it has a NUL byte");
	} else if (!folded_take_count(s, &n, &count)) {
		folded_refuse(r, "it does not end in a count");
	} else if (strspn(s, ";") >= n) {
		folded_refuse(r, "it names no function");
	} else {
		if (r->pairs)
			take_pair(r, s, n, count);
		flame_builder_weigh(r->b, folded_add_stack(r, r->b, s, n), r->side, count);
		r->facts.n_lines++;
	}
}

/* Takes the kept line, with the rest of it, or its remainder at the end. */
static void take_kept(struct folded_reader *r)
{
	if (r->is_too_long) {
		r->n_seen++;
		folded_refuse(r, "it is too long");
	} else {
		profile_folded_take_line(r, r->line.chars, r->line.length);
	}
	text_clear(&r->line);
	r->is_too_long = false;
}

static void folded_keep(struct folded_reader *r, const char *bytes, size_t n)
{
	r->is_too_long |= n > FOLDED_LINE_MAX - r->line.length;
	if (!r->is_too_long)
		text_add_bytes(&r->line, bytes, n);
}

void folded_reader_take(struct folded_reader *r, const char *bytes, size_t n)
{
	while (n) {
		const char *end = memchr(bytes, '\n', n);
		size_t length = end ? (size_t)(end - bytes) : n;

		if (!end || r->line.length || r->is_too_long)
			folded_keep(r, bytes, length);
		if (end && (r->line.length || r->is_too_long))
			take_kept(r);
		else if (end)
			profile_folded_take_line(r, bytes, length);
		bytes += length + !!end;
		n -= length + !!end;
	}
}

struct flame_builder *folded_reader_end(struct folded_reader *r, struct folded_facts *ret)
{
	if (r->line.length || r->is_too_long)
		take_kept(r);
	r->facts.is_comparison = r->pairs && r->facts.n_lines;
	*ret = r->facts;
	return r->facts.is_comparison ? TAKE(r->pairs) : TAKE(r->b);
}
