/* SPDX-License-Identifier: MIT */
#include "probe/probe-def.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/probe-parser.h"

/* The kernel's MAX_EVENT_NAME_LEN and MAX_TRACE_ARGS. */
#define NAME_LENGTH_MAX 63
#define ARGS_MAX        128

int probe_refuse(const struct probe_parser *p, const char *where, size_t length, const char *format,
		 ...)
{
	va_list ap;

	va_start(ap, format);
	_cleanup_(freep) char *what = xvasprintf(format, ap);
	va_end(ap);
	return diag_mark(p->diag, -EINVAL, p->text, (size_t)(where - p->text), length,
			 "Semantic error: %s", what);
}

struct probe_words probe_words_from(const struct probe_parser *p, const char *start)
{
	return (struct probe_words){ (size_t)(start - p->text), (size_t)(p->at - start) };
}

bool probe_at_end(const struct probe_parser *p)
{
	return !*p->at || isspace((unsigned char)*p->at);
}

bool probe_name_is_good(const char *name, size_t length)
{
	if (!length || isdigit((unsigned char)*name))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return false;
	return true;
}

int probe_number(const char *start, const char *end, uint64_t *ret)
{
	_cleanup_(freep) char *digits = xstrndup(start, (size_t)(end - start));
	char *stop;

	/* strtoull() would accept signs and blanks too. */
	if (!isdigit((unsigned char)*digits))
		return -EINVAL;
	errno = 0;

	unsigned long long n = strtoull(digits, &stop, 0);

	if (*stop)
		return -EINVAL;
	if (errno)
		return -errno;
	*ret = n;
	return 0;
}

/* Checks the name of a group or event and copies it. */
static int probe_def_take_name(const struct probe_parser *p, const char *start, const char *end,
			       const char *what, char **ret)
{
	size_t length = (size_t)(end - start);

	if (!length)
		return probe_refuse(p, start, 0, "the %s's name is missing here", what);
	if (!probe_name_is_good(start, length)) {
		probe_refuse(p, start, length, "this is not a name for an %s", what);
		diag_hint(p->diag, "names are made of letters, digits and _, and do not begin "
				   "with a digit");
		return -EINVAL;
	}
	if (length > NAME_LENGTH_MAX)
		return probe_refuse(p, start, length,
				    "the name of an %s has %d characters at most, this one has %zu",
				    what, NAME_LENGTH_MAX, length);
	*ret = xstrndup(start, length);
	return 0;
}

/* Returns the ':' before @end that is not part of '::'; NULL: there is none. */
static const char *single_colon(const char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at != ':')
			continue;
		if (at[1] != ':')
			return at;
		at++;
	}
	return NULL;
}

/*
 * Takes "GROUP:EVENT=" or "EVENT=", if the text begins with it. A '=' after a sign of the point is
 * part of the point (FUNC;a=b), as is one in a C++ name (ns::T::operator=).
 */
static int probe_def_take_event(struct probe_parser *p, struct probe_def *d)
{
	const char *start = p->at;
	const char *end = start + strcspn(start, "=;@+%\\\"'<(" PROBE_BLANKS);
	const char *colon = single_colon(start, end);
	int r = 0;

	if (*end != '=' || (!colon && memmem(start, (size_t)(end - start), "::", 2)))
		return 0;
	if (colon)
		r = probe_def_take_name(p, start, colon, "event group", &d->group);
	if (r >= 0)
		r = probe_def_take_name(p, colon ? colon + 1 : start, end, "event", &d->event);
	if (r < 0)
		return r;
	p->at = end + 1;
	if (probe_at_end(p))
		return probe_refuse(p, p->at, 0, "the probe point is missing after '%s='",
				    d->event);
	if (*p->at == '%')
		return probe_refuse(p, start, (size_t)(p->at - start),
				    "a marker or cached probe keeps its own name");
	return 0;
}

/*
 * True if the parser is at "%[GROUP:]EVENT", or at "sdt_PROVIDER:NAME" without the sign, which is
 * known by its first letters.
 */
static bool at_marker(const struct probe_parser *p)
{
	if (*p->at == '%')
		return true;
	if (strncmp(p->at, "sdt_", 4) != 0)
		return false;

	const char *colon = p->at + strcspn(p->at, ":=;@+%\\" PROBE_BLANKS);

	/* sdt_read:12 is a line of a function; sdt_read:ns=foo gives the name of an event. */
	return *colon == ':' && colon[1] != ':' && !isdigit((unsigned char)colon[1]) &&
	       colon[1 + strcspn(colon + 1, "=" PROBE_BLANKS)] != '=';
}

static bool is_marker_char(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_*?[]!-", c));
}

static int probe_def_take_marker(struct probe_parser *p, struct probe_def *d)
{
	const char *sign = p->at;

	p->at += *sign == '%';

	const char *start = p->at;
	bool has_group = false;

	for (; !probe_at_end(p); p->at++) {
		bool is_colon = *p->at == ':' && !has_group && p->at > start;

		if (!is_colon && !is_marker_char(*p->at))
			return probe_refuse(p, p->at, 1,
					    "a marker is named %%PROVIDER:NAME or %%NAME");
		has_group |= is_colon;
	}
	if (p->at == start || p->at[-1] == ':') {
		probe_refuse(p, p->at, 0, "the name of a marker or cached probe is missing here");
		diag_hint(p->diag, "perf list sdt, perf probe --cache --list: shows them");
		return -EINVAL;
	}
	if (p->at - start == 6 && strncmp(start, "return", 6) == 0)
		return probe_refuse(p, sign, 0,
				    "the name of a function is missing before %%return");
	d->marker = xstrndup(start, (size_t)(p->at - start));
	d->point.where = probe_words_from(p, sign);
	return 0;
}

/* Refuses a second field of the same name, as the kernel does. */
static int check_name_is_new(const struct probe_parser *p, const struct probe_def *d)
{
	const struct probe_arg *last = &d->args[d->n_args - 1];
	_cleanup_(freep) char *name = probe_arg_name(last);

	for (size_t i = 0; name && i + 1 < d->n_args; i++) {
		_cleanup_(freep) char *other = probe_arg_name(&d->args[i]);

		if (!other || strcmp(name, other) != 0)
			continue;
		probe_refuse(p, p->text + last->where.at, last->where.length,
			     "two arguments are called '%s'", name);
		diag_hint(p->diag, "give one of them another name: NAME=VALUE");
		return -EINVAL;
	}
	return 0;
}

static int take_args(struct probe_parser *p, struct probe_def *d)
{
	size_t room = 0;

	for (p->at = text_skip_blanks(p->at); *p->at; p->at = text_skip_blanks(p->at)) {
		if (d->n_args == ARGS_MAX)
			return probe_refuse(p, p->at, strcspn(p->at, PROBE_BLANKS),
					    "a probe has %d arguments at most", ARGS_MAX);
		d->args = array_reserve(d->args, &room, d->n_args + 1, sizeof(d->args[0]));
		memset(&d->args[d->n_args], 0, sizeof(d->args[0]));

		int r = probe_arg_take(p, &d->point, &d->args[d->n_args++]);

		if (r >= 0)
			r = check_name_is_new(p, d);
		if (r < 0)
			return r;
	}
	return 0;
}

static int take_def(struct probe_parser *p, struct probe_def *d)
{
	p->at = text_skip_blanks(p->at);
	if (!*p->at) {
		probe_refuse(p, p->at, 0, "the probe definition is empty");
		diag_hint(p->diag, "name a function, as in: perf probe --add 'vfs_read'");
		return -EINVAL;
	}
	if (at_marker(p)) {
		int r = probe_def_take_marker(p, d);

		return r < 0 ? r : take_args(p, d);
	}

	int r = probe_def_take_event(p, d);

	if (r >= 0)
		r = probe_point_take(p, &d->point);
	return r < 0 ? r : take_args(p, d);
}

int probe_def_parse(const char *text, struct probe_def *ret, struct diag *diag)
{
	struct probe_def d = { .text = xstrdup(text) };
	struct probe_parser p = { .text = d.text, .at = d.text, .diag = diag };
	int r = take_def(&p, &d);

	if (r < 0) {
		probe_def_done(&d);
		return r;
	}
	*ret = d;
	return 0;
}

void probe_def_done(struct probe_def *d)
{
	for (size_t i = 0; i < d->n_args; i++)
		probe_arg_done(&d->args[i]);
	free(d->args);
	probe_point_done(&d->point);
	free(d->group);
	free(d->event);
	free(d->marker);
	free(d->text);
	*d = (struct probe_def){ 0 };
}

int probe_def_mark(const struct probe_def *d, struct probe_words w, int error, struct diag *diag,
		   const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	_cleanup_(freep) char *what = xvasprintf(format, ap);
	va_end(ap);
	return diag_mark(diag, error, d->text, w.at, w.length, "%s", what);
}
