/* SPDX-License-Identifier: MIT */
#include "profile/listing-source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/text-files.h"
#include "symbol/symbolizer.h"

/* How many lines of context come before a line that does not follow the one shown last. */
#define LINES_BEFORE 5

void listing_source_begin(struct listing_source *s, struct listing *l,
			  const struct listing_tools *t)
{
	const struct symbol *sym = l->function->sym;

	*s = (struct listing_source){ .listing = l, .tools = t };
	if (t->sources || t->with_lines)
		s->n_rows = image_line_rows(l->function->image, sym->start, sym->start + l->code.n,
					    &s->rows);
}

void listing_source_done(struct listing_source *s)
{
	free(s->files.items);
}

/* Stubs are nobody's functions. */
static bool listing_source_is_stub(const char *name)
{
	size_t n = strlen(name), end = strlen("@plt");

	return n >= end && !strcmp(name + n - end, "@plt");
}

/* Adds the name of the innermost function at @place, unless it was added last. */
static void show_function(struct listing_source *s, uint64_t place)
{
	struct listing *l = s->listing;
	struct source_frames frames = { .n = 0 };
	const char *name = l->name;

	if (!s->n_rows && s->function)
		return;
	if (s->n_rows && s->tools->sources)
		frames = image_code_frames(l->function->image, place);
	if (frames.n && frames.items[0].sym)
		name = frames.items[0].sym->name;
	if (listing_source_is_stub(name) || (s->function && !strcmp(s->function, name)))
		return;
	s->function = name;
	*ARRAY_ADD(l) = (struct listing_line){
		.kind = LISTING_FUNCTION,
		.text = name,
		.length = strlen(name),
	};
}

static struct shown_file *listing_source_find_file(struct listing_source *s, const char *name)
{
	/* File names belong to the image's lines: the same name is mostly the same pointer. */
	for (size_t i = 0; i < s->files.n; i++)
		if (s->files.items[i].name == name || !strcmp(s->files.items[i].name, name))
			return &s->files.items[i];

	struct shown_file *f = ARRAY_ADD(&s->files);

	f->name = name;
	f->file = text_files_find(s->tools->sources, name);
	return f;
}

static void listing_source_add_line(struct listing *l, const struct shown_file *f, uint32_t number)
{
	struct listing_line *line = ARRAY_ADD(l);

	line->kind = LISTING_SOURCE;
	line->number = number;
	line->at = (struct source_line){ f->name, number };
	line->text = text_file_line(f->file, number, &line->length);
}

/* The image itself has the text of some lines: those of BPF programs. */
static void add_own_line(struct listing *l, struct source_line at, const char *text)
{
	struct listing_line *line = ARRAY_ADD(l);

	line->kind = LISTING_SOURCE;
	line->number = at.line;
	line->at = at;
	line->text = text;
	line->length = strlen(text);
}

/* If the file is not on this machine, at least its name is shown. */
static void listing_source_add_place(struct listing *l, struct source_line at)
{
	size_t n = strlen(at.file) + 16;
	struct listing_line *line = ARRAY_ADD(l);
	char *text = arena_alloc(&l->arena, n);

	line->kind = LISTING_PLACE;
	line->number = at.line;
	line->length = (size_t)snprintf(text, n, "%s:%u", at.file, at.line);
	line->text = text;
}

static void show_line(struct listing_source *s)
{
	struct shown_file *f;
	uint32_t first = s->at.line, last = s->at.line;

	if (s->text) {
		add_own_line(s->listing, s->at, s->text);
		return;
	}
	f = listing_source_find_file(s, s->at.file);
	if (!f->file) {
		listing_source_add_place(s->listing, s->at);
		return;
	}
	if (last > text_file_lines(f->file))
		return;
	if (last > f->last) {
		first = last > LINES_BEFORE ? last - LINES_BEFORE : 1;
		first = first > f->last ? first : f->last + 1;
		f->last = last;
	}
	for (uint32_t number = first; number <= last; number++)
		listing_source_add_line(s->listing, f, number);
}

struct source_line listing_source_reach(struct listing_source *s, uint64_t addr)
{
	const struct symbol *sym = s->listing->function->sym;
	uint64_t place = addr - s->listing->start + sym->start;
	struct source_line before = s->at;

	for (; s->row < s->n_rows && s->rows[s->row].addr <= place; s->row++) {
		s->at = (struct source_line){ s->rows[s->row].file, s->rows[s->row].line };
		s->text = s->rows[s->row].text;
	}
	show_function(s, place);
	if (s->tools->sources && s->at.file && s->at.line &&
	    (!before.file || before.line != s->at.line || strcmp(before.file, s->at.file) != 0))
		show_line(s);
	return s->at;
}
