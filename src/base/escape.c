/* SPDX-License-Identifier: MIT */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/digits.h"
#include "base/text.h"

/*
 * Takes one character off @n bytes of @s: its code in *@ret and its length, or 0 for bytes that are
 * not UTF-8 (overlong forms and surrogates included).
 */
static size_t take_utf8(const char *s, size_t n, uint32_t *ret)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	size_t length = u[0] < 0x80    ? 1
			: u[0] >= 0xf0 ? 4
			: u[0] >= 0xe0 ? 3
			: u[0] >= 0xc0 ? 2
				       : 0;
	uint32_t code = length == 1 ? u[0] : u[0] & (0x7fu >> length);

	if (!length || length > n || u[0] >= 0xf8)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (u[i] & 0x3f);
	}
	if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret = code;
	return length;
}

/* Marks that reverse the text around them can make a name look like another one. */
static bool acts_on_terminal(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

/* \n and its like: the letters C and JSON share, or 0. */
static char short_escape(uint32_t code)
{
	static const char codes[] = "\n\t\r\b\f", letters[] = "ntrbf";
	const char *at = code && code < 0x20 ? strchr(codes, (int)code) : NULL;

	return at ? letters[at - codes] : 0;
}

static void add_backslashed(struct text *t, char c)
{
	text_add_bytes(t, (const char[]){ '\\', c }, 2);
}

/* \u202e */
static void add_code(struct text *t, uint32_t code)
{
	add_backslashed(t, 'u');
	text_filled(t, digits_hex_right(text_room(t, DIGITS_MAX), code, 4, '0'));
}

/* Appends a character, or a byte that is none (@length 0), in letters. */
static void add_visible(struct text *t, const char *s, size_t length, uint32_t code)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char byte = (unsigned char)*s;

	if (length && short_escape(code))
		add_backslashed(t, short_escape(code));
	else if (length > 1)
		add_code(t, code);
	else
		text_add_bytes(t, (const char[]){ '\\', 'x', digits[byte >> 4], digits[byte & 15] },
			       4);
}

#define EACH_BYTE(b) ((uint64_t)(b)*0x0101010101010101)

/* Is a byte of @v 0? */
static bool has_zero(uint64_t v)
{
	return (v - EACH_BYTE(1)) & ~v & EACH_BYTE(0x80);
}

/* Is a byte of @v no ASCII, a control character, @a or @b? */
static bool has_special(uint64_t v, char a, char b)
{
	return (v | (v - EACH_BYTE(0x20))) & EACH_BYTE(0x80) || has_zero(v ^ EACH_BYTE(0x7f)) ||
	       has_zero(v ^ EACH_BYTE(a)) || has_zero(v ^ EACH_BYTE(b));
}

/* How many of @n bytes of @s are ASCII that stays as it is; not so @a and @b. */
static size_t plain_run(const char *s, size_t n, char a, char b)
{
	size_t i = 0;

	for (uint64_t v; i + sizeof(v) <= n; i += sizeof(v)) {
		memcpy(&v, s + i, sizeof(v));
		if (has_special(v, a, b))
			break;
	}
	while (i < n && s[i] >= 0x20 && s[i] < 0x7f && s[i] != a && s[i] != b)
		i++;
	return i;
}

/* Letters for what a terminal would act upon; a backslash before @a and @b, unless they are 0. */
static void escape_but(struct text *t, const char *s, size_t n, char a, char b)
{
	while (n) {
		uint32_t code = 0;
		size_t length = plain_run(s, n, a, b);

		if (length) {
			text_add_bytes(t, s, length);
			s += length;
			n -= length;
			continue;
		}
		length = take_utf8(s, n, &code);
		if (length == 1 && code && (code == (uint32_t)a || code == (uint32_t)b)) {
			add_backslashed(t, (char)code);
		} else if (length && !acts_on_terminal(code)) {
			text_add_bytes(t, s, length);
		} else {
			add_visible(t, s, length, code);
		}
		length += !length;
		s += length;
		n -= length;
	}
}

void escape_terminal(struct text *t, const char *s, size_t n)
{
	escape_but(t, s, n, 0, 0);
}

void escape_quoted(struct text *t, const char *s, size_t n)
{
	escape_but(t, s, n, '"', '\\');
}

/* How many of @n bytes of @s are ASCII that XML has as it is. */
static size_t plain_xml(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= 0x20 && s[i] < 0x7f && !strchr("<>&\"'", s[i]))
		i++;
	return i;
}

static const char *xml_entity(uint32_t code)
{
	switch (code) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	}
	return NULL;
}

/* XML has no way to write U+FFFE and U+FFFF. */
static bool is_xml_character(uint32_t code)
{
	return !acts_on_terminal(code) && code != 0xfffe && code != 0xffff;
}

void escape_xml(struct text *t, const char *s, size_t n)
{
	while (n) {
		uint32_t code = 0;
		size_t length = plain_xml(s, n);

		if (length) {
			text_add_bytes(t, s, length);
			s += length;
			n -= length;
			continue;
		}
		length = take_utf8(s, n, &code);
		if (length && xml_entity(code))
			text_add(t, xml_entity(code));
		else if (length && is_xml_character(code))
			text_add_bytes(t, s, length);
		else
			add_visible(t, s, length, code);
		length += !length;
		s += length;
		n -= length;
	}
}

void escape_json(struct text *t, const char *s, size_t n)
{
	while (n) {
		uint32_t code = 0;
		size_t length = plain_run(s, n, '"', '\\');

		if (length) {
			text_add_bytes(t, s, length);
			s += length;
			n -= length;
			continue;
		}
		length = take_utf8(s, n, &code);
		if (!length)
			text_add(t, "\\ufffd");
		else if (code == '"' || code == '\\')
			add_backslashed(t, (char)code);
		else if (short_escape(code))
			add_backslashed(t, short_escape(code));
		else if (code < 0x20 || code == 0x7f)
			add_code(t, code);
		else
			text_add_bytes(t, s, length);
		length += !length;
		s += length;
		n -= length;
	}
}

size_t escape_columns(const char *s, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)s[i] & 0xc0) != 0x80;
	return columns;
}
