/* SPDX-License-Identifier: MIT */
#include "dwarf/debug-code.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "base/memory.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/unit.h"

/* No compiler inlines deeper than this, or nests blocks or namespaces deeper. */
#define DEPTH_MAX 200

void debug_code_done(struct debug_code *c)
{
	free(c->items);
	range_map_done(&c->map);
}

bool debug_same_file(const char *a, const char *b)
{
	return a && b && (a == b || !strcmp(a, b));
}

bool debug_file_has_tail(const char *path, const char *tail)
{
	size_t n = strlen(path), m = strlen(tail);

	return n >= m && !strcmp(path + n - m, tail) &&
	       (n == m || tail[0] == '/' || path[n - m - 1] == '/');
}

/*
 * Finds the entry point. Without one, a function in several pieces begins with its first range. The
 * compiler may have moved all code of an inlined copy elsewhere: then only its DW_AT_entry_pc is
 * left.
 */
bool debug_entry_start(Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Addr base, start, end, entry;
	bool has_entry = dwarf_entrypc(die, &entry) == 0 && dwarf_range_is_live(entry, entry + 1);

	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
		if (dwarf_range_is_live(start, end)) {
			*ret = has_entry ? entry : start;
			return true;
		}
	if (!has_entry || !dwarf_hasattr(die, DW_AT_entry_pc))
		return false;
	*ret = entry;
	return true;
}

/*
 * Returns the file of an attribute. Before DWARF 5, file 0 means none. libdw's dwarf_decl_file()
 * wrongly assumes that for DWARF 5, too.
 */
static const char *debug_code_file_of(Dwarf_Attribute *a)
{
	Dwarf_Files *files;
	Dwarf_Half version;
	Dwarf_Word number;
	Dwarf_Die unit;
	uint8_t type;
	size_t n;

	if (dwarf_formudata(a, &number) != 0 ||
	    dwarf_cu_info(a->cu, &version, &type, &unit, NULL, NULL, NULL, NULL) != 0 ||
	    (!number && version < 5) || dwarf_getsrcfiles(&unit, &files, &n) != 0 || number >= n)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}

bool debug_entry_line(Dwarf_Die *die, const char **ret_file, uint32_t *ret_line)
{
	Dwarf_Attribute a;
	const char *file;
	int line;

	if (dwarf_decl_line(die, &line) != 0 || line <= 0 ||
	    !dwarf_attr_integrate(die, DW_AT_decl_file, &a))
		return false;
	file = debug_code_file_of(&a);
	if (!file)
		return false;
	*ret_file = file;
	*ret_line = (uint32_t)line;
	return true;
}

/* A walk through the entries of a unit; functions.c explains why it only goes forward. */
struct debug_code_walk {
	struct debug_code *code;
	const void *reached;
};

static bool debug_code_walk_to(struct debug_code_walk *w, const Dwarf_Die *die)
{
	if (w->reached && (uintptr_t)die->addr <= (uintptr_t)w->reached)
		return false;
	w->reached = die->addr;
	return true;
}

/* Adds the scope of @die and returns its number, or @around if it has none. */
static uint32_t add_scope(struct debug_code *c, Dwarf_Die *die, uint32_t around, unsigned depth)
{
	uint32_t number = (uint32_t)c->n;
	uint64_t start;

	if (!debug_entry_start(die, &start))
		return around;
	dwarf_ranges_add(die, &c->map, depth + 1, number);
	*ARRAY_ADD(c) = (struct code_scope){ .die = *die, .start = start, .around = around };
	return number;
}

static void find_scopes(struct debug_code_walk *w, Dwarf_Die *parent, uint32_t around,
			unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0 || !debug_code_walk_to(w, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			find_scopes(w, &die, add_scope(w->code, &die, CODE_NONE, depth), depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			find_scopes(w, &die, add_scope(w->code, &die, around, depth), depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
		case DW_TAG_with_stmt:
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			find_scopes(w, &die, around, depth + 1);
		}
	} while (dwarf_siblingof(&die, &die) == 0 && debug_code_walk_to(w, &die));
}

void debug_code_read(struct debug_code *c, struct debug_info *d, Dwarf_Die *any)
{
	Dwarf_Die with_lines;

	*c = (struct debug_code){ .n = 0 };
	if (!dwarf_diecu(any, &c->unit, NULL, NULL))
		return;
	if (!debug_info_line_unit(d, &c->unit, &with_lines))
		with_lines = c->unit;
	if (dwarf_getsrclines(&with_lines, &c->lines, &c->n_lines) != 0)
		c->n_lines = 0;
	if (dwarf_getsrcfiles(&with_lines, &c->files, &c->n_files) != 0)
		c->n_files = 0;
	find_scopes(&(struct debug_code_walk){ .code = c }, &c->unit, CODE_NONE, 0);
	range_map_settle(&c->map);
}

uint32_t debug_code_scope(const struct debug_code *c, uint64_t addr)
{
	const struct range *r = range_map_find(&c->map, addr);

	return r ? r->value : CODE_NONE;
}

uint32_t debug_code_caller(const struct debug_code *c, uint64_t addr)
{
	uint32_t number = debug_code_scope(c, addr);

	while (number != CODE_NONE && c->items[number].around != CODE_NONE &&
	       c->items[number].start == addr)
		number = c->items[number].around;
	return number;
}

uint32_t debug_code_owner(const struct debug_code *c, const struct code_line *l)
{
	uint32_t n = debug_code_scope(c, l->addr), owner = debug_code_real(c, n), best = UINT32_MAX;

	for (; n != CODE_NONE; n = c->items[n].around) {
		Dwarf_Die die = c->items[n].die;
		const char *file;
		uint32_t first;

		if (!debug_entry_line(&die, &file, &first) || first >= l->line ||
		    l->line - first >= best || !debug_same_file(file, l->file))
			continue;
		best = l->line - first;
		owner = n;
	}
	return owner;
}

static int debug_code_by_place(const void *a, const void *b)
{
	const struct code_scope *x = a, *y = b;

	return (x->die.addr > y->die.addr) - (x->die.addr < y->die.addr);
}

uint32_t debug_code_number(const struct debug_code *c, const Dwarf_Die *die)
{
	struct code_scope key = { .die = *die }, *found = NULL;

	if (c->n)
		found = bsearch(&key, c->items, c->n, sizeof(key), debug_code_by_place);
	return found ? (uint32_t)(found - c->items) : CODE_NONE;
}

uint32_t debug_code_real(const struct debug_code *c, uint32_t number)
{
	while (number != CODE_NONE && c->items[number].around != CODE_NONE)
		number = c->items[number].around;
	return number;
}

/* Reads row @i of the line table, if a statement begins with it. */
static bool debug_code_statement(struct debug_code *c, size_t i, struct code_line *ret)
{
	Dwarf_Line *row = dwarf_onesrcline(c->lines, i);
	bool is_stmt, ends;
	int line;

	*ret = (struct code_line){ .file = NULL };
	if (!row || dwarf_linebeginstatement(row, &is_stmt) != 0 || !is_stmt ||
	    dwarf_lineendsequence(row, &ends) != 0 || ends || dwarf_lineno(row, &line) != 0 ||
	    line <= 0 || dwarf_lineaddr(row, &ret->addr) != 0)
		return false;
	ret->file = dwarf_linesrc(row, NULL, NULL);
	ret->line = (uint32_t)line;
	return ret->file;
}

static bool debug_code_call_of(const struct code_scope *s, struct code_line *ret)
{
	Dwarf_Die die = s->die;
	Dwarf_Attribute a;
	Dwarf_Word line;

	if (s->around == CODE_NONE || !dwarf_attr(&die, DW_AT_call_line, &a) ||
	    dwarf_formudata(&a, &line) != 0 || !line || line > UINT32_MAX ||
	    !dwarf_attr(&die, DW_AT_call_file, &a))
		return false;
	*ret = (struct code_line){ .file = debug_code_file_of(&a),
				   .line = (uint32_t)line,
				   .addr = s->start,
				   .is_call = true,
				   .is_statement = true };
	return ret->file;
}

/* Returns the abstract origin of a function or copy, or itself. */
static const void *debug_code_origin_of(const struct debug_code *c, uint32_t number)
{
	Dwarf_Die die = c->items[number].die, origin;
	Dwarf_Attribute a;

	if (dwarf_attr(&die, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &origin))
		return origin.addr;
	return die.addr;
}

/*
 * Goes up from scope @n through parts of one scope, at most to @number. If the compiler has inlined
 * only the beginning of a function, the rest may be a copy within the copy; such parts belong to
 * one scope.
 */
static uint32_t debug_code_part_of(const struct debug_code *c, uint32_t n, uint32_t number)
{
	if (number == CODE_NONE)
		return n;
	while (n != CODE_NONE && n != number && c->items[n].around != CODE_NONE &&
	       debug_code_origin_of(c, n) == debug_code_origin_of(c, number))
		n = c->items[n].around;
	return n;
}

/* True if @l belongs to scope @number itself. The line of an inlined call is the caller's. */
static bool is_within(struct debug_code *c, uint32_t number, const struct code_line *l)
{
	uint32_t n = debug_code_scope(c, l->addr);
	struct code_line call;

	while (n != CODE_NONE && debug_code_call_of(&c->items[n], &call) && call.line == l->line &&
	       debug_same_file(call.file, l->file))
		n = c->items[n].around;
	return debug_code_part_of(c, n, number) == number;
}

static int each_statement(struct debug_code *c, uint32_t number,
			  int (*each)(void *arg, const struct code_line *l), void *arg)
{
	int r = 0;

	for (size_t i = 0; i < c->n_lines && !r; i++) {
		struct code_line l;

		if (!debug_code_statement(c, i, &l))
			continue;
		if (number == CODE_NONE ? debug_code_scope(c, l.addr) != CODE_NONE
					: is_within(c, number, &l))
			r = each(arg, &l);
	}
	return r;
}

int debug_code_lines(struct debug_code *c, uint32_t number,
		     int (*each)(void *arg, const struct code_line *l), void *arg)
{
	int r = each_statement(c, number, each, arg);

	for (uint32_t i = 0; i < c->n && !r; i++) {
		struct code_scope *s = &c->items[i];
		struct code_line l = { .addr = s->start };
		bool all = number == CODE_NONE;

		if ((all || i == number) && debug_entry_line(&s->die, &l.file, &l.line))
			r = each(arg, &l);
		if (!r && (all || debug_code_part_of(c, s->around, number) == number) &&
		    debug_code_call_of(s, &l))
			r = each(arg, &l);
	}
	return r;
}

static bool row_begins_by(Dwarf_Line *row, uint64_t addr)
{
	Dwarf_Addr at;

	return dwarf_lineaddr(row, &at) == 0 && at <= addr;
}

/* Returns the number of rows that begin at or before @addr. */
static size_t debug_code_rows_up_to(struct debug_code *c, uint64_t addr)
{
	return BISECT(i, c->n_lines, row_begins_by(dwarf_onesrcline(c->lines, i), addr));
}

static bool row_is_at(Dwarf_Line *row, uint64_t addr)
{
	Dwarf_Addr at;

	return dwarf_lineaddr(row, &at) == 0 && at == addr;
}

/*
 * Returns the row of the code at @addr: the first at that address that begins a statement, or the
 * last row before it.
 */
static Dwarf_Line *debug_code_row_of(struct debug_code *c, uint64_t addr)
{
	size_t n = debug_code_rows_up_to(c, addr);
	Dwarf_Line *found = n ? dwarf_onesrcline(c->lines, n - 1) : NULL, *row;
	bool is_stmt, ends = true;

	if (!found || dwarf_lineendsequence(found, &ends) != 0 || ends)
		return NULL;
	for (; n && row_is_at(row = dwarf_onesrcline(c->lines, n - 1), addr); n--)
		if (dwarf_lineendsequence(row, &ends) == 0 && !ends &&
		    dwarf_linebeginstatement(row, &is_stmt) == 0 && is_stmt)
			found = row;
	return found;
}

bool debug_code_line_at(struct debug_code *c, uint64_t addr, struct code_line *ret)
{
	uint32_t real = debug_code_real(c, debug_code_scope(c, addr));
	Dwarf_Line *row;
	int line;

	*ret = (struct code_line){ .addr = addr };
	if (real != CODE_NONE && c->items[real].start == addr &&
	    debug_entry_line(&c->items[real].die, &ret->file, &ret->line))
		return true;
	row = debug_code_row_of(c, addr);
	if (!row || dwarf_lineno(row, &line) != 0 || line < 0 ||
	    dwarf_linebeginstatement(row, &ret->is_statement) != 0)
		return false;
	ret->file = dwarf_linesrc(row, NULL, NULL);
	ret->line = (uint32_t)line;
	return ret->file;
}

bool debug_code_call(struct debug_code *c, uint32_t number, uint64_t addr, struct code_line *ret)
{
	uint32_t n = debug_code_scope(c, addr);

	while (n != CODE_NONE && c->items[n].around != number)
		n = c->items[n].around;
	return n != CODE_NONE && c->items[n].start == addr && debug_code_call_of(&c->items[n], ret);
}

uint64_t debug_entry_body(Dwarf_Die *function, uint64_t start)
{
	Dwarf_Addr *points = NULL;
	int n = dwarf_entry_breakpoints(function, &points);
	uint64_t body = n > 0 ? points[0] : start;

	free(points);
	return body;
}

/*
 * True if the entry has a location list. Location lists by index, which clang writes for DWARF 5,
 * do not count: in clang's code, parameters often have no location at the function's entry, so the
 * place after the prologue is better.
 */
static bool has_location_list(Dwarf_Die *die)
{
	Dwarf_Attribute a;

	if (!dwarf_attr(die, DW_AT_location, &a))
		return false;
	switch (dwarf_whatform(&a)) {
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_sec_offset:
		return true;
	default:
		return false;
	}
}

static bool any_location_list(struct debug_code_walk *w, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0 || !debug_code_walk_to(w, &die))
		return false;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_formal_parameter:
		case DW_TAG_variable:
			if (has_location_list(&die))
				return true;
			break;
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
			if (any_location_list(w, &die, depth + 1))
				return true;
		}
	} while (dwarf_siblingof(&die, &die) == 0 && debug_code_walk_to(w, &die));
	return false;
}

bool debug_unit_is_optimised(Dwarf_Die *any)
{
	Dwarf_Die unit;

	return dwarf_diecu(any, &unit, NULL, NULL) &&
	       any_location_list(&(struct debug_code_walk){ .code = NULL }, &unit, 0);
}
