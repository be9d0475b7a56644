/* SPDX-License-Identifier: MIT */
#include "base/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/digits.h"
#include "base/text.h"

/*
 * Decodes one character from @n bytes of @s: its code goes to *@ret. Returns its length, or 0 for
 * bytes that are not UTF-8 (overlong forms and surrogates included).
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

/*
 * True for control characters, and for marks that reverse the text around them and can make a name
 * look like another one.
 */
static bool acts_on_terminal(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
	       code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

/* Returns the letter of \n and similar escapes that C and JSON share, or 0. */
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

/* Appends @code as an escape sequence such as \u202e. */
static void escape_add_code(struct text *t, uint32_t code)
{
	add_backslashed(t, 'u');
	text_filled(t, digits_hex_right(text_room(t, DIGITS_MAX), code, 4, '0'));
}

/* Appends a character, or an invalid byte (@length 0), as visible letters. */
static void add_visible(struct text *t, const char *s, size_t length, uint32_t code)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char byte = (unsigned char)*s;

	if (length && short_escape(code))
		add_backslashed(t, short_escape(code));
	else if (length > 1)
		escape_add_code(t, code);
	else
		text_add_bytes(t, (const char[]){ '\\', 'x', digits[byte >> 4], digits[byte & 15] },
			       4);
}

#define EACH_BYTE(b) ((uint64_t)(b)*0x0101010101010101)

/* True if a byte of @v is 0. */
static bool has_zero(uint64_t v)
{
	return (v - EACH_BYTE(1)) & ~v & EACH_BYTE(0x80);
}

/* True if a byte of @v is not ASCII, is a control character, or is @a or @b. */
static bool has_special(uint64_t v, char a, char b)
{
	return (v | (v - EACH_BYTE(0x20))) & EACH_BYTE(0x80) || has_zero(v ^ EACH_BYTE(0x7f)) ||
	       has_zero(v ^ EACH_BYTE(a)) || has_zero(v ^ EACH_BYTE(b));
}

/*
 * Returns the number of leading bytes, of @n bytes at @s, that are unchanged ASCII other than @a
 * and @b.
 */
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

/*
 * The letter after the backslash for each byte; 0: the byte is unchanged; 'u': it is part of a
 * longer character.
 */
static const char byte_letters[256] = {
	[0] = '0',     [1 ... 7] = 'x', ['\b'] = 'b',          ['\t'] = 't',      ['\n'] = 'n',
	['\v'] = 'x',  ['\f'] = 'f',    ['\r'] = 'r',          [14 ... 31] = 'x', ['"'] = '"',
	['\\'] = '\\', [0x7f] = 'x',    [0x80 ... 0xff] = 'u',
};

#define ESCAPED_MAX 4 /* most characters per byte: \x1b, and half of \u0085 */

static char *put_hex_byte(char *at, unsigned char byte)
{
	static const char digits[] = "0123456789abcdef";

	*at++ = 'x';
	*at++ = digits[byte >> 4];
	*at++ = digits[byte & 15];
	return at;
}

/* Writes a character that is not ASCII, or an invalid byte, and moves @s past it. */
static char *put_long(char *at, const char **s, size_t n)
{
	uint32_t code = 0;
	size_t length = take_utf8(*s, n, &code);

	if (length && !acts_on_terminal(code)) {
		at = mempcpy(at, *s, length);
	} else {
		*at++ = '\\';
		if (length) {
			*at++ = 'u';
			at = digits_hex_right(at, code, 4, '0');
		} else {
			at = put_hex_byte(at, (unsigned char)**s);
		}
	}
	*s += length + !length;
	return at;
}

/*
 * Writes an ASCII character. NUL, the most frequent one, becomes \0, unless a digit follows that
 * would seem to belong to it.
 */
static char *put_ascii(char *at, const char *s, const char *end, bool in_quotes)
{
	char letter = byte_letters[(unsigned char)*s];

	if (!letter || (!in_quotes && (letter == '"' || letter == '\\'))) {
		*at++ = *s;
		return at;
	}
	*at++ = '\\';
	if (letter == '0' && (!in_quotes || (s + 1 < end && s[1] >= '0' && s[1] <= '9')))
		letter = 'x';
	if (letter == 'x')
		return put_hex_byte(at, (unsigned char)*s);
	*at++ = letter;
	return at;
}

static void escape_but(struct text *t, const char *s, size_t n, bool in_quotes)
{
	const char *end = s + n;
	char *at = text_room(t, ESCAPED_MAX * n + DIGITS_MAX);

	while (s < end) {
		size_t run = plain_run(s, (size_t)(end - s), in_quotes ? '"' : 0,
				       in_quotes ? '\\' : 0);

		at = mempcpy(at, s, run);
		s += run;
		/* A character that is not plain is seldom alone. */
		for (unsigned i = 0; i < sizeof(uint64_t) && s < end; i++)
			if ((unsigned char)*s >= 0x80)
				at = put_long(at, &s, (size_t)(end - s));
			else
				at = put_ascii(at, s++, end, in_quotes);
	}
	text_filled(t, at);
}

void escape_terminal(struct text *t, const char *s, size_t n)
{
	escape_but(t, s, n, false);
}

void escape_lines(struct text *t, const char *s, size_t n)
{
	const char *end = s + n, *at;

	while ((at = memchr(s, '\n', (size_t)(end - s)))) {
		escape_terminal(t, s, (size_t)(at - s));
		text_add_char(t, '\n');
		s = at + 1;
	}
	escape_terminal(t, s, (size_t)(end - s));
}

void escape_quoted(struct text *t, const char *s, size_t n)
{
	escape_but(t, s, n, true);
}

/*
 * Returns the number of leading bytes, of @n bytes at @s, that are ASCII and valid in XML as they
 * are.
 */
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

/* True if XML can contain the character: it has no way to write U+FFFE and U+FFFF. */
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
		else if (acts_on_terminal(code))
			escape_add_code(t, code);
		else
			text_add_bytes(t, s, length);
		length += !length;
		s += length;
		n -= length;
	}
}

void escape_not_utf8(struct text *t, const char *s, size_t n)
{
	uint32_t code;

	for (size_t length; n; s += length, n -= length) {
		length = take_utf8(s, n, &code);
		if (length) {
			text_add_bytes(t, s, length);
			continue;
		}
		length = 1;
		text_addf(t, "\\x%02x", (unsigned char)*s);
	}
}

size_t escape_columns(const char *s, size_t n)
{
	size_t columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)s[i] & 0xc0) != 0x80;
	return columns;
}
