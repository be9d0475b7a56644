/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "probe/probe-parser.h"

/* No data structure needs more fields. */
#define FIELDS_MAX 64

/* An argument without its blanks. */
struct probe_arg_word {
	const char *start, *end;
};

void probe_arg_done(struct probe_arg *a)
{
	for (size_t i = 0; i < a->n_fields; i++)
		free(a->fields[i].name);
	free(a->fields);
	free(a->name);
	free(a->what);
	free(a->type);
}

static bool probe_arg_is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Takes "NAME=". A quoted string (\"a=b") has no name. */
static int probe_arg_take_name(const struct probe_parser *p, struct probe_arg_word *w,
			       struct probe_arg *a)
{
	const char *equals = memchr(w->start, '=', (size_t)(w->end - w->start));
	const char *start = w->start;

	if (!equals || *start == '\\')
		return 0;

	size_t length = (size_t)(equals - start);

	if (!length) {
		probe_refuse(p, start, 1, "the argument's name is missing before '='");
		diag_hint(p->diag, "no blanks around the '=' of NAME=VALUE or EVENT=POINT");
		return -EINVAL;
	}
	if (!probe_name_is_good(start, length)) {
		probe_refuse(p, start, length, "this is not a name for an argument");
		diag_hint(p->diag, "names are made of letters, digits and _, and do not begin "
				   "with a digit");
		return -EINVAL;
	}
	if (length > PROBE_ARG_NAME_MAX)
		return probe_refuse(
			p, start, length,
			"an argument's name has %d characters at most, this one has %zu",
			PROBE_ARG_NAME_MAX, length);
	w->start = equals + 1;
	if (w->start == w->end)
		return probe_refuse(p, w->end, 0, "the value of '%.*s' is missing here",
				    (int)length, start);
	a->name = xstrndup(start, length);
	return 0;
}

/* Takes "@user": pointers point into user memory. */
static void probe_arg_take_user(struct probe_arg_word *w, struct probe_arg *a)
{
	static const char attribute[] = "@user";
	size_t n = sizeof(attribute) - 1;

	if ((size_t)(w->end - w->start) <= n || memcmp(w->end - n, attribute, n) != 0)
		return;
	w->end -= n;
	a->is_user = true;
}

/* Finds the colon before the type; "::" is part of a C++ name. */
static const char *type_colon(const struct probe_arg_word *w)
{
	for (const char *at = w->start; at < w->end; at++) {
		if (*at != ':')
			continue;
		if (at + 1 == w->end || at[1] != ':')
			return at;
		at++;
	}
	return NULL;
}

static int probe_arg_take_type(const struct probe_parser *p, struct probe_arg_word *w,
			       struct probe_arg *a)
{
	const char *colon = type_colon(w);

	if (!colon)
		return 0;

	if (colon == w->start) {
		probe_refuse(p, colon, (size_t)(w->end - colon),
			     "there is nothing before this ':'");
		diag_hint(p->diag, "no blanks before the ':' of a line or a type");
		return -EINVAL;
	}

	int r = probe_type_check(p, colon + 1, w->end);

	if (r < 0)
		return r;
	a->type = xstrndup(colon + 1, (size_t)(w->end - colon) - 1);
	w->end = colon;
	return 0;
}

static struct probe_field *probe_arg_add_field(struct probe_arg *a)
{
	a->fields = xrealloc(a->fields, (a->n_fields + 1) * sizeof(a->fields[0]));
	a->fields[a->n_fields] = (struct probe_field){ 0 };
	return &a->fields[a->n_fields++];
}

/* Takes "[3]", from the bracket. */
static int probe_arg_take_index(struct probe_parser *p, const char *end, struct probe_field *f)
{
	const char *open = p->at;
	const char *close = memchr(open, ']', (size_t)(end - open));
	uint64_t n;

	if (!close)
		return probe_refuse(p, open, (size_t)(end - open), "this [ is never closed");

	const char *digits = open + 1;
	bool is_negative = *digits == '-';
	int r = probe_number(digits + is_negative, close, &n);

	if (r == -EINVAL)
		return probe_refuse(p, digits, (size_t)(close - digits),
				    "the index of an array must be a number");
	if (r < 0 || n > INT_MAX)
		return probe_refuse(p, digits, (size_t)(close - digits), "the index is too large");
	f->index = is_negative ? -(int64_t)n : (int64_t)n;
	p->at = close + 1;
	return 0;
}

/* Takes ".name" or "->name", from its sign. */
static int take_member(struct probe_parser *p, const char *end, struct probe_field *f)
{
	f->is_arrow = *p->at == '-';
	p->at += f->is_arrow ? 2 : 1;

	const char *start = p->at;

	while (p->at < end && probe_arg_is_name_char(*p->at))
		p->at++;
	if (isdigit((unsigned char)*start))
		return probe_refuse(p, start, (size_t)(p->at - start),
				    "a member's name does not begin with a digit");
	if (p->at == start)
		return probe_refuse(p, start, 0, "the name of a member is missing here");
	f->name = xstrndup(start, (size_t)(p->at - start));
	return 0;
}

static int refuse_expression(const struct probe_parser *p, const char *end)
{
	const char *at = p->at;

	if (*at == '(')
		return probe_refuse(p, at, (size_t)(end - at), "functions cannot be called here");
	if (*at == ',')
		return probe_refuse(p, at, 1, "arguments are separated by blanks");
	if (*at == '@') {
		probe_refuse(p, at, (size_t)(end - at), "only @user may follow the type");
		diag_hint(p->diag, "VARIABLE:TYPE@user: what it points to is in user space");
		return -EINVAL;
	}
	probe_refuse(p, at, (size_t)(end - at),
		     "a variable can only be followed by a member or an "
		     "index");
	diag_hint(p->diag, "as in tsk->mm, buf.len or list[3]; nothing is computed");
	return -EINVAL;
}

static int probe_arg_take_field(struct probe_parser *p, const char *end, struct probe_arg *a)
{
	const char *start = p->at;
	bool is_arrow = *start == '-' && start + 1 < end && start[1] == '>';
	int r;

	if (a->n_fields == FIELDS_MAX)
		return probe_refuse(p, start, (size_t)(end - start), "more than %d members",
				    FIELDS_MAX);
	if (*start == '[')
		r = probe_arg_take_index(p, end, probe_arg_add_field(a));
	else if (*start == '.' || is_arrow)
		r = take_member(p, end, probe_arg_add_field(a));
	else
		return refuse_expression(p, end);
	a->fields[a->n_fields - 1].where = probe_words_from(p, start);
	return r;
}

/* Takes a name, possibly with C++ namespaces before it. */
static int take_variable_name(struct probe_parser *p, const char *end)
{
	do {
		p->at += *p->at == ':' ? 2 : 0;

		const char *start = p->at;

		while (p->at < end && probe_arg_is_name_char(*p->at))
			p->at++;
		if (!probe_name_is_good(start, (size_t)(p->at - start)))
			return probe_refuse(p, start, (size_t)(p->at - start),
					    "the name of a variable is expected here");
	} while (p->at < end && *p->at == ':');
	return 0;
}

/* Parses a variable, such as "tsk->mm.pgd[3]". */
static int probe_arg_take_variable(const struct probe_parser *outer, const struct probe_arg_word *w,
				   struct probe_arg *a)
{
	struct probe_parser p = *outer;

	p.at = w->start;

	int r = take_variable_name(&p, w->end);

	a->is_variable = true;
	a->what = xstrndup(w->start, (size_t)(p.at - w->start));
	while (r >= 0 && p.at < w->end)
		r = probe_arg_take_field(&p, w->end, a);
	return r;
}

static bool probe_arg_is_variable(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == ':';
}

static int check_no_return(const struct probe_parser *p, const struct probe_point *point,
			   const struct probe_arg_word *w)
{
	if (!point->is_return)
		return 0;
	probe_refuse(p, w->start, (size_t)(w->end - w->start),
		     "the variables of a function are gone when it returns");
	diag_hint(p->diag, "a return probe can record $retval; a variable needs a probe on a line");
	return -EINVAL;
}

static bool is_group_of_variables(const struct probe_arg_word *w)
{
	size_t n = (size_t)(w->end - w->start);

	return (n == 5 && memcmp(w->start, "$vars", n) == 0) ||
	       (n == 7 && memcmp(w->start, "$params", n) == 0);
}

/* True if the kernel reads values of this type from memory, and not from a register. */
static bool needs_memory(const char *type)
{
	return strncmp(type, "string", 6) == 0 || strncmp(type, "ustring", 7) == 0 ||
	       strchr(type, '[');
}

/*
 * Completes a type of which only the sign is given. A register has no declared type, so the type
 * has 64 bits.
 */
static void complete_type(struct probe_arg *a)
{
	if (!a->type || !a->type[0] || a->type[1] || !strchr("xsu", a->type[0]))
		return;

	char *whole = xasprintf("%c64", a->type[0]);

	free(a->type);
	a->type = whole;
}

static int check_fetched_type(const struct probe_parser *p, const struct probe_arg_word *w,
			      const struct probe_arg *a)
{
	bool is_comm = strcasecmp(a->what, "$comm") == 0;
	bool is_value = *a->what == '%' || (*a->what == '$' && !is_comm);
	size_t length = (size_t)(w->end - w->start);

	if (a->type && is_comm && strcmp(a->type, "string") != 0)
		return probe_refuse(p, w->end + 1, strlen(a->type), "$comm is a string");
	if (!a->type || !is_value || !needs_memory(a->type))
		return 0;
	probe_refuse(p, w->start, length, "'%s' is a number, and %s is read from memory", a->what,
		     strchr(a->type, '[') ? "an array" : "a string");
	diag_hint(p->diag, "if it is a pointer: +0(%s):%s", a->what, a->type);
	return -EINVAL;
}

static int take_fetched(const struct probe_parser *p, const struct probe_arg_word *w,
			const struct probe_point *point, struct probe_arg *a)
{
	a->what = xstrndup(w->start, (size_t)(w->end - w->start));
	if (is_group_of_variables(w)) {
		/* Each variable of the group has a name of its own. */
		free(TAKE(a->name));
		return check_no_return(p, point, w);
	}

	int r = probe_fetch_check(p, w->start, w->end, point->is_return);

	if (r >= 0)
		r = check_fetched_type(p, w, a);
	if (r >= 0)
		complete_type(a);
	return r;
}

int probe_arg_take(struct probe_parser *p, const struct probe_point *point, struct probe_arg *ret)
{
	struct probe_arg_word w = { p->at, p->at + strcspn(p->at, PROBE_BLANKS) };
	const char *start = p->at;
	const char *end = w.end;
	int r = probe_arg_take_name(p, &w, ret);

	if (r < 0)
		return r;
	probe_arg_take_user(&w, ret);
	r = probe_arg_take_type(p, &w, ret);
	if (r >= 0 && probe_arg_is_variable(*w.start)) {
		r = check_no_return(p, point, &w);
		if (r >= 0)
			r = probe_arg_take_variable(p, &w, ret);
	} else if (r >= 0) {
		r = take_fetched(p, &w, point, ret);
	}
	p->at = end;
	ret->where = probe_words_from(p, start);
	return r;
}
