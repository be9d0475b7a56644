/* SPDX-License-Identifier: MIT */
/* Finds source files by the end of their path, and the code of their lines. */
#include "dwarf/debug-info.h"

#include <errno.h>

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/workers.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/line-files.h"
#include "dwarf/line-table.h"

/* Fewer units than this are read faster than a thread starts. */
#define CANDIDATES_ALONE 8
#define WORKERS_MAX      8

static bool has_tail(const char *path, const char *tail)
{
	size_t n = strlen(path), m = strlen(tail);

	return n >= m && !strcmp(path + n - m, tail) &&
	       (n == m || tail[0] == '/' || path[n - m - 1] == '/');
}

/* A unit that has the file, and whether the line has code in it. */
struct debug_info_files_candidate {
	const struct debug_part *part;
	const struct die_unit *unit;
	const char *path;
	bool *wanted; /* flags by the numbers of files */
	size_t n;
	bool has_line;
};

/* A search for a source file. */
struct file_search {
	struct debug_info *info;
	const char *tail, *base; /* end of the path; its last component */
	uint64_t line;           /* 0: all lines */
	int (*each)(void *arg, uint64_t unit, const char *path);
	void *arg;
	struct line_files files; /* files of the unit that is being read */
	struct {
		struct debug_info_files_candidate *items;
		size_t n, room;
	} candidates;     /* with a line only */
	uint8_t *answers; /* cached for names in .debug_line_str: 0 unknown, 1 no, 2 yes */
	size_t n_answers;
};

/* True if the last components are equal. The answer is cached, because units share names. */
static bool debug_info_files_has_base(struct file_search *s, const struct line_file *f)
{
	uint8_t unknown = 0, *answer = &unknown;

	if (f->name_at < s->n_answers)
		answer = &s->answers[f->name_at];
	if (!*answer)
		*answer = has_tail(f->name, s->base) ? 2 : 1;
	return *answer == 2;
}

/* Returns the path, joined as libdw does it, so that it equals the names in libdw's line tables. */
static const char *debug_info_files_path_of(struct debug_info *d, uint64_t unit,
					    const struct line_file *f)
{
	_cleanup_(text_done) struct text path = TEXT_EMPTY;
	const char *directory = f->directory;
	Dwarf_Attribute a;
	Dwarf_Die die;

	if (f->name[0] == '/')
		return debug_info_text(d, f->name);
	if (!directory && debug_info_die(d, unit, &die))
		directory = dwarf_formstring(dwarf_attr(&die, DW_AT_comp_dir, &a));
	if (directory)
		text_addf(&path, "%s/", directory);
	text_add(&path, f->name);
	return debug_info_text(d, path.chars);
}

/* Returns the unit with the functions of @u, a unit of @p; @u itself unless it is split. */
static uint64_t full_unit(struct debug_info *d, const struct debug_part *p,
			  const struct die_unit *u)
{
	for (size_t i = 0; u->is_split && i < d->n_parts; i++)
		if (d->parts[i]->skeleton == u->entry && d->parts[i]->die.n_units)
			return debug_entry_number(i, d->parts[i]->die.units[0].entry);
	return debug_entry_number(p->number, u->entry);
}

/* Returns the path of @f, if the file is searched for; else NULL. */
static const char *wanted_path(struct file_search *s, const struct debug_part *p,
			       const struct die_unit *u, const struct line_file *f)
{
	const char *path = NULL;

	if (debug_info_files_has_base(s, f))
		path = debug_info_files_path_of(s->info, debug_entry_number(p->number, u->entry),
						f);
	return path && has_tail(path, s->tail) ? path : NULL;
}

static int each_file(struct file_search *s, const struct debug_part *p, const struct die_unit *u)
{
	int r = 0;

	for (size_t i = 0; i < s->files.n && !r; i++) {
		const char *path = wanted_path(s, p, u, &s->files.items[i]);

		if (path)
			r = s->each(s->arg, full_unit(s->info, p, u), path);
	}
	return r;
}

static bool is_at(const struct debug_info_files_candidate *c, uint64_t file, uint64_t line,
		  uint64_t wanted_line)
{
	return line == wanted_line && (file == DIE_NONE || (file < c->n && c->wanted[file]));
}

/* True if a function is declared, or an inlined copy called, at @line. */
static bool has_entry_at(const struct debug_info_files_candidate *c, uint64_t line)
{
	_cleanup_(die_table_done) struct die_table t = { .unit = NULL };
	const struct die_file *f = &c->part->die;
	struct die_walk walk;
	struct die_entry e;

	if (!die_table_compile(&t, f, c->unit))
		return false;
	die_walk_init(&walk, f, &t, DIE_JUMP_TYPE);
	while (die_walk_next(&walk, DIE_FUNCTION | DIE_DECLARATION | DIE_INLINED, &e)) {
		struct die_function fn;

		if (die_function_read(f, &t, &e, &fn) &&
		    (is_at(c, fn.file, fn.line, line) ||
		     is_at(c, fn.call_file, fn.call_line, line)))
			return true;
	}
	return false;
}

/* Searches a unit for the line. Entries of split units are not searched. */
static void look_for_line(void *arg, size_t piece, unsigned worker)
{
	struct file_search *s = arg;
	struct debug_info_files_candidate *c = &s->candidates.items[piece];
	struct line_table t;

	(void)worker;
	c->has_line = c->unit->is_split ||
		      (line_table_open(&t, &c->part->die, c->unit) &&
		       line_table_has(&t, c->wanted, c->n, s->line)) ||
		      has_entry_at(c, s->line);
}

/* Adds the unit @u, once, if it has such a file. */
static void add_candidate(struct file_search *s, const struct debug_part *p,
			  const struct die_unit *u)
{
	struct debug_info_files_candidate c = { .part = p,
						.unit = u,
						.n = s->files.n + s->files.first };

	for (size_t i = 0; i < s->files.n; i++) {
		const char *path = wanted_path(s, p, u, &s->files.items[i]);

		if (!path)
			continue;
		if (!c.wanted) {
			c.wanted = xcalloc(c.n, sizeof(c.wanted[0]));
			c.path = path;
		}
		c.wanted[i + s->files.first] = true;
	}
	if (c.wanted)
		*ARRAY_ADD(&s->candidates) = c;
}

static int each_candidate(struct file_search *s)
{
	_cleanup_(workers_freep) struct workers *w =
		workers_new(s->candidates.n < CANDIDATES_ALONE ? 1 : 0, WORKERS_MAX);
	int r = 0;

	workers_run(w, s->candidates.n, look_for_line, s);
	for (size_t i = 0; i < s->candidates.n && !r; i++) {
		struct debug_info_files_candidate *c = &s->candidates.items[i];

		if (c->has_line)
			r = s->each(s->arg, full_unit(s->info, c->part, c->unit), c->path);
	}
	return r;
}

static void file_search_done(struct file_search *s)
{
	line_files_done(&s->files);
	free(s->answers);
	for (size_t i = 0; i < s->candidates.n; i++)
		free(s->candidates.items[i].wanted);
	free(s->candidates.items);
}

static int search_part(struct file_search *s, const struct debug_part *p)
{
	int r = 0;

	free(s->answers);
	s->n_answers = p->die.line_str.size;
	s->answers = xcalloc(1, s->n_answers + 1);
	for (size_t i = 0; i < p->die.n_units && !r; i++) {
		const struct die_unit *u = &p->die.units[i];

		line_files_read(&s->files, &p->die, u);
		if (s->line)
			add_candidate(s, p, u);
		else
			r = each_file(s, p, u);
	}
	return r;
}

static int search_files(struct file_search *s)
{
	const char *slash = strrchr(s->tail, '/');
	int r = 0;

	s->base = slash ? slash + 1 : s->tail;
	debug_info_load(s->info);
	for (size_t i = 0; i < s->info->n_parts && !r; i++)
		/* In split DWARF the skeleton has the line table. */
		if (!s->info->parts[i]->skeleton)
			r = search_part(s, s->info->parts[i]);
	return r;
}

int debug_info_files(struct debug_info *d, const char *tail,
		     int (*each)(void *arg, uint64_t unit, const char *path), void *arg)
{
	_cleanup_(file_search_done) struct file_search s = {
		.info = d,
		.tail = tail,
		.each = each,
		.arg = arg,
	};

	return search_files(&s);
}

int debug_info_line_units(struct debug_info *d, const char *tail, uint32_t line,
			  int (*each)(void *arg, uint64_t unit, const char *path), void *arg)
{
	_cleanup_(file_search_done) struct file_search s = {
		.info = d,
		.tail = tail,
		.line = line,
		.each = each,
		.arg = arg,
	};

	/* Line 0 means no line. */
	if (line)
		search_files(&s);
	return each_candidate(&s);
}
