/* SPDX-License-Identifier: MIT */
#include "symbol/perf-map.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"

#define PERF_MAP_SIZE_MAX (1u << 30)

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A hexadecimal number after blanks, with or without 0x; moves *@at behind it. */
static bool take_hex(const char **at, const char *end, uint64_t *ret)
{
	const char *s = *at;
	uint64_t value = 0;
	int digits = 0, digit;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (end - s > 2 && s[0] == '0' && (s[1] | 0x20) == 'x')
		s += 2;
	for (; s < end && (digit = digit_value(*s)) >= 0; s++, digits++)
		value = value << 4 | (uint64_t)digit;
	if (!digits || digits > 16)
		return false;
	*at = s;
	*ret = value;
	return true;
}

static void parse_line(const char *s, const char *end, struct symbol_table *t)
{
	uint64_t start, size;

	if (!take_hex(&s, end, &start) || !take_hex(&s, end, &size) || end - s < 2 ||
	    !isspace((unsigned char)*s) || size > UINT64_MAX - start)
		return;
	s++;
	symbol_table_add(
		t,
		(struct symbol){ .start = start, .end = start + size, .name = s, .binding = 'g' },
		(size_t)(end - s));
}

void perf_map_parse(const char *text, size_t size, struct symbol_table *t)
{
	const char *end = text + size;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;

		parse_line(text, line_end, t);
		text = newline ? newline + 1 : end;
	}
	symbol_table_settle(t, SYMBOL_RULES_JIT);
}

int perf_map_read(int fd, struct symbol_table *t)
{
	_cleanup_(freep) char *text = NULL;
	size_t size;
	int r = file_read_fd(fd, PERF_MAP_SIZE_MAX, &text, &size);

	if (r < 0)
		return r;
	perf_map_parse(text, size, t);
	return 0;
}
