/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/text-model.h"

#include <stdio.h>
#include <string.h>

static const char *heat_text_pass_blanks(const char *at)
{
	return at + strspn(at, " \t\r");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Parses a decimal number and multiplies it by @unit. Digits below one nanosecond are dropped. */
static bool heat_text_parse_number(const char **at, uint64_t unit, uint64_t *ret)
{
	const char *c = *at;
	uint64_t whole = 0, part = 0;

	if (!is_digit(*c))
		return false;
	for (; is_digit(*c); c++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, (uint64_t)(*c - '0'), &whole))
			return false;
	if (__builtin_mul_overflow(whole, unit, &whole))
		return false;
	if (*c == '.')
		for (c++; is_digit(*c); c++) {
			unit /= 10;
			part += (uint64_t)(*c - '0') * unit;
		}
	*at = c;
	return !__builtin_add_overflow(whole, part, ret);
}

/* Parses the line, which ends with a NUL. */
static bool heat_text_parse_line(const struct heat_text *t, const char *at, uint64_t *ret_time,
				 uint64_t *ret_value)
{
	at = heat_text_pass_blanks(at);
	if (!heat_text_parse_number(&at, t->time_unit_ns, ret_time))
		return false;
	at += *at == ',' || *at == ':';
	if (*at != ' ' && *at != '\t')
		return false;
	at = heat_text_pass_blanks(at);
	if (!heat_text_parse_number(&at, t->value_unit_ns, ret_value))
		return false;
	return !*heat_text_pass_blanks(at);
}

static bool is_comment(const char *line)
{
	line = heat_text_pass_blanks(line);
	return !*line || *line == '#';
}

static void keep_bad(struct heat_text *t)
{
	t->n_bad++;
	if (t->first_bad)
		return;
	t->first_bad = t->n_lines;
	snprintf(t->bad, sizeof(t->bad), "%s", t->line);
}

static void heat_text_end_line(struct heat_text *t)
{
	bool is_whole = t->length < HEAT_LINE_MAX;
	uint64_t time, value;

	t->line[is_whole ? t->length : HEAT_LINE_MAX - 1] = '\0';
	t->n_lines++;
	/* A NUL within the line would hide the text after it. */
	if (is_whole && strlen(t->line) != t->length)
		is_whole = false;
	if (is_whole && heat_text_parse_line(t, t->line, &time, &value))
		t->point(t->arg, time, value);
	else if (!is_whole || !is_comment(t->line))
		keep_bad(t);
	t->length = 0;
}

void heat_text_take(struct heat_text *t, const char *bytes, size_t n)
{
	for (const char *end = bytes + n; bytes < end;) {
		const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
		size_t more = (size_t)((newline ? newline : end) - bytes);
		size_t room = HEAT_LINE_MAX - t->length;

		memcpy(t->line + t->length, bytes, more < room ? more : room);
		t->length += more < room ? more : room;
		bytes += more;
		if (newline) {
			heat_text_end_line(t);
			bytes++;
		}
	}
}

void heat_text_end(struct heat_text *t)
{
	if (t->length)
		heat_text_end_line(t);
}
