/* SPDX-License-Identifier: MIT */
#include "tools/data/number-format-model.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* No print fmt has more conversions than this. */
#define CONVERSIONS_MAX 64

/*
 * Parses the conversion after a '%' at @s. Returns the text after it; NULL: it takes several
 * arguments.
 */
static const char *number_format_take_conversion(const char *s, struct number_format *ret)
{
	size_t n = strspn(s + 1, "-+ #0123456789.") + 1;

	*ret = (struct number_format){ 0 };
	if (s[n] == '*')
		return NULL;
	if (n < sizeof(ret->flags))
		memcpy(ret->flags, s, n);
	for (s += n; *s && strchr("hlLqjzt", *s); s++)
		ret->is_long |= *s != 'h';
	if (*s && n < sizeof(ret->flags) && strchr("diuoxXp", *s))
		ret->conversion = *s;
	/* %pS, %pI4 and similar conversions are not numbers. */
	if (*s == 'p' && isalnum((unsigned char)s[1]))
		ret->conversion = 0;
	return *s ? s + 1 : s;
}

/*
 * Parses the conversions of the literal at @s. Returns the text after it; NULL: it cannot be
 * parsed.
 */
static const char *take_literal(const char *s, struct number_format *all, size_t *n)
{
	const char *begin = s;

	while (s && *s && *s != '"') {
		if (*s == '\\' && s[1]) {
			s += 2;
		} else if (*s != '%') {
			s++;
		} else if (s[1] == '%') {
			s += 2;
		} else if (*n < CONVERSIONS_MAX) {
			bool has_0x = s - begin >= 2 && s[-2] == '0' && s[-1] == 'x';

			s = number_format_take_conversion(s, &all[*n]);
			all[(*n)++].has_0x = has_0x;
		} else {
			s = NULL;
		}
	}
	return s && *s ? s + 1 : NULL;
}

/* Returns the end of the argument at @s: a comma, or the end of the text. */
static const char *number_format_argument_end(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		depth += *s == '(' || *s == '{' || *s == '[';
		depth -= *s == ')' || *s == '}' || *s == ']';
		if ((*s == ',' && depth <= 0) || *s == '"')
			break;
	}
	return s;
}

/* True if the argument is the field alone, in parentheses or with a cast to a word of C. */
static bool number_format_is_field(const char *s, const char *end, const char *name)
{
	static const char rec[] = "REC->";
	size_t n = strlen(name);

	while (s < end) {
		if (*s == '(' || isspace((unsigned char)*s)) {
			s++;
			continue;
		}
		if ((size_t)(end - s) >= sizeof(rec) - 1 && !memcmp(s, rec, sizeof(rec) - 1))
			break;
		/* This is a cast: words up to its parenthesis. */
		while (s < end && (isalnum((unsigned char)*s) || strchr("_ *", *s)))
			s++;
		if (s == end || *s != ')')
			return false;
		s++;
	}
	s += sizeof(rec) - 1;
	if (s >= end || (size_t)(end - s) < n || memcmp(s, name, n) != 0)
		return false;
	for (s += n; s < end; s++)
		if (*s != ')' && !isspace((unsigned char)*s))
			return false;
	return true;
}

struct number_format number_format_find(const char *print_fmt, const char *name)
{
	struct number_format all[CONVERSIONS_MAX];
	const char *s = print_fmt + strspn(print_fmt, " \t");
	size_t n = 0;

	while (s && *s == '"') {
		s = take_literal(s + 1, all, &n);
		if (s)
			s += strspn(s, " \t");
	}
	for (size_t i = 0; s && *s == ',' && i < n; i++) {
		const char *end = number_format_argument_end(s + 1);

		if (number_format_is_field(s + 1, end, name))
			return all[i];
		s = end;
	}
	return (struct number_format){ 0 };
}

void number_format_add(struct text *t, const struct number_format *f, uint64_t value)
{
	bool is_signed = f->conversion == 'd' || f->conversion == 'i';
	char format[sizeof(f->flags) + 8], digits[128];

	if (f->conversion == 'p') {
		text_addf(t, value ? "0x%llx" : "(nil)", (unsigned long long)value);
		return;
	}
	if (!f->is_long)
		value = is_signed ? (uint64_t)(int64_t)(int32_t)value : (uint32_t)value;
	snprintf(format, sizeof(format), "%sll%c", f->flags, f->conversion);
	snprintf(digits, sizeof(digits), format, (unsigned long long)value);
	text_add(t, f->has_0x ? "0x" : "");
	text_add(t, digits);
}
