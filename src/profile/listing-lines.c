/* SPDX-License-Identifier: MIT */
/*
 * The listing of a function of an interpreted language. Its image has no code, only lines: so the
 * listing has the lines of its source with their weights, in the order of the source.
 */
#include "profile/listing-lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "profile/annotation.h"
#include "runtime/runtime.h"
#include "symbol/symbolizer.h"
#include "symbol/text-files.h"

/* Lines between two lines of a function are shown if they are not more than these. */
#define GAP_MAX 10

bool listing_has_lines_only(const struct annotated_function *f)
{
	return runtime_kind_of_path(image_name(f->image)) != RUNTIME_KIND_NONE;
}

static int listing_lines_compare(const struct source_line *a, const struct source_line *b)
{
	int c = a->file == b->file ? 0 : strcmp(a->file, b->file);

	return c ? c : (a->line > b->line) - (a->line < b->line);
}

static int listing_lines_by_line(const void *a, const void *b)
{
	return listing_lines_compare(a, b);
}

/* Returns the different lines of @f, sorted. The caller frees them. */
static struct source_line *listing_lines_find(const struct annotated_function *f, size_t *ret_n)
{
	const struct line_row *rows;
	size_t n_rows = image_line_rows(f->image, f->sym->start, f->sym->end, &rows), n = 0;
	struct source_line *lines = xcalloc(n_rows + 1, sizeof(*lines));

	for (size_t i = 0; i < n_rows; i++)
		if (rows[i].file && rows[i].line)
			lines[n++] = (struct source_line){ rows[i].file, rows[i].line };
	qsort(lines, n, sizeof(*lines), listing_lines_by_line);
	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		if (!*ret_n || listing_lines_compare(&lines[*ret_n - 1], &lines[i]))
			lines[(*ret_n)++] = lines[i];
	return lines;
}

static void listing_lines_add(struct listing *l, const struct text_file *file,
			      struct source_line at)
{
	struct listing_line *line = ARRAY_ADD(l);
	const char *text = "";
	size_t n = 0;

	if (file && at.line <= text_file_lines(file))
		text = text_file_line(file, at.line, &n);
	*line = (struct listing_line){
		.kind = LISTING_LINE,
		.text = arena_strndup(&l->arena, text, n),
		.length = n,
		.number = at.line,
		.at = at,
		.lead = "",
		.comment = "",
		.weights = arena_alloc(&l->arena, (l->all->n_events + 1) * sizeof(struct weight)),
	};
}

/* Says which file is not here. */
static void listing_lines_add_missing(struct listing *l, const char *file)
{
	static const char format[] = "the source is not here: %s";
	struct listing_line *line = ARRAY_ADD(l);
	size_t n = sizeof(format) + strlen(file);
	char *text = arena_alloc(&l->arena, n);

	*line = (struct listing_line){ .kind = LISTING_PLACE, .text = text };
	line->length = (size_t)snprintf(text, n, format, file);
}

static void listing_lines_add_all(struct listing *l, const struct listing_tools *t,
				  const struct source_line *lines, size_t n)
{
	const struct text_file *file = NULL;

	for (size_t i = 0; i < n; i++) {
		bool same = i && !strcmp(lines[i].file, lines[i - 1].file);
		uint32_t from = lines[i].line;

		if (!same && t->sources) {
			file = text_files_find(t->sources, lines[i].file);
			if (!file)
				listing_lines_add_missing(l, lines[i].file);
		}
		if (same && file && from - lines[i - 1].line <= GAP_MAX)
			from = lines[i - 1].line + 1;
		for (uint32_t k = from; k <= lines[i].line; k++)
			listing_lines_add(l, file, (struct source_line){ lines[i].file, k });
	}
}

static struct listing_line *listing_lines_at(struct listing *l, const struct line_row *row)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].kind == LISTING_LINE && l->items[i].number == row->line &&
		    !strcmp(l->items[i].at.file, row->file))
			return &l->items[i];
	return NULL;
}

void listing_lines_weigh(struct listing *l)
{
	const struct annotated_function *f = l->function;
	const struct line_row *rows;
	size_t n = image_line_rows(f->image, f->sym->start, f->sym->end, &rows);

	for (size_t i = 0; i < l->n; i++)
		if (l->items[i].kind == LISTING_LINE)
			memset((struct weight *)l->items[i].weights, 0,
			       l->all->n_events * sizeof(struct weight));
	for (size_t i = 0; i < n; i++) {
		uint64_t start = rows[i].addr > f->sym->start ? rows[i].addr : f->sym->start;
		uint64_t end = i + 1 < n ? rows[i + 1].addr : f->sym->end;
		struct listing_line *line = rows[i].file ? listing_lines_at(l, &rows[i]) : NULL;

		/* The weights belong to the listing, so they may be changed. */
		for (size_t e = 0; line && e < l->all->n_events; e++)
			weight_add((struct weight *)&line->weights[e],
				   annotated_weight(l->all, f, e, start, end));
	}
}

int listing_lines_make(const struct listing_tools *t, const struct annotated_functions *all,
		       const struct annotated_function *f, struct listing *ret, struct diag *diag)
{
	struct listing l = { .all = all, .function = f, .name = f->sym->name, .is_source = true };
	size_t n;
	_cleanup_(freep) struct source_line *lines = listing_lines_find(f, &n);

	if (!n) {
		diag_set(diag, -ENODATA, "the lines of its source are not known");
		return -ENODATA;
	}
	l.start = f->sym->start;
	l.end = f->sym->end;
	l.section = ".text";
	listing_lines_add_all(&l, t, lines, n);
	listing_lines_weigh(&l);
	*ret = l;
	return 0;
}
