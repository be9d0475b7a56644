/* SPDX-License-Identifier: MIT */
#include "cli/config-parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"

struct config_parser {
	const char *text;
	size_t at, length;
	unsigned line;
	const char *origin;
	struct text section, name, value;
	struct diag *diag;
};

/* Returns the character at the cursor, CR LF as one newline; -1 at the end. */
static int config_parse_look(const struct config_parser *p)
{
	if (p->at >= p->length)
		return -1;
	if (p->text[p->at] == '\r' && p->at + 1 < p->length && p->text[p->at + 1] == '\n')
		return '\n';
	return (unsigned char)p->text[p->at];
}

static void config_parse_skip(struct config_parser *p)
{
	if (p->text[p->at] == '\r' && config_parse_look(p) == '\n')
		p->at++;
	if (p->text[p->at++] == '\n')
		p->line++;
}

static bool config_parse_is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void config_parse_skip_blanks(struct config_parser *p)
{
	while (config_parse_is_blank(config_parse_look(p)))
		config_parse_skip(p);
}

static void skip_comment(struct config_parser *p)
{
	while (config_parse_look(p) != '\n' && config_parse_look(p) != -1)
		config_parse_skip(p);
}

/* Reports an error at the character at the cursor, within its line. */
static int config_parse_mistake(struct config_parser *p, const char *what)
{
	size_t start = p->at, end = p->at;

	while (start > 0 && p->text[start - 1] != '\n')
		start--;
	while (end < p->length && p->text[end] != '\n' && p->text[end] != '\r')
		end++;

	_cleanup_(freep) char *line = xstrndup(p->text + start, end - start);

	return diag_mark(p->diag, -EINVAL, line, p->at - start, p->at < end, "%s:%u: %s", p->origin,
			 p->line, what);
}

/* Returns the column of the cursor, from 1. */
static unsigned config_parse_column(const struct config_parser *p)
{
	size_t start = p->at;

	while (start > 0 && p->text[start - 1] != '\n')
		start--;
	return (unsigned)(p->at - start) + 1;
}

/* Parses the "Sub" of [section "Sub"], and its closing bracket. */
static int take_subsection(struct config_parser *p)
{
	config_parse_skip_blanks(p);
	if (config_parse_look(p) != '"')
		return config_parse_mistake(
			p, "a subsection is written in quotes: [section \"Name\"]");
	config_parse_skip(p);
	text_add_char(&p->section, '.');
	for (; config_parse_look(p) != '"'; config_parse_skip(p)) {
		if (config_parse_look(p) == '\\')
			config_parse_skip(p);
		if (config_parse_look(p) == -1 || config_parse_look(p) == '\n')
			return config_parse_mistake(p, "this header has no end");
		text_add_char(&p->section, (char)config_parse_look(p));
	}
	config_parse_skip(p);
	if (config_parse_look(p) != ']')
		return config_parse_mistake(p, "expected ] here");
	return 0;
}

static int config_parse_take_header(struct config_parser *p)
{
	text_clear(&p->section);
	config_parse_skip(p);
	for (; config_parse_look(p) != ']'; config_parse_skip(p)) {
		int c = config_parse_look(p);

		if (config_parse_is_blank(c) && p->section.length) {
			int r = take_subsection(p);

			if (r < 0)
				return r;
			break;
		}
		if (c == -1 || c == '\n')
			return config_parse_mistake(p, "this header has no ]");
		if (!isalnum(c) && c != '-' && c != '.' && c != '_')
			return config_parse_mistake(
				p, "a section's name has letters, digits, - _ and .");
		text_add_char(&p->section, (char)tolower(c));
	}
	if (!p->section.length || p->section.chars[0] == '.')
		return config_parse_mistake(p, "this section has no name");
	config_parse_skip(p);
	return 0;
}

/* Parses one escaped character: \n \t \b \\ \" or a line continuation. */
static int config_parse_take_escape(struct config_parser *p)
{
	static const char letters[] = "ntb\\\"", codes[] = "\n\t\b\\\"";

	config_parse_skip(p);

	int c = config_parse_look(p);
	const char *at = c > 0 ? strchr(letters, c) : NULL;

	if (c == -1)
		return config_parse_mistake(p, "a backslash at the end of the file");
	if (!at && c != '\n')
		return config_parse_mistake(p, "unknown escape: use \\n, \\t, \\b, \\\\ or \\\"");
	if (at)
		text_add_char(&p->value, codes[at - letters]);
	config_parse_skip(p);
	/* Text that is appended to the file later must not become part of this value. */
	return !at && config_parse_look(p) == -1
		       ? config_parse_mistake(p, "a line to be continued, but the file ends")
		       : 0;
}

/*
 * Parses a value up to the end of the line or a comment. Blanks around it are dropped, and each run
 * of blanks within becomes one space, except in quotes.
 */
static int config_parse_take_value(struct config_parser *p, struct config_line *l)
{
	bool quoted = false, space = false;

	config_parse_skip_blanks(p);
	l->value_start = l->value_end = p->at;
	l->column = config_parse_column(p);
	text_clear(&p->value);
	for (int c; (c = config_parse_look(p)) != -1 && c != '\n';) {
		if (!quoted && (c == '#' || c == ';')) {
			skip_comment(p);
			break;
		}
		if (!quoted && config_parse_is_blank(c)) {
			space = p->value.length;
			config_parse_skip(p);
			continue;
		}
		if (space)
			text_add_char(&p->value, ' ');
		space = false;
		if (c == '\\') {
			int r = config_parse_take_escape(p);

			if (r < 0)
				return r;
		} else {
			if (c == '"')
				quoted = !quoted;
			else
				text_add_char(&p->value, (char)c);
			config_parse_skip(p);
		}
		l->value_end = p->at;
	}
	return quoted ? config_parse_mistake(p, "this value lacks its closing quote") : 0;
}

static int config_parse_take_variable(struct config_parser *p, struct config_line *l)
{
	if (!p->section.length)
		return config_parse_mistake(p, "a variable before the first [section]");
	text_clear(&p->name);
	for (int c; isalnum(c = config_parse_look(p)) || c == '-' || c == '_'; config_parse_skip(p))
		text_add_char(&p->name, (char)c);
	l->end = p->at;
	config_parse_skip_blanks(p);
	if (config_parse_look(p) == '=') {
		config_parse_skip(p);
		return config_parse_take_value(p, l);
	}
	/* A name alone means "true", as in git's files. */
	text_clear(&p->value);
	text_add(&p->value, "true");
	if (config_parse_look(p) == '#' || config_parse_look(p) == ';')
		skip_comment(p);
	return config_parse_look(p) == '\n' || config_parse_look(p) == -1
		       ? 0
		       : config_parse_mistake(p, "expected = here");
}

/* Parses one header or variable, or only blanks and comments (then *@ret_found is false). */
static int config_parse_take_item(struct config_parser *p, struct config_line *l, bool *ret_found)
{
	int c, r = 0;

	*ret_found = false;
	while (config_parse_is_blank(c = config_parse_look(p)) || c == '\n')
		config_parse_skip(p);
	*l = (struct config_line){ .line = p->line };
	if (c == -1)
		return 0;
	if (c == '#' || c == ';') {
		skip_comment(p);
		return 0;
	}
	if (c == '[') {
		r = config_parse_take_header(p);
		l->end = p->at;
	} else if (isalpha(c)) {
		r = config_parse_take_variable(p, l);
		l->name = p->name.chars;
		l->value = p->value.chars;
	} else {
		r = config_parse_mistake(p, "expected a [section], a `name = value' or a comment");
	}
	l->section = p->section.chars;
	*ret_found = true;
	return r;
}

/* Returns the offset of the line after the cursor. */
static size_t config_parse_next_line(const struct config_parser *p)
{
	const char *newline = memchr(p->text + p->at, '\n', p->length - p->at);

	return newline ? (size_t)(newline - p->text) + 1 : p->length;
}

int config_parse_lines(const char *text, size_t length, const char *origin, config_line_fn *fn,
		       void *arg, struct diag *diag)
{
	/* Text after a NUL byte could not be written back. */
	struct config_parser p = { .text = text,
				   .length = strnlen(text, length),
				   .line = 1,
				   .origin = origin,
				   .section = TEXT_EMPTY,
				   .name = TEXT_EMPTY,
				   .value = TEXT_EMPTY,
				   .diag = diag };
	int r = 0;

	if (p.length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		p.at = 3;
	while (r >= 0 && p.at < p.length) {
		struct config_line l;
		bool found;

		r = config_parse_take_item(&p, &l, &found);
		l.next = config_parse_next_line(&p);
		if (r >= 0 && found)
			r = fn(&l, arg);
	}
	if (r >= 0 && p.length < length)
		r = config_parse_mistake(&p, "a NUL byte");
	text_done(&p.section);
	text_done(&p.name);
	text_done(&p.value);
	return r < 0 ? r : 0;
}
