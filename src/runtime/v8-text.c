/* SPDX-License-Identifier: MIT */
/* Objects of V8's heap, and texts among them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runtime/memory.h"
#include "runtime/v8.h"

/* Parts of the types of texts. */
#define TYPE_NOT_TEXT    0xff80
#define TYPE_SHAPE       7
#define TYPE_IS_ONE_BYTE 8
#define TYPE_IS_UNCACHED 16
#define SHAPE_PLAIN      0
#define SHAPE_CONS       1
#define SHAPE_EXTERNAL   2
#define SHAPE_SLICED     3
#define SHAPE_THIN       5

/* The characters of an external text: right after its resource. */
#define EXTERNAL_DATA 8

/* Parts of a text: that wait at a time, and in all. */
#define DEPTH_MAX 32
#define PARTS_MAX 2048

#define BYTES_MAX      (4u << 20)
#define CHARACTERS_MAX (64u << 20)
#define PART           (1u << 20)

bool v8_is_object(uint64_t word)
{
	return (word & 3) == 1 && word > 0xffff && word >> 52 == 0;
}

int v8_word(const struct v8_reader *r, uint64_t object, uint64_t offset, uint64_t *ret)
{
	return v8_is_object(object) ? memory_u64(r->pid, object - 1 + offset, ret) : -EPROTO;
}

int v8_u32(const struct v8_reader *r, uint64_t object, uint64_t offset, uint32_t *ret)
{
	return v8_is_object(object) ? memory_u32(r->pid, object - 1 + offset, ret) : -EPROTO;
}

int v8_small(const struct v8_reader *r, uint64_t object, uint64_t offset, int32_t *ret)
{
	uint64_t word;
	int e = v8_word(r, object, offset, &word);

	if (e < 0)
		return e;
	if ((uint32_t)word)
		return -EPROTO;
	*ret = (int32_t)(word >> 32);
	return 0;
}

int v8_type_of(const struct v8_reader *r, uint64_t object, uint16_t *ret)
{
	uint64_t map;
	int e = v8_word(r, object, 0, &map);

	if (e < 0)
		return e;
	if (!v8_is_object(map))
		return -EPROTO;
	return memory_read(r->pid, map - 1 + r->layout->map_type, ret, sizeof(*ret));
}

int v8_expect(const struct v8_reader *r, uint64_t object, uint16_t type)
{
	uint16_t found;
	int e = v8_type_of(r, object, &found);

	return e < 0 ? e : found == type ? 0 : -EPROTO;
}

int v8_bytes(const struct v8_reader *r, uint64_t object, uint8_t **ret, size_t *ret_size)
{
	const struct v8_layout *y = r->layout;
	_cleanup_(freep) uint8_t *bytes = NULL;
	uint16_t type;
	int32_t size;
	int e;

	if (!v8_is_object(object))
		return -ENODATA;
	e = v8_type_of(r, object, &type);
	if (e < 0)
		return e;
	if (type != y->byte_array_type && (!y->trusted_bytes_type || type != y->trusted_bytes_type))
		return -ENODATA;
	e = v8_small(r, object, V8_ARRAY_LENGTH, &size);
	if (e < 0)
		return e;
	if (size < 0 || (uint32_t)size > BYTES_MAX)
		return -EPROTO;
	bytes = xcalloc(1, (size_t)size + 1);
	e = memory_read(r->pid, object - 1 + V8_ARRAY_START, bytes, (size_t)size);
	if (e < 0)
		return e;
	*ret = TAKE(bytes);
	*ret_size = (size_t)size;
	return 0;
}

bool v8_is_text(uint16_t type)
{
	return !(type & TYPE_NOT_TEXT);
}

/* A text, or a part of one, whose characters are side by side. */
struct v8_characters {
	uint64_t addr;
	uint32_t length, width;
};

/* Does something with characters in their order, in parts. */
struct v8_taker {
	void (*take)(void *arg, const uint8_t *characters, uint32_t width, size_t n);
	void *arg;
	size_t left; /* characters that are wanted still */
};

static int v8_take_characters(const struct v8_reader *r, const struct v8_characters *c,
			      struct v8_taker *to)
{
	uint64_t n = c->length < to->left ? c->length : to->left, at_once = n;
	_cleanup_(freep) uint8_t *part = NULL;

	if (at_once > PART / c->width)
		at_once = PART / c->width;
	part = xcalloc(1, at_once * c->width + 1);
	for (uint64_t at = 0; at < n;) {
		uint64_t k = n - at < at_once ? n - at : at_once;
		int e = memory_read(r->pid, c->addr + at * c->width, part, k * c->width);

		if (e < 0)
			return e;
		to->take(to->arg, part, c->width, k);
		at += k;
	}
	to->left -= n;
	return 0;
}

/* A text object, of which a part is wanted. */
struct v8_part {
	uint64_t object;
	uint32_t first, length; /* UINT32_MAX: all of it */
};

/* Gives the place of the characters of a plain or external text. */
static int v8_locate(const struct v8_reader *r, uint64_t object, uint16_t type,
		     struct v8_characters *c)
{
	const struct v8_layout *y = r->layout;

	if ((type & TYPE_SHAPE) == SHAPE_PLAIN) {
		c->addr = object - 1 + y->text_start;
		return 0;
	}
	if (type & TYPE_IS_UNCACHED)
		return -EPROTO;
	return v8_word(r, object, y->text_first + EXTERNAL_DATA, &c->addr);
}

/* The parts that are not reached yet, the next one last. */
struct v8_parts {
	struct v8_part items[DEPTH_MAX];
	int n;
};

static int v8_parts_add(struct v8_parts *p, uint64_t object, uint32_t first, uint32_t length)
{
	if (p->n == DEPTH_MAX)
		return -EPROTO;
	p->items[p->n++] = (struct v8_part){ object, first, length };
	return 0;
}

/* Adds the two halves of a text, of which never a part is wanted. */
static int v8_add_halves(const struct v8_reader *r, uint64_t object, struct v8_parts *parts)
{
	uint64_t first, second;
	int e = v8_word(r, object, r->layout->text_first, &first);

	if (e >= 0)
		e = v8_word(r, object, r->layout->text_second, &second);
	if (e >= 0)
		e = v8_parts_add(parts, second, 0, UINT32_MAX);
	if (e >= 0)
		e = v8_parts_add(parts, first, 0, UINT32_MAX);
	return e;
}

static int v8_add_sliced(const struct v8_reader *r, const struct v8_part *p, struct v8_parts *parts)
{
	uint64_t parent;
	int32_t offset;
	int e = v8_word(r, p->object, r->layout->text_parent, &parent);

	if (e >= 0)
		e = v8_small(r, p->object, r->layout->text_offset, &offset);
	if (e < 0)
		return e;
	if (offset < 0 || (uint32_t)offset > CHARACTERS_MAX)
		return -EPROTO;
	return v8_parts_add(parts, parent, p->first + (uint32_t)offset, p->length);
}

static int v8_take_flat(const struct v8_reader *r, const struct v8_part *p, uint16_t type,
			struct v8_taker *to)
{
	struct v8_characters c = { .length = p->length, .width = type & TYPE_IS_ONE_BYTE ? 1 : 2 };
	int e = v8_locate(r, p->object, type, &c);

	c.addr += (uint64_t)p->first * c.width;
	return e < 0 ? e : v8_take_characters(r, &c, to);
}

/* Takes one part, or adds those of which it consists. */
static int v8_take_part(const struct v8_reader *r, struct v8_part p, struct v8_parts *parts,
			struct v8_taker *to)
{
	bool is_whole = p.length == UINT32_MAX;
	uint32_t length;
	uint64_t next;
	uint16_t type;
	int e = v8_type_of(r, p.object, &type);

	if (e >= 0)
		e = v8_u32(r, p.object, r->layout->text_length, &length);
	if (e < 0)
		return e;
	if (is_whole)
		p.length = length;
	if (!v8_is_text(type) || length > CHARACTERS_MAX || p.first > length ||
	    p.length > length - p.first)
		return -EPROTO;
	switch (type & TYPE_SHAPE) {
	case SHAPE_PLAIN:
	case SHAPE_EXTERNAL:
		return v8_take_flat(r, &p, type, to);
	case SHAPE_CONS:
		return is_whole ? v8_add_halves(r, p.object, parts) : -EPROTO;
	case SHAPE_THIN:
		e = v8_word(r, p.object, r->layout->text_first, &next);
		return e < 0 ? e : v8_parts_add(parts, next, p.first, p.length);
	case SHAPE_SLICED:
		return v8_add_sliced(r, &p, parts);
	default:
		return -EPROTO;
	}
}

/* Takes the characters of a text. */
static int v8_take(const struct v8_reader *r, uint64_t object, struct v8_taker *to)
{
	struct v8_parts parts = { .items = { { object, 0, UINT32_MAX } }, .n = 1 };
	int e = 0;

	for (int i = 0; parts.n && to->left && e >= 0; i++)
		e = i < PARTS_MAX ? v8_take_part(r, parts.items[--parts.n], &parts, to) : -EPROTO;
	return e;
}

static uint32_t v8_character(const uint8_t *characters, uint32_t width, size_t i)
{
	return width == 1 ? characters[i]
			  : characters[2 * i] | (uint32_t)characters[2 * i + 1] << 8;
}

/* A text as UTF-8, and the first half of a pair of UTF-16 that waits for the second one. */
struct v8_utf8 {
	struct text *to;
	uint32_t half;
};

static void v8_add_character(struct text *to, uint32_t c)
{
	text_add_utf8(to, c < 0x20 || c == 0x7f ? '?' : c);
}

static void v8_take_text(void *arg, const uint8_t *characters, uint32_t width, size_t n)
{
	struct v8_utf8 *u = arg;

	for (size_t i = 0; i < n; i++) {
		uint32_t c = v8_character(characters, width, i);

		if (c >= 0xd800 && c < 0xdc00) {
			u->half = c;
			continue;
		}
		if (c >= 0xdc00 && c < 0xe000)
			c = u->half ? 0x10000 + ((u->half & 0x3ff) << 10 | (c & 0x3ff)) : '?';
		u->half = 0;
		v8_add_character(u->to, c);
	}
}

int v8_read_text(const struct v8_reader *r, uint64_t object, size_t max, struct text *to)
{
	struct v8_utf8 u = { .to = to };
	struct v8_taker taker = { v8_take_text, &u, max };

	return v8_take(r, object, &taker);
}

/* The lines of a source, and the position that is reached. */
struct v8_counter {
	struct v8_script *to;
	uint32_t at;
};

static void v8_take_lines(void *arg, const uint8_t *characters, uint32_t width, size_t n)
{
	struct v8_counter *c = arg;
	const uint8_t *at = characters, *end = characters + n * width;

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		size_t i = (size_t)(at++ - characters) / width;

		if (v8_character(characters, width, i) == '\n' && c->to->n < V8_LINES_MAX)
			*ARRAY_ADD(c->to) = c->at + (uint32_t)i;
	}
	c->at += (uint32_t)n;
}

int v8_read_line_ends(const struct v8_reader *r, uint64_t object, size_t max, struct v8_script *to)
{
	struct v8_counter c = { .to = to };
	struct v8_taker taker = { v8_take_lines, &c, max };

	return v8_take(r, object, &taker);
}
