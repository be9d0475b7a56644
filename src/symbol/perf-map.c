/* SPDX-License-Identifier: MIT */
#include "symbol/perf-map.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

/*
 * The limits for a map, since another user may have written it. Maps of large Java programs have
 * about 100,000 lines and ten megabytes.
 */
#define PERF_MAP_SIZE_MAX    (128u << 20)
#define PERF_MAP_SYMBOLS_MAX (2u << 20)

/* Longer lines are skipped. */
#define PIECE_SIZE (256u << 10)

static int perf_map_digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Takes a hexadecimal number after blanks, with or without 0x; moves *@at past it. */
static bool perf_map_take_hex(const char **at, const char *end, uint64_t *ret)
{
	const char *s = *at;
	uint64_t value = 0;
	int digits = 0, digit;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (end - s > 2 && s[0] == '0' && (s[1] | 0x20) == 'x')
		s += 2;
	for (; s < end && (digit = perf_map_digit_value(*s)) >= 0; s++, digits++)
		value = value << 4 | (uint64_t)digit;
	if (!digits || digits > 16)
		return false;
	*at = s;
	*ret = value;
	return true;
}

static void perf_map_parse_line(const char *s, const char *end, struct symbol_table *t)
{
	uint64_t start, size;

	if (!perf_map_take_hex(&s, end, &start) || !perf_map_take_hex(&s, end, &size) ||
	    end - s < 2 || !isspace((unsigned char)*s) || size > UINT64_MAX - start)
		return;
	s++;
	symbol_table_add(
		t,
		(struct symbol){ .start = start, .end = start + size, .name = s, .binding = 'g' },
		(size_t)(end - s));
}

/* Parses the lines in @size bytes of @text; the last one need not have an end. */
static void parse_lines(const char *text, size_t size, struct symbol_table *t)
{
	const char *end = text + size;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;

		perf_map_parse_line(text, line_end, t);
		text = newline ? newline + 1 : end;
	}
}

void perf_map_parse(const char *text, size_t size, struct symbol_table *t)
{
	parse_lines(text, size, t);
	symbol_table_settle(t, SYMBOL_RULES_JIT);
}

/* A piece of the file, which begins with the rest of the piece before. */
struct perf_map_piece {
	char bytes[PIECE_SIZE];
	size_t n;
	bool skips; /* skips up to the next newline: the line is too long */
};

/* Parses the whole lines of @p, and keeps the rest. */
static void perf_map_take_piece(struct perf_map_piece *p, struct symbol_table *t)
{
	const char *newline = memrchr(p->bytes, '\n', p->n);
	const char *first = p->skips ? memchr(p->bytes, '\n', p->n) : NULL;
	size_t start = first ? (size_t)(first + 1 - p->bytes) : 0;
	size_t whole = newline ? (size_t)(newline + 1 - p->bytes) : 0;

	if (!newline) {
		p->skips |= p->n == PIECE_SIZE;
		p->n = p->skips ? 0 : p->n;
		return;
	}
	parse_lines(p->bytes + start, whole - start, t);
	memmove(p->bytes, p->bytes + whole, p->n - whole);
	p->n -= whole;
	p->skips = false;
}

int perf_map_read(int fd, struct symbol_table *t)
{
	_cleanup_(freep) struct perf_map_piece *p = xcalloc(1, sizeof(*p));
	size_t sum = 0;
	ssize_t n;
	int r = 0;

	while ((n = read(fd, p->bytes + p->n, PIECE_SIZE - p->n)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		/* A NUL is in a hole, or the rest is not text. */
		size_t text = strnlen(p->bytes + p->n, (size_t)n);

		p->n += text;
		sum += text;
		perf_map_take_piece(p, t);
		if (text < (size_t)n || sum > PERF_MAP_SIZE_MAX || t->n > PERF_MAP_SYMBOLS_MAX) {
			r = 1;
			break;
		}
	}
	if (!r && !p->skips)
		parse_lines(p->bytes, p->n, t);
	symbol_table_settle(t, SYMBOL_RULES_JIT);
	return r;
}
