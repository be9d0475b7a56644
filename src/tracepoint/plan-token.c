/* SPDX-License-Identifier: MIT */
#include "tracepoint/plan-token.h"

#include <ctype.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"

static bool token_is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns the position after the closing quote; NULL: there is none. */
static const char *skip_quoted(const char *s)
{
	char quote = *s++;

	for (; *s != quote; s++) {
		if (*s == '\\')
			s++;
		if (!*s)
			return NULL;
	}
	return s + 1;
}

static size_t mark_length(const char *s)
{
	static const char *const marks[] = { "->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||" };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (s[0] == marks[i][0] && s[1] == marks[i][1])
			return 2;
	return *s && strchr("()[]{},;:?~!*/%+-<>&^|=.", *s) ? 1 : 0;
}

static struct token quoted_token(const char *s)
{
	const char *end = skip_quoted(s);

	if (!end)
		return (struct token){ TOKEN_BAD, s, strlen(s) };
	return (struct token){ *s == '"' ? TOKEN_STRING : TOKEN_CHARACTER, s, (size_t)(end - s) };
}

static struct token token_at(const char *s)
{
	if (!*s)
		return (struct token){ TOKEN_END, s, 0 };
	if (*s == '"' || *s == '\'')
		return quoted_token(s);
	if (token_is_name_char(*s)) {
		size_t n = 1;

		while (token_is_name_char(s[n]))
			n++;
		return (struct token){ isdigit((unsigned char)*s) ? TOKEN_NUMBER : TOKEN_NAME, s,
				       n };
	}

	size_t n = mark_length(s);

	return (struct token){ n ? TOKEN_MARK : TOKEN_BAD, s, n ? n : 1 };
}

struct token token_take(const char **at)
{
	const char *s = text_skip_blanks(*at);
	struct token t = token_at(s);

	*at = s + t.length;
	return t;
}

bool token_is(const struct token *t, const char *spelling)
{
	return (t->kind == TOKEN_NAME || t->kind == TOKEN_MARK) && t->length == strlen(spelling) &&
	       memcmp(t->start, spelling, t->length) == 0;
}

static int token_digit_value(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 99;
}

static bool token_take_suffix(const char *s, const char *end, struct token_number *n)
{
	for (; s < end; s++) {
		if (*s == 'u' || *s == 'U')
			n->is_unsigned = true;
		else if (*s == 'l' || *s == 'L')
			n->is_long = true;
		else
			return false;
	}
	return true;
}

bool token_number(const struct token *t, struct token_number *ret)
{
	const char *s = t->start, *end = s + t->length;
	struct token_number n = { .is_decimal = *s != '0' };
	unsigned base = n.is_decimal ? 10 : 8;

	if (base == 8 && t->length > 2 && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		s += 2;
	}
	for (; s < end && (unsigned)token_digit_value(*s) < base; s++)
		if (__builtin_mul_overflow(n.value, base, &n.value) ||
		    __builtin_add_overflow(n.value, (unsigned)token_digit_value(*s), &n.value))
			return false;
	if (!token_take_suffix(s, end, &n))
		return false;
	*ret = n;
	return true;
}

/* Parses up to @max digits of @base at *@s: those after the backslash of \033 or \x1b. */
static char escaped_number(const char **s, const char *end, unsigned base, int max)
{
	unsigned value = 0;

	for (; max && *s < end && (unsigned)token_digit_value(**s) < base; max--, (*s)++)
		value = value * base + (unsigned)token_digit_value(**s);
	return (char)value;
}

static char escaped_char(const char **s, const char *end)
{
	static const char letters[] = "abefnrtv", meanings[] = "\a\b\033\f\n\r\t\v";
	const char *letter;

	if (**s >= '0' && **s <= '7')
		return escaped_number(s, end, 8, 3);
	if (**s == 'x') {
		++*s;
		return escaped_number(s, end, 16, 2);
	}
	letter = strchr(letters, **s);

	char c = letter ? meanings[letter - letters] : **s;

	++*s;
	return c;
}

void token_unquote(const struct token *t, struct text *out)
{
	const char *s = t->start + 1, *end = t->start + t->length - 1;

	while (s < end) {
		char c = *s++;

		text_add_char(out, c == '\\' && s < end ? escaped_char(&s, end) : c);
	}
}
