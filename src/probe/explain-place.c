/* SPDX-License-Identifier: MIT */
#include "probe/explain-place.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/memory.h"
#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"

static int note_path(void *arg, uint64_t unit, const char *path)
{
	(void)unit;
	*(const char **)arg = path;
	return 1;
}

static bool explain_place_has_file(struct debug_info *d, const char *file)
{
	const char *path = NULL;

	return debug_info_files(d, file, note_path, &path) > 0;
}

/* Returns the line as a user writes it: FUNC:3, FILE:30. */
static char *explain_place_name_line(const struct debug_point *p, const struct debug_lines *l,
				     uint32_t line)
{
	return xasprintf("%s:%u", p->function ? p->function : p->file, line - l->start);
}

/* Hints at the nearest lines with code: the last one before @line and the first one after it. */
static void explain_place_hint_nearest(const struct debug_point *p, const struct debug_lines *l,
				       uint32_t line, struct diag *diag)
{
	_cleanup_(freep) char *before = NULL, *behind = NULL;
	size_t i = 0;

	while (i < l->n && l->lines[i] < line)
		i++;
	if (i)
		before = explain_place_name_line(p, l, l->lines[i - 1]);
	if (i < l->n)
		behind = explain_place_name_line(p, l, l->lines[i]);
	if (before && behind)
		diag_hint(diag, "The nearest lines that have some are %s and %s", before, behind);
	else if (before)
		diag_hint(diag, "The last line that has some is %s", before);
	else if (behind)
		diag_hint(diag, "The first line that has some is %s", behind);
	diag_hint(diag, "'perf probe -L %s' shows all lines that can be probed",
		  p->function ? p->function : p->file);
}

/* Explains that the line has no code of its own. */
static int explain_line(struct debug_info *d, const struct debug_point *p, struct diag *diag)
{
	const char *name = p->function ? p->function : p->file;
	_cleanup_(debug_lines_done) struct debug_lines l = { 0 };

	if (!p->function && !explain_place_has_file(d, p->file))
		return diag_set(diag, -ENOENT,
				"there is no source file '%s' in the debug information", p->file);
	diag_set(diag, -ENOENT, "line %u of '%s' has no code of its own", p->line, name);
	if ((!p->function || !glob_is_pattern(p->function)) &&
	    debug_lines_find(d, p->function, p->file, 0, UINT32_MAX, &l) >= 0)
		explain_place_hint_nearest(p, &l, l.start + p->line, diag);
	return -ENOENT;
}

/* Explains that no line matches the text. */
static int explain_text(const struct debug_point *p, struct diag *diag)
{
	diag_set(diag, -ENOENT, "no line of '%s' that has code matches this pattern",
		 p->function ? p->function : p->file);
	diag_hint(diag, "It has to match the whole line, except blanks: '*WORD*' finds a word");
	return -ENOENT;
}

/* Explains that there is no such function in @file, or in any file if that is NULL. */
static int explain_place_explain_missing(struct debug_info *d, const char *function,
					 const char *file, struct diag *diag)
{
	const char *other = file ? debug_function_file(d, function) : NULL;

	if (!other)
		return diag_set(diag, -ENOENT, "there is no function '%s' in the debug information",
				function);
	if (explain_place_has_file(d, file))
		diag_set(diag, -ENOENT, "'%s' is not a function of '%s'", function, file);
	else
		diag_set(diag, -ENOENT, "there is no source file '%s' in the debug information",
			 file);
	diag_hint(diag, "'%s' is in '%s'", function, other);
	return -ENOENT;
}

int explain_place(struct debug_info *d, const struct debug_point *p, int error, struct diag *diag)
{
	switch (error) {
	case -ENOENT:
		return explain_place_explain_missing(d, p->function, p->file, diag);
	case -ENODATA:
		return p->matches ? explain_text(p, diag) : explain_line(d, p, diag);
	default:
		return diag_set(diag, error, "the debug information cannot be read: %s",
				strerror(-error));
	}
}

int explain_lines(struct debug_info *d, const char *function, const char *file, int error,
		  struct diag *diag)
{
	switch (error) {
	case -ENOENT:
		return explain_place_explain_missing(d, function, file, diag);
	case -ENODATA:
		return diag_set(diag, -ENOENT, "no line of '%s' has code there",
				function ? function : file);
	default:
		return diag_set(diag, error, "the debug information cannot be read: %s",
				strerror(-error));
	}
}
