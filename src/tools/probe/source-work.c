/* SPDX-License-Identifier: MIT */
#include "tools/probe/source-work.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "dwarf/debug-info.h"
#include "probe/debug-alias.h"
#include "probe/explain-function.h"
#include "probe/explain-place.h"
#include "probe/probe-parser.h"
#include "probe/probe-request.h"
#include "probe/probe-target.h"
#include "probe/source-path.h"
#include "symbol/text-files.h"

void probe_source_done(struct probe_source *s)
{
	debug_lines_done(&s->lines);
	text_files_free(s->files);
	probe_target_free(s->target);
	free(s->path);
}

/*
 * Looks for an alias of the function: malloc has the name __libc_malloc in the debug information.
 */
static int find_by_alias(struct probe_source *s, const struct line_range *range,
			 struct debug_info *info)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };
	int r = -ENOENT;

	debug_alias_find(s->target, info, range->function, &names);
	for (size_t i = 0; r < 0 && i < names.n; i++)
		r = debug_lines_find(info, names.items[i], range->file, range->from, range->to,
				     &s->lines);
	return r;
}

static int probe_source_find_lines(struct probe_source *s, const struct probe_request *rq,
				   const struct line_range *range, struct diag *d)
{
	struct probe_target_options options = probe_request_target(rq, rq->program, rq->module);
	struct debug_info *info;
	int r = probe_target_open(&options, &s->target, d);

	if (r < 0)
		return r;
	r = probe_target_debug(s->target, &info, d);
	if (r < 0)
		return explain_name(s->target, range->function, d) ? -ENOENT : r;
	r = debug_lines_find(info, range->function, range->file, range->from, range->to, &s->lines);
	if (r < 0)
		r = explain_lines(info, range->function, range->file, r, d);
	if (r == -ENOENT && range->function && find_by_alias(s, range, info) >= 0)
		return 0;
	if (r == -ENOENT && range->function && !d->hint)
		explain_function(s->target, range->function, d);
	return r;
}

static int probe_source_no(const struct probe_source *s, const struct probe_request *rq,
			   struct diag *d)
{
	const char *program = probe_target_name(s->target);

	diag_set(d, -ENOENT, "the source file '%s' is not here", s->lines.file);
	if (rq->source)
		diag_hint(d, "nor is any file with the end of that path in '%s'", rq->source);
	else if (s->lines.directory)
		diag_hint(d, "it was compiled in '%s'", s->lines.directory);
	if (probe_target_kind(s->target) != PROBE_PROGRAM)
		diag_hint(d, "unpack the source of this kernel (Debian: package linux-source), and "
			     "name its directory with -s DIR");
	else
		diag_hint(d,
			  "-s DIR says where the sources are; 'debuginfod-find source %s PATH' may "
			  "bring them",
			  program);
	return -ENOENT;
}

int probe_source_find(const struct probe_request *rq, const char *text, struct probe_source *ret,
		      struct diag *diag)
{
	_cleanup_(line_range_done) struct line_range range = { 0 };
	struct probe_source *s = ret;
	int r = line_range_parse(text, &range, diag);

	*s = (struct probe_source){ 0 };
	if (r >= 0)
		r = probe_source_find_lines(s, rq, &range, diag);
	if (r < 0)
		return r;
	s->files = text_files_new(&(struct text_files_options){ 0 });
	s->path = source_path_find(s->lines.file, s->lines.directory, rq->source);
	if (s->path)
		s->text = text_files_find(s->files, s->path);
	return s->text ? 0 : probe_source_no(s, rq, diag);
}

/* Parses a line or a count, up to one of the characters @signs. */
static int probe_source_take_number(struct probe_parser *p, const char *signs, const char *what,
				    uint32_t *ret)
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

/* Parses FROM, FROM-TO or FROM+COUNT. */
static int line_range_take_lines(struct probe_parser *p, struct line_range *l)
{
	const char *start = p->at;
	uint32_t count;
	int r = probe_source_take_number(p, "+-", "the first line", &l->from);

	if (r < 0 || !*p->at)
		return r;
	if (*p->at++ == '-') {
		r = probe_source_take_number(p, "", "the last line", &l->to);
		if (r >= 0 && l->to < l->from)
			r = probe_refuse(p, start, (size_t)(p->at - start),
					 "the last line comes before the first");
		return r;
	}

	const char *digits = p->at;

	r = probe_source_take_number(p, "", "the number of lines", &count);
	if (r < 0)
		return r;
	if (!count)
		return probe_refuse(p, digits, 1, "no lines are to be shown");
	l->to = l->from + count - 1;
	return 0;
}

/* Rejects signs of probe points, which have no meaning here. */
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
