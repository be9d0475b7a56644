/* SPDX-License-Identifier: MIT */
#include "probe/name-filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "base/text.h"

/* Deeper nesting would overflow the stack. */
#define DEPTH_MAX 100
#define NAMES_MAX 1000

enum kind {
	PATTERN,
	NOT,
	AND,
	OR,
};

struct name_filter {
	enum kind kind;
	char *pattern;
	struct name_filter *left, *right; /* NOT has only @left */
};

struct name_filter_parser {
	const char *text;
	const char *at;
	unsigned depth, n_names;
	struct diag *diag;
};

static int take_or(struct name_filter_parser *p, struct name_filter **ret);

static struct name_filter *filter_new(enum kind kind, struct name_filter *left,
				      struct name_filter *right)
{
	struct name_filter *f = xcalloc(1, sizeof(*f));

	f->kind = kind;
	f->left = left;
	f->right = right;
	return f;
}

void name_filter_free(struct name_filter *f)
{
	while (f) {
		struct name_filter *left = f->left;

		name_filter_free(f->right);
		free(f->pattern);
		free(f);
		f = left;
	}
}

static int name_filter_refuse(const struct name_filter_parser *p, const char *where, size_t length,
			      const char *what)
{
	return diag_mark(p->diag, -EINVAL, p->text, (size_t)(where - p->text), length, "%s", what);
}

static bool is_pattern_char(char c)
{
	return c && !isspace((unsigned char)c) && !strchr("!&|()", c);
}

/* Returns where the class at @open ends; @open itself if it is never closed. */
static const char *name_filter_class_end(const char *open)
{
	const char *at = open + 1 + (open[1] == '!');
	const char *close = strchr(at + (*at == ']'), ']');

	return close ? close : open;
}

/*
 * Takes a glob, up to a blank or an operator. The ! in [!a-z] is part of the glob, as is any
 * operator after a backslash.
 */
static int name_filter_take_pattern(struct name_filter_parser *p, struct name_filter **ret)
{
	const char *start = p->at;

	for (; is_pattern_char(*p->at); p->at++) {
		if (*p->at == '[')
			p->at = name_filter_class_end(p->at);
		else if (*p->at == '\\' && p->at[1])
			p->at++;
	}
	if (p->at == start)
		return name_filter_refuse(p, start, *start ? 1 : 0,
					  *start ? "a name or glob is expected here, not this"
						 : "a name or glob is missing here");
	if (++p->n_names > NAMES_MAX)
		return name_filter_refuse(p, start, (size_t)(p->at - start), "too many names");
	*ret = filter_new(PATTERN, NULL, NULL);
	(*ret)->pattern = xstrndup(start, (size_t)(p->at - start));
	return 0;
}

static int take_parentheses(struct name_filter_parser *p, struct name_filter **ret)
{
	const char *open = p->at++;
	_cleanup_(name_filter_freep) struct name_filter *f = NULL;
	int r = take_or(p, &f);

	if (r < 0)
		return r;
	if (*p->at != ')')
		return name_filter_refuse(p, open, 1, "this ( is never closed");
	p->at++;
	*ret = TAKE(f);
	return 0;
}

static int name_filter_take_operand(struct name_filter_parser *p, struct name_filter **ret)
{
	struct name_filter *f = NULL;
	bool is_not;
	int r;

	p->at = text_skip_blanks(p->at);
	if (++p->depth > DEPTH_MAX)
		return name_filter_refuse(p, p->at, *p->at ? 1 : 0,
					  "the filter is nested too deep");
	is_not = *p->at == '!';
	if (is_not) {
		p->at++;
		r = name_filter_take_operand(p, &f);
	} else {
		r = *p->at == '(' ? take_parentheses(p, &f) : name_filter_take_pattern(p, &f);
	}
	p->depth--;
	if (r < 0)
		return r;
	*ret = is_not ? filter_new(NOT, f, NULL) : f;
	p->at = text_skip_blanks(p->at);
	return 0;
}

/* Takes operands joined by @sign. */
static int take_joined(struct name_filter_parser *p, char sign, enum kind kind,
		       int (*take)(struct name_filter_parser *, struct name_filter **),
		       struct name_filter **ret)
{
	_cleanup_(name_filter_freep) struct name_filter *left = NULL;
	int r = take(p, &left);

	while (r >= 0 && *p->at == sign) {
		struct name_filter *right = NULL;

		p->at++;
		r = take(p, &right);
		if (r >= 0)
			left = filter_new(kind, left, right);
	}
	if (r >= 0)
		*ret = TAKE(left);
	return r;
}

static int take_and(struct name_filter_parser *p, struct name_filter **ret)
{
	return take_joined(p, '&', AND, name_filter_take_operand, ret);
}

static int take_or(struct name_filter_parser *p, struct name_filter **ret)
{
	return take_joined(p, '|', OR, take_and, ret);
}

int name_filter_parse(const char *text, struct name_filter **ret, struct diag *diag)
{
	_cleanup_(name_filter_freep) struct name_filter *f = NULL;
	struct name_filter_parser p = { .text = text, .at = text, .diag = diag };
	int r = take_or(&p, &f);

	if (r >= 0 && *p.at)
		r = name_filter_refuse(&p, p.at, 1,
				       *p.at == ')' ? "this ) has no ( before it"
						    : "& or | is expected between two names");
	if (r >= 0)
		*ret = TAKE(f);
	else
		diag_hint(diag, "globs joined by & and |, ! before those to leave out, and "
				"parentheses, as in 'tcp_* & !*_recv*'");
	return r;
}

bool name_filter_has(const struct name_filter *f, const char *name)
{
	switch (f->kind) {
	case PATTERN:
		return glob_matches(f->pattern, name);
	case NOT:
		return !name_filter_has(f->left, name);
	case AND:
		return name_filter_has(f->left, name) && name_filter_has(f->right, name);
	case OR:
		return name_filter_has(f->left, name) || name_filter_has(f->right, name);
	}
	return false;
}
