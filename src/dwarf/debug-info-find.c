/* SPDX-License-Identifier: MIT */
/* Finds functions by name, and their inlined copies. */
#include "base/bisect.h"
#include "base/glob.h"
#include "dwarf/debug-info.h"

#include <errno.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/debug-info-internal.h"

/* Returns the part with the unit @number, and the unit; NULL: there is no such unit. */
static struct debug_part *debug_info_find_part(struct debug_info *d, size_t number,
					       const struct die_unit **ret_unit)
{
	size_t n = BISECT(i, d->n_parts, d->parts[i]->first_unit <= number);
	/* The last part that begins with that number: earlier ones have no units. */
	struct debug_part *p = d->parts[n - 1];

	if (number - p->first_unit >= p->die.n_units)
		return NULL;
	*ret_unit = &p->die.units[number - p->first_unit];
	return p;
}

/* Reads the entry of a row; false: the row is damaged. */
static bool read_row(struct debug_info *d, const struct debug_index_row *row,
		     struct debug_function *ret)
{
	const struct die_unit *u;
	struct die_function fn;
	struct debug_part *p = debug_info_find_part(d, row->unit & INDEX_UNIT, &u);

	if (!p || row->entry >= u->end - u->start)
		return false;
	ret->entry = debug_entry_number(p->number, u->start + row->entry);
	ret->unit = debug_entry_number(p->number, u->entry);
	ret->kind = row->unit & INDEX_ABSTRACT ? DEBUG_FUNCTION_ABSTRACT : DEBUG_FUNCTION_CODE;
	if (row->unit & INDEX_STR) {
		ret->name = die_text_at(&d->parts[0]->die.str, row->name);
		return ret->name;
	}
	if (!die_function_at(&p->die, u->start + row->entry, &d->tables, &fn))
		return false;
	ret->name = row->unit & INDEX_LINKAGE ? fn.linkage.text : fn.name.text;
	return ret->name;
}

struct debug_info_find_match {
	struct debug_function function;
	bool by_linkage;
};

struct debug_info_find_matches {
	struct debug_info_find_match *items;
	size_t n, room;
};

static void debug_info_find_add_match(struct debug_info *d, const struct debug_index_row *row,
				      const char *name, bool is_glob,
				      struct debug_info_find_matches *to)
{
	struct debug_function f;

	if (read_row(d, row, &f) && (is_glob ? glob_matches(name, f.name) : !strcmp(name, f.name)))
		*ARRAY_ADD(to) = (struct debug_info_find_match){ f, row->unit & INDEX_LINKAGE };
}

static int debug_info_find_by_entry(const void *a, const void *b)
{
	const struct debug_info_find_match *x = a, *y = b;

	if (x->function.entry != y->function.entry)
		return x->function.entry < y->function.entry ? -1 : 1;
	return x->by_linkage - y->by_linkage;
}

int debug_info_functions(struct debug_info *d, const char *name,
			 int (*each)(void *arg, const struct debug_function *f), void *arg)
{
	bool is_glob = glob_is_pattern(name);
	uint32_t hash = debug_index_hash(name);
	const struct debug_index_row *rows;
	struct debug_info_find_matches found = { .n = 0 };
	size_t n;
	int r = 0;

	debug_info_load(d);
	rows = is_glob ? debug_index_rows(d->index, &n) : debug_index_find(d->index, hash, &n);
	for (size_t i = 0; i < n; i++)
		if (is_glob || rows[i].hash == hash)
			debug_info_find_add_match(d, &rows[i], name, is_glob, &found);
	if (found.n)
		qsort(found.items, found.n, sizeof(found.items[0]), debug_info_find_by_entry);
	/* Both names of a function may match: it is reported once. */
	for (size_t i = 0; i < found.n && !r; i++)
		if (!i || found.items[i].function.entry != found.items[i - 1].function.entry)
			r = each(arg, &found.items[i].function);
	free(found.items);
	return r;
}

/* Returns the inlined copies in unit @number; they are read at the first call. */
static const struct debug_copies *copies_in(struct debug_info *d, size_t number)
{
	struct debug_copies *c = u64_map_find(&d->copies, number + 1);
	const struct die_unit *u;
	const struct die_table *t;
	struct die_walk walk;
	struct die_entry e;
	struct debug_part *p = c ? NULL : debug_info_find_part(d, number, &u);

	if (!p)
		return c;
	c = xcalloc(1, sizeof(*c));
	u64_map_put(&d->copies, number + 1, c);
	t = die_tables_get(&d->tables, &p->die, u);
	if (!t)
		return c;
	die_walk_init(&walk, &p->die, t, DIE_JUMP_TYPE);
	while (die_walk_next(&walk, DIE_INLINED, &e)) {
		struct die_function fn;

		if (die_function_read(&p->die, t, &e, &fn) && fn.origin.file)
			*ARRAY_ADD(c) = (struct debug_copy){
				debug_entry_number(fn.origin.file == &p->die ? p->number : 1,
						   fn.origin.offset),
				debug_entry_number(p->number, e.offset),
			};
	}
	return c;
}

static int each_copy(struct debug_info *d, size_t number, uint64_t entry,
		     int (*each)(void *arg, uint64_t copy, uint64_t unit), void *arg)
{
	const struct debug_copies *c = copies_in(d, number);
	const struct die_unit *u;
	const struct debug_part *p = debug_info_find_part(d, number, &u);
	int r = 0;

	if (!c || !p)
		return 0;
	for (size_t i = 0; i < c->n && !r; i++)
		if (c->items[i].origin == entry)
			r = each(arg, c->items[i].copy, debug_entry_number(p->number, u->entry));
	return r;
}

int debug_info_inlined(struct debug_info *d, uint64_t entry,
		       int (*each)(void *arg, uint64_t copy, uint64_t unit), void *arg)
{
	size_t part = entry >> DEBUG_ENTRY_BITS, own, n, i = 0;
	uint64_t offset = entry & ((UINT64_C(1) << DEBUG_ENTRY_BITS) - 1);
	const struct debug_index_cross *cross;
	const struct die_unit *u;
	int r = 0;

	debug_info_load(d);
	u = part < d->n_parts ? die_file_unit(&d->parts[part]->die, offset) : NULL;
	if (!u)
		return 0;
	own = d->parts[part]->first_unit + (size_t)(u - d->parts[part]->die.units);
	cross = debug_index_cross(d->index, part, offset, &n);
	for (; i < n && cross[i].unit < own && !r; i++)
		r = each_copy(d, cross[i].unit, entry, each, arg);
	if (!r)
		r = each_copy(d, own, entry, each, arg);
	for (; i < n && !r; i++)
		if (cross[i].unit != own)
			r = each_copy(d, cross[i].unit, entry, each, arg);
	return r;
}
