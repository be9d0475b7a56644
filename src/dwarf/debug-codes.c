/* SPDX-License-Identifier: MIT */
/* Keeps the units that were read. */
#include "dwarf/debug-code.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/unit.h"

struct debug_codes {
	struct u64_map by_unit; /* struct debug_code by the unit's entry */
	struct dwarf_units *units;
};

static void free_code(void *arg, uint64_t key, void *value)
{
	struct debug_code *c = value;

	(void)arg, (void)key;
	debug_code_done(c);
	free(c);
}

void debug_codes_free(struct debug_codes *l)
{
	if (!l)
		return;
	u64_map_for_each(&l->by_unit, free_code, NULL);
	u64_map_done(&l->by_unit);
	dwarf_units_free(l->units);
	free(l);
}

static struct debug_codes *codes_of(struct debug_info *d)
{
	struct debug_codes **l = debug_info_codes(d);

	if (!*l)
		*l = xcalloc(1, sizeof(**l));
	return *l;
}

struct debug_code *debug_code_of(struct debug_info *d, Dwarf_Die *any)
{
	struct debug_codes *l = codes_of(d);
	uint64_t unit = debug_info_unit(d, any);
	struct debug_code *c = u64_map_find(&l->by_unit, unit);

	if (!c) {
		c = xcalloc(1, sizeof(*c));
		debug_code_read(c, d, any);
		u64_map_put(&l->by_unit, unit, c);
	}
	return c;
}

const char *debug_code_path(struct debug_info *d, struct debug_code *c, const char *file)
{
	Dwarf_Attribute a;
	const char *directory = dwarf_formstring(dwarf_attr(&c->unit, DW_AT_comp_dir, &a));

	if (*file == '/' || !directory)
		return file;

	_cleanup_(freep) char *path = xasprintf("%s/%s", directory, file);

	return debug_info_text(d, path);
}

static struct dwarf_units *debug_codes_units_of(struct debug_info *d)
{
	struct debug_codes *l = codes_of(d);

	if (!l->units)
		l->units = dwarf_units_new(debug_info_file(d));
	return l->units;
}

bool debug_info_is_split(struct debug_info *d)
{
	return dwarf_units_are_split(debug_codes_units_of(d));
}

struct dwarf_unit *debug_unit_at(struct debug_info *d, uint64_t addr)
{
	struct dwarf_unit *u = dwarf_units_find(debug_codes_units_of(d), addr);

	if (u && !u->full.addr)
		dwarf_unit_find_full(u);
	return u;
}

struct debug_code *debug_code_at(struct debug_info *d, uint64_t addr)
{
	struct dwarf_unit *u = debug_unit_at(d, addr);

	return u ? debug_code_of(d, &u->full) : NULL;
}
