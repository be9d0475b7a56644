/* SPDX-License-Identifier: MIT */
#include "dwarf/debug-info.h"

#include <errno.h>

#include "dwarf/file.h"
#include "elf/file.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "dwarf/debug-code.h"
#include "dwarf/debug-index-build.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/debug-statics.h"
#include "dwarf/debug-types.h"
#include "dwarf/unit.h"

int debug_info_open(struct elf_file *file, const char *index, struct debug_info **ret)
{
	struct dwarf_file *dwarf;
	int r = dwarf_file_open_for_variables(file, &dwarf);

	if (r < 0)
		return r;
	*ret = xcalloc(1, sizeof(**ret));
	(*ret)->file = dwarf;
	(*ret)->index_path = index ? xstrdup(index) : NULL;
	return 0;
}

static void free_copies(void *arg, uint64_t key, void *value)
{
	struct debug_copies *c = value;

	(void)arg, (void)key;
	free(c->items);
	free(c);
}

void debug_info_free(struct debug_info *d)
{
	if (!d)
		return;
	debug_types_free(d->types);
	debug_statics_free(d->statics);
	debug_codes_free(d->codes);
	u64_map_for_each(&d->copies, free_copies, NULL);
	u64_map_done(&d->copies);
	u64_map_done(&d->by_handle);
	die_tables_done(&d->tables);
	debug_index_free(d->index);
	free(d->files.items);
	for (size_t i = 0; i < d->n_parts; i++) {
		dwarf_file_free(d->parts[i]->opened);
		free(d->parts[i]);
	}
	free(d->parts);
	dwarf_file_free(d->file);
	intern_done(&d->texts);
	free(d->index_path);
	free(d);
}

struct dwarf_file *debug_info_file(struct debug_info *d)
{
	return d->file;
}

void debug_info_set_program(struct debug_info *d, struct elf_file *program)
{
	d->program = program;
}

void debug_info_set_progress(struct debug_info *d, struct progress *p)
{
	d->progress = p;
}

struct debug_types **debug_info_types(struct debug_info *d)
{
	return &d->types;
}

struct debug_codes **debug_info_codes(struct debug_info *d)
{
	return &d->codes;
}

struct debug_statics **debug_info_statics(struct debug_info *d)
{
	return &d->statics;
}

const char *debug_info_text(struct debug_info *d, const char *text)
{
	return intern_text(&d->texts, text);
}

static struct debug_part *debug_info_add_part(struct debug_info *d, Dwarf *dwarf)
{
	struct debug_part *p = xcalloc(1, sizeof(*p));

	d->parts = array_reserve(d->parts, &d->parts_room, d->n_parts + 1, sizeof(d->parts[0]));
	p->number = d->n_parts;
	d->parts[d->n_parts++] = p;
	p->dwarf = dwarf;
	die_file_init(&p->die, dwarf);
	*ARRAY_ADD(&d->files) = &p->die;
	u64_map_put(&d->by_handle, (uintptr_t)dwarf, p);
	return p;
}

/* Adds the file with the other part of the split unit @u. */
static void add_split_unit(struct debug_info *d, const struct die_unit *u)
{
	struct dwarf_unit unit = { .file = d->file };
	Dwarf *dwarf;

	if (!dwarf_offdie(dwarf_file_handle(d->file), u->entry, &unit.die))
		return;
	dwarf_unit_find_full(&unit);
	dwarf = unit.full.addr != unit.die.addr ? dwarf_cu_getdwarf(unit.full.cu) : NULL;
	/* Several units may be in one file. */
	if (dwarf && !u64_map_find(&d->by_handle, (uintptr_t)dwarf)) {
		struct debug_part *p = debug_info_add_part(d, dwarf);

		p->opened = TAKE(unit.split);
		p->skeleton = u->entry;
	}
	dwarf_file_free(unit.split);
}

static void add_split(void *arg, struct die_files *files)
{
	struct debug_info *d = arg;
	const struct die_file *first = files->items[0];

	for (size_t i = 0; i < first->n_units; i++)
		if (first->units[i].is_split)
			add_split_unit(d, &first->units[i]);
}

/* Returns the identity. The build-id, if there is one, is its most reliable part. */
static uint64_t debug_info_identity_of(struct debug_info *d)
{
	struct build_id id;
	uint64_t seed = 0;

	if (elf_file_build_id(dwarf_file_elf(d->file), &id) == 0)
		memcpy(&seed, id.bytes, sizeof(seed));
	return debug_index_identity(&d->files, seed);
}

static bool open_index(struct debug_info *d, uint64_t identity)
{
	struct debug_index *x;

	if (!d->index_path || debug_index_open(d->index_path, identity, &x) < 0)
		return false;
	if (debug_index_lend_units(x, &d->files)) {
		d->index = x;
		return true;
	}
	debug_index_free(x);
	return false;
}

/*
 * Writes the index, unless there are split units, whose files may change or appear. An index that
 * cannot be written is made again the next time.
 */
static void keep_index(struct debug_info *d, uint64_t identity)
{
	const struct die_file *first = d->files.items[0];

	for (size_t i = 0; i < first->n_units; i++)
		if (first->units[i].is_split)
			return;
	if (d->index_path)
		(void)debug_index_write(d->index, identity, d->index_path);
}

void debug_info_load(struct debug_info *d)
{
	Dwarf *dwarf = dwarf_file_handle(d->file), *alt = dwarf_getalt(dwarf);
	size_t n = 0;

	if (d->index)
		return;
	debug_info_add_part(d, dwarf);
	if (alt)
		d->parts[0]->die.alt = &debug_info_add_part(d, alt)->die;

	uint64_t identity = debug_info_identity_of(d);

	if (!open_index(d, identity)) {
		d->index = debug_index_build(&d->files, add_split, d, d->progress);
		keep_index(d, identity);
	}
	for (size_t i = 0; i < d->n_parts; i++) {
		d->parts[i]->first_unit = n;
		n += d->parts[i]->die.n_units;
	}
}

bool debug_info_die(struct debug_info *d, uint64_t entry, Dwarf_Die *ret)
{
	uint64_t part = entry >> DEBUG_ENTRY_BITS;
	uint64_t offset = entry & ((UINT64_C(1) << DEBUG_ENTRY_BITS) - 1);

	if (!part)
		return dwarf_offdie(dwarf_file_handle(d->file), offset, ret);
	debug_info_load(d);
	return part < d->n_parts && dwarf_offdie(d->parts[part]->dwarf, offset, ret);
}

/*
 * Returns the part whose handle is @dwarf; NULL: the first one, because no other has been opened
 * yet.
 */
static const struct debug_part *debug_info_part_of(struct debug_info *d, Dwarf *dwarf)
{
	if (dwarf == dwarf_file_handle(d->file))
		return NULL;
	debug_info_load(d);
	return u64_map_find(&d->by_handle, (uintptr_t)dwarf);
}

/* The file made by dwz is the second part, which is known without the index. */
uint64_t debug_info_entry(struct debug_info *d, Dwarf_Die *die)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
	const struct debug_part *p;

	if (dwarf == dwarf_getalt(dwarf_file_handle(d->file)))
		return debug_entry_number(1, dwarf_dieoffset(die));
	p = debug_info_part_of(d, dwarf);
	return debug_entry_number(p ? p->number : 0, dwarf_dieoffset(die));
}

bool debug_info_line_unit(struct debug_info *d, Dwarf_Die *unit, Dwarf_Die *ret)
{
	const struct debug_part *p = debug_info_part_of(d, dwarf_cu_getdwarf(unit->cu));

	if (p && p->skeleton)
		return debug_info_die(d, p->skeleton, ret);
	*ret = *unit;
	return true;
}

uint64_t debug_info_unit(struct debug_info *d, Dwarf_Die *die)
{
	Dwarf_Die unit;

	return dwarf_diecu(die, &unit, NULL, NULL) ? debug_info_entry(d, &unit) : 0;
}
