/* SPDX-License-Identifier: MIT */
#include "tools/probe/line-range-work.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/glob.h"
#include "probe/probe-parser.h"

/* A line or a count, up to one of @signs. */
static int take_number(struct probe_parser *p, const char *signs, const char *what, uint32_t *ret)
{
	const char *start = p->at;
	uint64_t n;

	p->at += strcspn(p->at, signs);

	size_t length = (size_t)(p->at - start);
	int r = probe_number(start, p->at, &n);

	if (!length)
		return probe_refuse(p, start, 0, "%s is missing here", what);
	if (r == -ERANGE || (r >= 0 && n > INT_MAX))
		return probe_refuse(p, start, length, "%s is too large", what);
	if (r < 0)
		return probe_refuse(p, start, length, "%s must be a number", what);
	*ret = (uint32_t)n;
	return 0;
}

/* FROM, FROM-TO or FROM+COUNT */
static int line_range_take_lines(struct probe_parser *p, struct line_range *l)
{
	const char *start = p->at;
	uint32_t count;
	int r = take_number(p, "+-", "the first line", &l->from);

	if (r < 0 || !*p->at)
		return r;
	if (*p->at++ == '-') {
		r = take_number(p, "", "the last line", &l->to);
		if (r >= 0 && l->to < l->from)
			r = probe_refuse(p, start, (size_t)(p->at - start),
					 "the last line comes before the first");
		return r;
	}

	const char *digits = p->at;

	r = take_number(p, "", "the number of lines", &count);
	if (r < 0)
		return r;
	if (!count)
		return probe_refuse(p, digits, 1, "no lines are to be shown");
	l->to = l->from + count - 1;
	return 0;
}

/* Signs of probe points, which have no meaning here. */
static int refuse_sign(const struct probe_parser *p)
{
	if (!*p->at)
		return probe_refuse(p, p->at, 0, "the name of a function or file is missing here");
	probe_refuse(p, p->at, strlen(p->at), "only lines may follow here");
	diag_hint(p->diag, "FUNC[@FILE][:FROM[-TO]], FILE[:FROM[-TO]] or +COUNT instead of -TO");
	return -EINVAL;
}

static int line_range_take(struct probe_parser *p, struct line_range *l)
{
	const char *start = p->at;
	int r = probe_place_take(p, true, &l->function, &l->file);

	if (r >= 0 && l->function && glob_is_pattern(l->function))
		return probe_refuse(p, start, (size_t)(p->at - start),
				    "the lines of one function are shown, not of several");
	if (r >= 0 && l->function && *p->at == '@') {
		p->at++;
		r = probe_file_take(p, &l->file);
	}
	if (r < 0)
		return r;
	if ((!l->function && !l->file) || (*p->at && *p->at != ':'))
		return refuse_sign(p);
	if (!*p->at++)
		return 0;
	return line_range_take_lines(p, l);
}

int line_range_parse(const char *text, struct line_range *ret, struct diag *diag)
{
	struct line_range l = { .to = UINT32_MAX };
	struct probe_parser p = { .text = text,
				  .at = text + strspn(text, PROBE_BLANKS),
				  .diag = diag };
	int r = line_range_take(&p, &l);

	if (r < 0) {
		line_range_done(&l);
		return r;
	}
	*ret = l;
	return 0;
}

void line_range_done(struct line_range *r)
{
	free(r->function);
	free(r->file);
	*r = (struct line_range){ 0 };
}
