/* SPDX-License-Identifier: MIT */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* Appends a character, or a byte that is none (@length 0), in letters. */
static void add_visible(struct text *t, const char *s, size_t length, uint32_t code)
{
	if (length && short_escape(code))
		text_addf(t, "\\%c", short_escape(code));
	else if (length > 1)
		text_addf(t, "\\u%04x", code);
	else
		text_addf(t, "\\x%02x", (unsigned char)*s);
}

void escape_terminal(struct text *t, const char *s, size_t n)
{
	while (n) {
		uint32_t code = 0;
		size_t length = take_utf8(s, n, &code);

		if (length && !acts_on_terminal(code))
			text_add_bytes(t, s, length);
		else
			add_visible(t, s, length, code);
		length += !length;
		s += length;
		n -= length;
	}
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

/* How many of @n bytes of @s are ASCII that JSON has as it is. */
static size_t plain_json(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= 0x20 && s[i] < 0x7f && s[i] != '"' && s[i] != '\\')
		i++;
	return i;
}

void escape_json(struct text *t, const char *s, size_t n)
{
	while (n) {
		uint32_t code = 0;
		size_t length = plain_json(s, n);

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
			text_addf(t, "\\%c", (char)code);
		else if (short_escape(code))
			text_addf(t, "\\%c", short_escape(code));
		else if (code < 0x20 || code == 0x7f)
			text_addf(t, "\\u%04x", code);
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
