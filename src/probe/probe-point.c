/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/probe-parser.h"

/* The parts after the name, each with its position in the text; NULL: not given. */
struct suffixes {
	const char *line, *offset, *file, *is_return, *pattern;
};

void probe_point_done(struct probe_point *p)
{
	free(p->function);
	free(p->file);
	free(p->pattern);
}

/* Takes the digits up to the next sign. */
static int probe_point_take_number(struct probe_parser *p, const char *what, uint64_t max,
				   uint64_t *ret)
{
	const char *start = p->at;
	uint64_t n;

	p->at += strcspn(p->at, PROBE_SIGNS PROBE_BLANKS);

	size_t length = (size_t)(p->at - start);
	int r = probe_number(start, p->at, &n);

	if (!length)
		return probe_refuse(p, start, 0, "%s is missing here", what);
	if (r == -ERANGE || (r >= 0 && n > max))
		return probe_refuse(p, start, length, "%s is too large", what);
	if (r < 0 && *start == '-')
		return probe_refuse(p, start, length, "%s cannot be negative", what);
	if (r < 0)
		return probe_refuse(p, start, length, "%s must be a number", what);
	*ret = n;
	return 0;
}

static int probe_point_take_line(struct probe_parser *p, struct probe_point *point)
{
	uint64_t line;

	/* "FUNC:" means the entry: scripts write it when they have found no line. */
	if (probe_at_end(p))
		return 0;

	int r = probe_point_take_number(p, "the line number", INT_MAX, &line);

	if (r < 0)
		return r;
	point->line = (uint32_t)line;
	point->has_line = true;
	return 0;
}

static int take_file(struct probe_parser *p, struct probe_point *point)
{
	if (point->file)
		return probe_refuse(p, p->at - 1, 1, "there is a file already");
	return probe_file_take(p, &point->file);
}

static int take_return(struct probe_parser *p, struct probe_point *point)
{
	const char *start = p->at;

	p->at += strcspn(p->at, PROBE_SIGNS PROBE_BLANKS);
	if (p->at - start != 6 || strncmp(start, "return", 6) != 0) {
		probe_refuse(p, start - 1, (size_t)(p->at - start) + 1,
			     "only %%return may follow a function here");
		diag_hint(p->diag, "%%%s", "return: where the function returns to its caller");
		return -EINVAL;
	}
	point->is_return = true;
	return 0;
}

/*
 * Returns where a quoted pattern ends: at a quote that is followed by a blank or by nothing. NULL:
 * it is not quoted.
 */
static const char *quoted_end(const char *open)
{
	if (*open != '"' && *open != '\'')
		return NULL;
	for (const char *at = strchr(open + 1, *open); at; at = strchr(at + 1, *open))
		if (!at[1] || isspace((unsigned char)at[1]))
			return at;
	return NULL;
}

/*
 * Takes the rest of the word. "\\ " is a blank in the pattern; other backslashes belong to the
 * pattern itself.
 */
static char *take_unquoted(struct probe_parser *p)
{
	struct text t = TEXT_EMPTY;

	for (; !probe_at_end(p); p->at++) {
		if (*p->at == '\\' && p->at[1]) {
			p->at++;
			if (!isspace((unsigned char)*p->at))
				text_add_char(&t, '\\');
		}
		text_add_char(&t, *p->at);
	}
	return text_take(&t);
}

static int probe_point_take_pattern(struct probe_parser *p, struct probe_point *point)
{
	const char *start = p->at;
	const char *close = quoted_end(start);

	if (close) {
		point->pattern = xstrndup(start + 1, (size_t)(close - start) - 1);
		p->at = close + 1;
	} else {
		point->pattern = take_unquoted(p);
	}
	if (*point->pattern)
		return 0;
	return probe_refuse(p, start, (size_t)(p->at - start),
			    "the pattern of the lines to look for is missing here");
}

/* Takes the part that begins with the sign at @p; each may be given once. */
static int probe_point_take_suffix(struct probe_parser *p, struct probe_point *point,
				   struct suffixes *s)
{
	const char *start = p->at++;
	const char **seen;
	int (*take)(struct probe_parser *, struct probe_point *);

	switch (*start) {
	case ':':
		seen = &s->line;
		take = probe_point_take_line;
		break;
	case '@':
		seen = &s->file;
		take = take_file;
		break;
	case '%':
		seen = &s->is_return;
		take = take_return;
		break;
	case ';':
		seen = &s->pattern;
		take = probe_point_take_pattern;
		break;
	default:
		if (s->offset)
			return probe_refuse(p, start, 1, "there is an offset already");
		s->offset = start;
		return probe_point_take_number(p, "the offset", INT64_MAX, &point->offset);
	}
	if (*seen)
		return probe_refuse(p, start, 1, "'%c' is given twice", *start);
	*seen = start;
	return take(p, point);
}

static int probe_point_take_address(struct probe_parser *p, struct probe_point *point)
{
	const char *start = p->at;

	p->at += strcspn(p->at, PROBE_SIGNS PROBE_BLANKS);

	size_t length = (size_t)(p->at - start);
	int r = probe_number(start, p->at, &point->address);

	if (r == -ERANGE)
		return probe_refuse(p, start, length, "an address has 64 bits at most");
	if (r < 0)
		return probe_refuse(p, start, length, "this is not a hexadecimal address");
	point->has_address = true;
	return 0;
}

/* Takes the function, file or address that a point begins with. */
static int probe_point_take_head(struct probe_parser *p, struct probe_point *point)
{
	if (strncmp(p->at, "0x", 2) == 0)
		return probe_point_take_address(p, point);
	return probe_place_take(p, false, &point->function, &point->file);
}

/* Refuses two parts that exclude each other, and marks the later one. */
static int probe_point_refuse_both(const struct probe_parser *p, const char *a, const char *b,
				   const char *why)
{
	const char *start = a > b ? a : b;

	return probe_refuse(p, start, 1 + strcspn(start + 1, PROBE_SIGNS PROBE_BLANKS), "%s", why);
}

static int check_return(const struct probe_parser *p, const struct probe_point *point,
			const struct suffixes *s)
{
	const char *other = point->line ? s->line : point->offset ? s->offset : s->pattern;

	if (!point->is_return || !other)
		return 0;
	probe_point_refuse_both(p, s->is_return, other, "a return probe is on the whole function");
	diag_hint(p->diag, "%%return takes no line, offset or pattern");
	return -EINVAL;
}

static int check_address(const struct probe_parser *p, const struct probe_point *point,
			 const struct suffixes *s)
{
	if (s->offset && point->offset) {
		probe_point_refuse_both(p, s->offset, s->offset, "an address takes no offset");
		diag_hint(p->diag, "write their sum: 0x%llx",
			  (unsigned long long)(point->address + point->offset));
		return -EINVAL;
	}

	const char *other = s->line ? s->line : s->file ? s->file : s->pattern;

	return other ? probe_point_refuse_both(p, other, other,
					       "only %return may follow an address")
		     : 0;
}

static int check_file(const struct probe_parser *p, const struct probe_point *point,
		      const struct suffixes *s)
{
	if (s->is_return)
		return probe_point_refuse_both(p, s->is_return, s->is_return,
					       "%return needs a function, not a line of a file");
	if (s->offset)
		return probe_point_refuse_both(
			p, s->offset, s->offset,
			"an offset counts from a function, not from a line of a file");
	if (point->has_line && !point->line)
		return probe_point_refuse_both(p, s->line, s->line,
					       "the lines of a file count from 1");
	if (!point->line && !point->pattern)
		return probe_refuse(p, p->at, 0,
				    "a file needs a line or a pattern: FILE:LINE or FILE;PATTERN");
	return 0;
}

static int probe_point_check(const struct probe_parser *p, struct probe_point *point,
			     const struct suffixes *s)
{
	if (!point->function && !point->file && !point->has_address)
		return probe_refuse(p, p->text + point->where.at, 0,
				    "the name of a function is missing here");
	if (point->line && point->offset)
		return probe_point_refuse_both(p, s->line, s->offset,
					       "a line and an offset cannot be used together");
	if (point->line && point->pattern)
		return probe_point_refuse_both(p, s->line, s->pattern,
					       "a line and a pattern cannot be used together");
	if (point->offset && point->pattern)
		return probe_point_refuse_both(p, s->offset, s->pattern,
					       "an offset and a pattern cannot be used together");
	if (point->has_address)
		return check_address(p, point, s);
	if (!point->function)
		return check_file(p, point, s);
	/* Line 0 of a function is its entry. */
	point->has_line = point->line != 0;
	return check_return(p, point, s);
}

int probe_point_take(struct probe_parser *p, struct probe_point *ret)
{
	struct suffixes s = { 0 };
	const char *start = p->at;
	int r = probe_point_take_head(p, ret);

	while (r >= 0 && !probe_at_end(p))
		r = probe_point_take_suffix(p, ret, &s);
	ret->where = probe_words_from(p, start);
	return r < 0 ? r : probe_point_check(p, ret, &s);
}
