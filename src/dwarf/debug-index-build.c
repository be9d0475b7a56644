/* SPDX-License-Identifier: MIT */
#include "dwarf/debug-index-build.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/workers.h"
#include "dwarf/die-scan.h"

/* More workers would only wait for memory. */
#define WORKERS_MAX 8

/* Less than this is read faster than a thread starts. */
#define THREADS_FROM (1 << 20)

/* The results of one thread. */
struct debug_index_build_found {
	struct die_table table;
	struct die_tables others;
	struct debug_index_parts parts;
};

/* A unit, and the rows that were read from it. */
struct debug_index_build_task {
	const struct die_unit *unit;
	size_t file;
	struct debug_index_build_found *by;
	size_t first, n;
};

struct build {
	struct die_files *files;
	struct die_unit **units; /* units of each file */
	struct debug_index_build_found found[WORKERS_MAX];
	struct {
		struct debug_index_build_task *items;
		size_t n, room;
	} tasks;
	size_t begun;      /* the first task of the round */
	uint64_t work_max; /* limit for die_table.work, against many units with one large table */
	struct progress *progress; /* or NULL */
};

/* Limits of the work. Compilers give each unit its own abbreviations, or all units the same. */
#define WORK_FLOOR    (UINT64_C(64) << 20)
#define WORK_PER_BYTE 64

/* Newer than some versions of <dwarf.h>. */
#define LANGUAGE_CPP_17 0x2a
#define LANGUAGE_CPP_20 0x2b
#define LANGUAGE_C_17   0x2c

/*
 * Returns the kinds of entries to skip. In C, structures and types contain no functions; in Rust
 * even enumerations may.
 */
static uint8_t jumps_for(uint16_t language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case LANGUAGE_C_17:
	case DW_LANG_Mips_Assembler:
		return DIE_JUMP_TYPE | DIE_JUMP_RECORD;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case LANGUAGE_CPP_17:
	case LANGUAGE_CPP_20:
		return DIE_JUMP_TYPE;
	default:
		return 0;
	}
}

static void debug_index_build_add_row(const struct build *b, struct debug_index_build_found *to,
				      const struct die_name *name,
				      const struct debug_index_row *like, uint32_t flags)
{
	struct debug_index_row *row = ARRAY_ADD(&to->parts.rows);

	*row = *like;
	row->hash = debug_index_hash(name->text);
	row->unit |= flags;
	if (name->section == &b->files->items[0]->str && name->offset <= UINT32_MAX) {
		row->unit |= INDEX_STR;
		row->name = (uint32_t)name->offset;
	}
}

static void debug_index_build_add_function(const struct build *b, size_t number,
					   struct debug_index_build_found *to,
					   const struct die_entry *e)
{
	const struct debug_index_build_task *t = &b->tasks.items[number];
	struct debug_index_row row = {
		.entry = (uint32_t)(e->offset - t->unit->start),
		.unit = (uint32_t)number,
	};
	struct die_function fn;

	if (!die_function_read(b->files->items[t->file], &to->table, e, &fn) ||
	    (fn.is_declaration && !fn.has_code))
		return;
	die_function_inherit(&fn, &to->table, &to->others);
	if (!fn.has_code)
		row.unit |= INDEX_ABSTRACT;
	if (fn.name.text)
		debug_index_build_add_row(b, to, &fn.name, &row, 0);
	if (fn.linkage.text && (!fn.name.text || strcmp(fn.name.text, fn.linkage.text) != 0))
		debug_index_build_add_row(b, to, &fn.linkage, &row, INDEX_LINKAGE);
}

static size_t debug_index_build_number_of(const struct die_files *files, const struct die_file *f)
{
	size_t i = 0;

	while (i < files->n && files->items[i] != f)
		i++;
	return i;
}

static void add_far(const struct build *b, size_t number, struct debug_index_build_found *to,
		    const struct die_entry *e)
{
	const struct debug_index_build_task *t = &b->tasks.items[number];
	struct die_function fn;

	if (!die_function_read(b->files->items[t->file], &to->table, e, &fn) || !fn.origin.file)
		return;
	*ARRAY_ADD(&to->parts.cross) = (struct debug_index_cross){
		.file = debug_index_build_number_of(b->files, fn.origin.file),
		.origin = fn.origin.offset,
		.unit = number,
	};
}

static void debug_index_build_read_unit(const struct build *b, size_t number,
					struct debug_index_build_found *to)
{
	struct debug_index_build_task *t = &b->tasks.items[number];
	const struct die_file *f = b->files->items[t->file];
	struct die_walk walk;
	struct die_entry e;

	if (to->table.work > b->work_max || !die_table_compile(&to->table, f, t->unit))
		return;
	if (t->unit->type == DW_UT_type || t->unit->type == DW_UT_split_type)
		return;
	die_walk_init(&walk, f, &to->table, jumps_for(t->unit->language));
	while (die_walk_next(&walk, DIE_FUNCTION | DIE_INLINED_CROSS, &e))
		if (e.abbrev->roles & DIE_FUNCTION)
			debug_index_build_add_function(b, number, to, &e);
		else
			add_far(b, number, to, &e);
}

static void debug_index_build_work(void *arg, size_t piece, unsigned worker)
{
	struct build *b = arg;
	struct debug_index_build_found *to = &b->found[worker];
	struct debug_index_build_task *t = &b->tasks.items[b->begun + piece];

	t->by = to;
	t->first = to->parts.rows.n;
	debug_index_build_read_unit(b, b->begun + piece, to);
	t->n = to->parts.rows.n - t->first;
	/* Units are taken in order: those before this one are finished or being read. */
	if (!worker)
		progress_update(b->progress, "Indexing debug information", b->begun + piece + 1,
				b->tasks.n);
}

/*
 * Returns the units of @f, completely filled in before threads start, because entries refer to
 * entries of other units.
 */
static struct die_unit *read_units(struct build *b, struct die_file *f)
{
	struct die_unit *units = die_file_read_units(f, &f->n_units);
	struct die_table *scratch = &b->found[0].table;

	for (size_t i = 0; i < f->n_units && scratch->work <= b->work_max; i++)
		die_unit_read(f, scratch, &units[i]);
	return units;
}

/* Reads the units of the files from @first on. */
static void read_files(struct build *b, size_t first)
{
	_cleanup_(workers_freep) struct workers *w = NULL;
	size_t size = 0;

	b->begun = b->tasks.n;
	b->units = xrealloc(b->units, b->files->n * sizeof(b->units[0]));
	for (size_t i = first; i < b->files->n; i++) {
		struct die_file *f = b->files->items[i];

		b->work_max += WORK_FLOOR + WORK_PER_BYTE * f->abbrev.size;
		b->units[i] = read_units(b, f);
		f->units = b->units[i];
		size += f->info.size;
		for (size_t k = 0; k < f->n_units && b->tasks.n < INDEX_UNIT; k++)
			*ARRAY_ADD(&b->tasks) = (struct debug_index_build_task){
				.unit = &b->units[i][k], .file = i
			};
	}
	w = workers_new(size < THREADS_FROM ? 1 : 0, WORKERS_MAX);
	workers_run(w, b->tasks.n - b->begun, debug_index_build_work, b);
}

static bool has_split(const struct die_file *f)
{
	for (size_t i = 0; i < f->n_units; i++)
		if (f->units[i].is_split)
			return true;
	return false;
}

/*
 * Makes the index from all results. Rows are in the order of units, independently of the thread
 * that read them.
 */
static struct debug_index *put_together(struct build *b)
{
	struct debug_index_parts all = { .files = b->files };
	struct debug_index *x;

	for (size_t i = 0; i < b->tasks.n; i++) {
		const struct debug_index_build_task *t = &b->tasks.items[i];
		size_t n = all.rows.n + t->n;

		all.rows.items = array_reserve(all.rows.items, &all.rows.room, n + 1,
					       sizeof(all.rows.items[0]));
		if (t->n)
			memcpy(all.rows.items + all.rows.n, t->by->parts.rows.items + t->first,
			       t->n * sizeof(all.rows.items[0]));
		all.rows.n = n;
	}
	for (size_t i = 0; i < WORKERS_MAX; i++)
		for (size_t k = 0; k < b->found[i].parts.cross.n; k++)
			*ARRAY_ADD(&all.cross) = b->found[i].parts.cross.items[k];
	x = debug_index_new(&all);
	free(all.rows.items);
	free(all.cross.items);
	return x;
}

static void build_done(struct build *b)
{
	for (size_t i = 0; i < WORKERS_MAX; i++) {
		die_table_done(&b->found[i].table);
		die_tables_done(&b->found[i].others);
		free(b->found[i].parts.rows.items);
		free(b->found[i].parts.cross.items);
	}
	for (size_t i = 0; i < b->files->n; i++)
		free(b->units[i]);
	free(b->units);
	free(b->tasks.items);
}

struct debug_index *debug_index_build(struct die_files *files,
				      void (*add_split)(void *arg, struct die_files *files),
				      void *arg, struct progress *progress)
{
	_cleanup_(build_done) struct build b = { .files = files, .progress = progress };
	size_t n = files->n;
	struct debug_index *x;

	read_files(&b, 0);
	if (add_split && has_split(files->items[0]))
		add_split(arg, files);
	if (files->n > n)
		read_files(&b, n);
	x = put_together(&b);
	debug_index_lend_units(x, files);
	progress_finish(progress);
	return x;
}
