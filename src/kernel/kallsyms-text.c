/* SPDX-License-Identifier: MIT */
#include "kernel/kallsyms-text.h"

#include <string.h>

#define DIGIT 0x10

/* By character: DIGIT and the value of a hexadecimal digit; 0 for anything else. */
static const uint8_t digits[256] = {
	['0'] = DIGIT | 0,  ['1'] = DIGIT | 1,  ['2'] = DIGIT | 2,  ['3'] = DIGIT | 3,
	['4'] = DIGIT | 4,  ['5'] = DIGIT | 5,  ['6'] = DIGIT | 6,  ['7'] = DIGIT | 7,
	['8'] = DIGIT | 8,  ['9'] = DIGIT | 9,  ['a'] = DIGIT | 10, ['b'] = DIGIT | 11,
	['c'] = DIGIT | 12, ['d'] = DIGIT | 13, ['e'] = DIGIT | 14, ['f'] = DIGIT | 15,
	['A'] = DIGIT | 10, ['B'] = DIGIT | 11, ['C'] = DIGIT | 12, ['D'] = DIGIT | 13,
	['E'] = DIGIT | 14, ['F'] = DIGIT | 15,
};

/*
 * Reads the 16 digits that a 64-bit kernel prints, without a branch for each: this is the hot spot.
 */
static bool take_16_digits(const char *s, uint64_t *ret)
{
	uint64_t value = 0;
	uint8_t all = DIGIT;

	for (size_t i = 0; i < 16; i++) {
		uint8_t digit = digits[(uint8_t)s[i]];

		all &= digit;
		value = value << 4 | (digit & 15);
	}
	*ret = value;
	return all & DIGIT;
}

/* Reads a number of up to 16 digits; returns the character after it, or NULL. */
static const char *take_digits(const char *s, const char *end, uint64_t *ret)
{
	const char *start = s;
	uint64_t value = 0;

	for (; s < end && digits[(uint8_t)*s]; s++)
		value = value << 4 | (digits[(uint8_t)*s] & 15);
	*ret = value;
	return s == start || s - start > 16 ? NULL : s;
}

/* Splits off "\t[nf_tables]" after the name; any other text there belongs to the name. */
static void split_module(struct kallsyms_line *l)
{
	const char *end = l->name + l->name_length;
	const char *tab = end[-1] == ']' ? memchr(l->name, '\t', l->name_length) : NULL;

	if (!tab || end - tab < 4 || tab[1] != '[')
		return;
	l->name_length = (size_t)(tab - l->name);
	l->module = tab + 2;
	l->module_length = (size_t)(end - 1 - l->module);
}

/* Parses a line. False: it is not "ADDR TYPE NAME". */
static bool kallsyms_text_parse_line(const char *s, const char *end, struct kallsyms_line *ret)
{
	ret->module = NULL;
	if (end - s > 20 && s[16] == ' ' && take_16_digits(s, &ret->addr))
		s += 16;
	else
		s = take_digits(s, end, &ret->addr);
	if (!s || end - s < 4 || s[0] != ' ' || s[2] != ' ')
		return false;
	ret->type = s[1];
	ret->name = s + 3;
	ret->name_length = (size_t)(end - ret->name);
	split_module(ret);
	return ret->name_length > 0;
}

bool kallsyms_next(const char **at, const char *end, struct kallsyms_line *ret)
{
	while (*at < end) {
		const char *line = *at;
		const char *newline = memchr(line, '\n', (size_t)(end - line));

		*at = newline ? newline + 1 : end;
		if (kallsyms_text_parse_line(line, newline ? newline : end, ret))
			return true;
	}
	return false;
}

bool kallsyms_type_counts(char type)
{
	switch (type | 0x20) {
	case 't':
	case 'w':
	case 'd':
	case 'b':
		return true;
	default:
		return false;
	}
}
