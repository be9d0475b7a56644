/* SPDX-License-Identifier: MIT */
/*
 * The places of a function are the entry points of its code and of its inlined copies, in the order
 * of .debug_info. A line is searched in the whole unit: first in the line table, where only rows
 * count that begin a statement, then among the lines on which functions are declared and on which
 * inlined functions are called. If several lines begin at an address, it belongs to the first one
 * in the table, and the others have no place.
 */
#include "dwarf/debug-places.h"

#include <errno.h>
#include <stdlib.h>

void debug_places_done(struct debug_places *l)
{
	free(l->items);
	*l = (struct debug_places){ 0 };
}

#include <dwarf.h>
#include <string.h>

#include "base/memory.h"
#include "base/u64-map.h"
#include "dwarf/debug-code.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/debug-instances.h"

/* A line of a file, in one unit or several. */
struct line_search {
	struct debug_places_search *search;
	struct debug_code *code;
	uint64_t unit; /* the unit of @code, if FILE:LINE is searched for */
	const char *file;
	uint32_t line;
	uint32_t scope;        /* scope of all places; CODE_NONE: the one at each address */
	size_t first;          /* number of its first place in the result */
	struct code_line call; /* the first place that only has a call of the line */
	struct debug_code *call_code;
};

/* After this number of queries about functions of a unit, the whole unit is read. */
#define ASKED_MAX 16

struct debug_places_search {
	struct debug_info *info;
	const struct debug_point *point;
	struct debug_places *ret;
	struct line_search *lines; /* if FUNC:LINE is searched for */
	bool has_function;
	struct u64_map asked; /* number of queries by unit */
};

static bool debug_places_has_place(const struct debug_places_search *s, size_t first, uint64_t addr)
{
	for (size_t i = first; i < s->ret->n; i++)
		if (s->ret->items[i].addr == addr)
			return true;
	return false;
}

static struct debug_place *debug_places_add_place(struct debug_places_search *s, uint64_t addr,
						  Dwarf_Die *scope, Dwarf_Die *function)
{
	struct debug_place *p = ARRAY_ADD(s->ret);

	p->addr = addr;
	p->scope = debug_info_entry(s->info, scope);
	p->function = debug_info_entry(s->info, function);
	p->name = dwarf_diename(function);
	p->scope_name = dwarf_diename(scope);
	p->is_inlined = dwarf_tag(scope) == DW_TAG_inlined_subroutine;
	if (!debug_entry_start(function, &p->start))
		p->start = addr;
	return p;
}

/*
 * Finds the function with code around @die. For many queries it is faster to read the whole unit.
 */
static bool function_around(struct debug_places_search *s, Dwarf_Die *die, Dwarf_Die *ret)
{
	uint64_t unit = debug_info_unit(s->info, die);
	size_t asked = (size_t)u64_map_find(&s->asked, unit) + 1;
	struct debug_code *c;
	uint32_t number;

	if (dwarf_tag(die) == DW_TAG_subprogram) {
		*ret = *die;
		return true;
	}
	u64_map_put(&s->asked, unit, (void *)asked);
	if (asked <= ASKED_MAX)
		return debug_function_around(die, ret);
	c = debug_code_of(s->info, die);
	number = debug_code_real(c, debug_code_number(c, die));
	if (number == CODE_NONE)
		return false;
	*ret = c->items[number].die;
	return true;
}

static void debug_places_add_entry(struct debug_places_search *s, struct debug_instance *in)
{
	struct debug_place *p;
	Dwarf_Die function;
	uint64_t start;

	if (!debug_entry_start(&in->die, &start) || !function_around(s, &in->die, &function) ||
	    debug_places_has_place(s, 0, start))
		return;
	p = debug_places_add_place(s, start, &in->die, &function);
	debug_entry_line(&in->die, &p->file, &p->line);
	if (s->point->wants_body && !p->is_inlined && !debug_unit_is_optimised(&function))
		p->body = debug_entry_body(&function, start);
}

static void add_line_place(struct line_search *ls, const struct code_line *l)
{
	struct debug_code *c = ls->code;
	uint32_t scope = ls->scope != CODE_NONE ? ls->scope : debug_code_owner(c, l);
	uint32_t real = debug_code_real(c, scope);
	struct debug_place *p;

	if (real == CODE_NONE)
		return;
	p = debug_places_add_place(ls->search, l->addr, &c->items[scope].die, &c->items[real].die);
	p->file = l->file;
	p->line = l->line;
}

static int match_line(void *arg, const struct code_line *l)
{
	struct line_search *ls = arg;
	struct code_line own;

	if (l->line != ls->line || !debug_same_file(l->file, ls->file) ||
	    debug_places_has_place(ls->search, ls->first, l->addr))
		return 0;
	if (!debug_code_line_at(ls->code, l->addr, &own) || !debug_same_file(own.file, l->file) ||
	    own.line == l->line) {
		add_line_place(ls, l);
	} else if (l->is_call && !ls->call.file) {
		ls->call = *l;
		ls->call_code = ls->code;
	}
	return 0;
}

/* Ends the search. True if places were found. */
static bool line_search_end(struct line_search *ls)
{
	if (ls->search->ret->n == ls->first && ls->call.file) {
		ls->code = ls->call_code;
		add_line_place(ls, &ls->call);
	}
	return ls->search->ret->n > ls->first;
}

static int debug_places_match_text(void *arg, const struct code_line *l)
{
	struct line_search *ls = arg;
	const struct debug_point *p = ls->search->point;
	int r;

	if (!debug_same_file(l->file, ls->file) ||
	    debug_places_has_place(ls->search, ls->first, l->addr))
		return 0;
	r = p->matches(p->matches_arg, ls->file,
		       debug_code_path(ls->search->info, ls->code, l->file), l->line);
	if (r > 0)
		add_line_place(ls, l);
	return r < 0 ? r : 0;
}

static int debug_places_add_texts(struct debug_places_search *s, struct debug_instances *l)
{
	struct line_search ls = { .search = s, .first = s->ret->n };
	int r = 0;

	for (size_t i = 0; i < l->n && r >= 0; i++) {
		uint32_t line;

		ls.code = debug_code_of(s->info, &l->items[i].die);
		ls.scope = debug_code_number(ls.code, &l->items[i].die);
		if (ls.scope != CODE_NONE && debug_entry_line(&l->items[i].die, &ls.file, &line))
			r = debug_code_lines(ls.code, ls.scope, debug_places_match_text, &ls);
	}
	return r;
}

static int debug_places_add_lines(struct debug_places_search *s, struct debug_instances *l,
				  struct line_search *ls)
{
	const char *file;
	uint32_t line;

	if (!debug_entry_line(&l->items[0].die, &file, &line) || s->point->line > UINT32_MAX - line)
		return 0;
	ls->file = file;
	ls->line = line + s->point->line;
	for (size_t i = 0; i < l->n; i++) {
		struct debug_code *c = debug_code_of(s->info, &l->items[i].die);

		if (c == ls->code)
			continue;
		ls->code = c;
		debug_code_lines(c, CODE_NONE, match_line, ls);
	}
	return 0;
}

static int add_instances(void *arg, struct debug_instances *l)
{
	struct debug_places_search *s = arg;

	s->has_function = true;
	if (s->point->matches)
		return debug_places_add_texts(s, l);
	if (s->point->has_line && s->point->line)
		return debug_places_add_lines(s, l, s->lines);
	for (size_t i = 0; i < l->n; i++)
		debug_places_add_entry(s, &l->items[i]);
	return 0;
}

static int find_in_function(struct debug_places_search *s)
{
	const struct debug_name name = { .function = s->point->function,
					 .file = s->point->file,
					 .only_real = s->point->only_real };
	struct line_search ls = { .search = s, .scope = CODE_NONE, .first = s->ret->n };
	size_t before = s->ret->n;
	int r;

	s->lines = &ls;
	r = debug_instances_each(s->info, &name, add_instances, s);
	if (r < 0 || line_search_end(&ls) || s->ret->n > before)
		return r;
	return s->has_function ? -ENODATA : -ENOENT;
}

/* Returns the first file of the unit whose path ends in @tail, or NULL. */
static const char *file_by_tail(struct debug_code *c, const char *tail)
{
	for (size_t i = 0; i < c->n_files; i++) {
		const char *file = dwarf_filesrc(c->files, i, NULL, NULL);

		if (file && debug_file_has_tail(file, tail))
			return file;
	}
	return NULL;
}

static int find_in_unit(void *arg, uint64_t unit, const char *path)
{
	struct line_search *ls = arg;
	bool by_text = ls->search->point->matches;
	Dwarf_Die die;

	(void)path;
	if (!debug_info_die(ls->search->info, unit, &die) || unit == ls->unit)
		return 0;
	ls->unit = unit;
	ls->code = debug_code_of(ls->search->info, &die);
	ls->file = file_by_tail(ls->code, ls->search->point->file);
	return debug_code_lines(ls->code, CODE_NONE, by_text ? debug_places_match_text : match_line,
				ls);
}

static int find_in_file(struct debug_places_search *s)
{
	struct line_search ls = {
		.search = s, .line = s->point->line, .scope = CODE_NONE, .first = s->ret->n
	};
	int r = s->point->matches ? debug_info_files(s->info, s->point->file, find_in_unit, &ls)
				  : debug_info_line_units(s->info, s->point->file, s->point->line,
							  find_in_unit, &ls);

	if (r < 0 || line_search_end(&ls))
		return r;
	return -ENODATA;
}

int debug_places_find(struct debug_info *d, const struct debug_point *p, struct debug_places *ret)
{
	struct debug_places_search s = { .info = d, .point = p, .ret = ret };
	int r = p->function ? find_in_function(&s) : find_in_file(&s);

	u64_map_done(&s.asked);
	return r;
}

bool debug_place_reaches(struct debug_info *d, const struct debug_place *p, uint64_t addr)
{
	Dwarf_Die function;

	return debug_info_die(d, p->function, &function) && dwarf_haspc(&function, addr) != 0;
}

static int note_file(void *arg, struct debug_instances *l)
{
	uint32_t line;

	return debug_entry_line(&l->items[0].die, arg, &line);
}

const char *debug_function_file(struct debug_info *d, const char *function)
{
	const struct debug_name name = { .function = function };
	const char *file = NULL;

	return debug_instances_each(d, &name, note_file, &file) > 0 ? file : NULL;
}
