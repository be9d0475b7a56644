/* SPDX-License-Identifier: MIT */
/* CPython's code objects: their names, their files and the lines of their byte code. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runtime/memory.h"
#include "runtime/python-internal.h"

#define CODE_SIZE_MAX   (16u << 20)
#define LINES_SIZE_MAX  (4u << 20)
#define LINES_MAX       ((size_t)1 << 20)
#define TEXT_LENGTH_MAX 1024

/* The parts of the state word of a text object. */
#define TEXT_KIND(state)       ((state)&7)
#define TEXT_IS_COMPACT(state) ((state) >> 3 & 1)
#define TEXT_IS_ASCII(state)   ((state) >> 4 & 1)

/* Fails with -ESTALE unless the object at @addr has the type @type, if that is known. */
static int python_check_type(const struct python_layout *y, int pid, uint64_t addr, uint64_t type)
{
	uint64_t found = type;
	int r = type ? memory_u64(pid, addr + y->object_type, &found) : 0;

	return r < 0 ? r : found == type ? 0 : -ESTALE;
}

/* Appends the text object at @addr. */
static int python_read_text(const struct python_layout *y, int pid, uint64_t addr, struct text *to)
{
	uint8_t bytes[TEXT_LENGTH_MAX * 4];
	uint64_t length;
	uint32_t state, kind;
	int r = python_check_type(y, pid, addr, y->text_type);

	if (r >= 0)
		r = memory_u64(pid, addr + y->text_length, &length);
	if (r >= 0)
		r = memory_u32(pid, addr + y->text_state, &state);
	if (r < 0)
		return r;
	state >>= y->kind_shift & 31;
	kind = TEXT_KIND(state);
	if (!TEXT_IS_COMPACT(state) || length > TEXT_LENGTH_MAX ||
	    (kind != 1 && kind != 2 && kind != 4))
		return -EPROTO;
	r = memory_read(pid, addr + (TEXT_IS_ASCII(state) ? y->text : y->wide_text), bytes,
			length * kind);
	for (uint64_t i = 0; r >= 0 && i < length; i++) {
		uint32_t c = 0;

		memcpy(&c, bytes + i * kind, kind);
		text_add_utf8(to, c);
	}
	return r;
}

/* Positions and lines in the form of the version; see the comments of CPython's Objects/locations.
 */
struct python_lines {
	const uint8_t *at, *end;
	uint32_t position, last; /* last: the line that was added last */
	int64_t line;
	struct runtime_function *to;
};

/* Adds the line of the next @size bytes. False: they have none. */
static void python_add_line(struct python_lines *l, uint32_t size, bool has_line)
{
	uint32_t line = has_line && l->line > 0 ? (uint32_t)l->line : 0;

	if (size && line != l->last && l->position < l->to->size && l->to->lines.n < LINES_MAX) {
		*ARRAY_ADD(&l->to->lines) = (struct runtime_line){ l->position, line };
		l->last = line;
	}
	l->position += size;
}

static uint32_t python_take_varint(struct python_lines *l)
{
	uint32_t v = 0;

	for (unsigned shift = 0; l->at < l->end && shift < 32; shift += 6) {
		uint8_t b = *l->at++;

		v |= (uint32_t)(b & 63) << shift;
		if (!(b & 64))
			break;
	}
	return v;
}

static int32_t python_take_signed(struct python_lines *l)
{
	uint32_t v = python_take_varint(l);

	return v & 1 ? -(int32_t)(v >> 1) : (int32_t)(v >> 1);
}

/* The kinds of entries since 3.11. Numbers below are short forms, which stay on the line. */
enum {
	LOCATION_SAME_LINE = 10,
	LOCATION_NO_COLUMNS = 13,
	LOCATION_LONG = 14,
	LOCATION_NONE = 15,
};

static void python_read_locations(struct python_lines *l)
{
	while (l->at < l->end) {
		uint8_t first = *l->at++;
		unsigned kind = first >> 3 & 15;
		uint32_t size = ((first & 7u) + 1) * 2;

		if (kind == LOCATION_LONG) {
			l->line += python_take_signed(l);
			for (int i = 0; i < 3; i++)
				python_take_varint(l);
		} else if (kind == LOCATION_NO_COLUMNS) {
			l->line += python_take_signed(l);
		} else if (kind >= LOCATION_SAME_LINE && kind < LOCATION_NO_COLUMNS) {
			l->line += kind - LOCATION_SAME_LINE;
			l->at += l->end - l->at < 2 ? l->end - l->at : 2;
		} else if (kind < LOCATION_SAME_LINE && l->at < l->end) {
			l->at++;
		}
		python_add_line(l, size, kind != LOCATION_NONE);
	}
}

/* Reads pairs of a size and a difference of lines, which until 3.9 comes after the size. */
static void python_read_pairs(struct python_lines *l, bool is_before)
{
	for (; l->end - l->at >= 2; l->at += 2) {
		int8_t step = (int8_t)l->at[1];

		if (is_before) {
			if (step != INT8_MIN)
				l->line += step;
			python_add_line(l, l->at[0], step != INT8_MIN);
		} else {
			python_add_line(l, l->at[0], true);
			l->line += step;
		}
	}
	if (!is_before)
		python_add_line(l, 1, true);
}

static int python_read_lines(const struct python_layout *y, int pid, uint64_t object,
			     int64_t first_line, struct runtime_function *to)
{
	_cleanup_(freep) uint8_t *bytes = NULL;
	struct python_lines l = { .line = first_line, .to = to };
	uint64_t size;
	int r = python_check_type(y, pid, object, y->bytes_type);

	if (r >= 0)
		r = memory_u64(pid, object + y->code_size, &size);
	if (r < 0)
		return r;
	if (size > LINES_SIZE_MAX)
		return -EPROTO;
	bytes = xcalloc(1, size + 1);
	/* ob_shash is between the head and the bytes. */
	r = memory_read(pid, object + y->code_size + 2 * sizeof(uint64_t), bytes, size);
	if (r < 0)
		return r;
	l.at = bytes;
	l.end = bytes + size;
	if (y->version >= PYTHON_VERSION(11))
		python_read_locations(&l);
	else
		python_read_pairs(&l, y->version >= PYTHON_VERSION(10));
	/* Code of 3.10 and older may be longer than its table says, but not shorter. */
	return l.position <= to->size + 1 ? 0 : -ESTALE;
}

static int python_read_size(const struct python_layout *y, int pid, uint64_t code, uint32_t *ret)
{
	uint64_t object = 0, size;
	int r;

	if (y->version >= PYTHON_VERSION(11)) {
		r = memory_u64(pid, code + y->code_size, &size);
		size *= 2;
	} else {
		r = memory_u64(pid, code + y->code_start, &object);
		if (r >= 0)
			r = python_check_type(y, pid, object, y->bytes_type);
		if (r >= 0)
			r = memory_u64(pid, object + y->code_size, &size);
	}
	if (r < 0)
		return r;
	if (!size || size > CODE_SIZE_MAX)
		return -EPROTO;
	*ret = (uint32_t)size;
	return 0;
}

/* Fails with -ESTALE if the memory does not have the code object of @frame any more. */
static int python_check(const struct python_layout *y, int pid, const uint64_t frame[2])
{
	uint64_t code = RUNTIME_OBJECT(frame[0]);
	uint32_t check = 0, number;
	int r = python_check_type(y, pid, code, y->code_type);

	for (size_t i = 0; r >= 0 && i < PYTHON_CHECKS; i++) {
		r = memory_u32(pid, code + y->check[i], &number);
		if (r >= 0)
			check = runtime_mix(check, number);
	}
	return r < 0 ? r : check == RUNTIME_CHECK(frame[1]) ? 0 : -ESTALE;
}

int python_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		struct runtime_code *ret)
{
	const struct python_layout *y = &p->python;
	_cleanup_(text_done) struct text name_text = TEXT_EMPTY;
	struct runtime_function *f = runtime_code_add(ret);
	uint64_t code = RUNTIME_OBJECT(frame[0]), name, file, lines;
	uint32_t first_line;
	int r = python_check(y, pid, frame);

	if (r >= 0)
		r = memory_u64(pid, code + y->name, &name);
	if (r >= 0)
		r = memory_u64(pid, code + y->file, &file);
	if (r >= 0)
		r = memory_u64(pid, code + y->lines, &lines);
	if (r >= 0)
		r = memory_u32(pid, code + y->first_line, &first_line);
	if (r >= 0)
		r = python_read_text(y, pid, name, &name_text);
	if (r >= 0)
		r = python_read_text(y, pid, file, &f->file);
	if (r >= 0)
		r = python_read_size(y, pid, code, &f->size);
	if (r >= 0)
		r = python_read_lines(y, pid, lines, first_line, f);
	if (r < 0)
		return r;
	runtime_name_in_file(f->file.chars, name_text.chars, &f->name);
	/* Code that does not come from a file comes and goes. */
	ret->is_brief = f->file.chars[0] == '<' && strncmp(f->file.chars, "<frozen", 7) != 0;
	/* The object may have gone while it was read. */
	return python_check(y, pid, frame);
}
