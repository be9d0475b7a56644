/* SPDX-License-Identifier: MIT */
#include "dwarf/debug-places.h"

#include <errno.h>
#include <stdlib.h>

void debug_lines_done(struct debug_lines *l)
{
	free(l->lines);
	*l = (struct debug_lines){ 0 };
}

#include <dwarf.h>

#include "base/memory.h"
#include "dwarf/debug-code.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/debug-instances.h"

struct line_list {
	uint32_t *items;
	size_t n, room;
};

struct finding {
	struct debug_info *info;
	const char *tail; /* the end of the file's path */
	uint32_t from, to;
	struct debug_lines *ret;
	struct debug_code code;
	struct line_list lines;
	bool has_function;
};

static int note_line(void *arg, const struct code_line *l)
{
	struct finding *f = arg;
	struct code_line own;

	if (l->line >= f->ret->first && l->line <= f->ret->last &&
	    debug_same_file(l->file, f->ret->file) && debug_code_line_at(&f->code, l->addr, &own) &&
	    own.line == l->line && debug_same_file(own.file, l->file))
		*ARRAY_ADD(&f->lines) = l->line;
	return 0;
}

static int debug_lines_by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Sorts the lines and removes duplicates. */
static void debug_lines_settle(struct finding *f)
{
	struct debug_lines *ret = f->ret;
	Dwarf_Attribute a;

	if (f->lines.n)
		qsort(f->lines.items, f->lines.n, sizeof(f->lines.items[0]), debug_lines_by_number);
	for (size_t i = 0; i < f->lines.n; i++)
		if (!ret->n || f->lines.items[i] != f->lines.items[ret->n - 1])
			f->lines.items[ret->n++] = f->lines.items[i];
	ret->lines = TAKE(f->lines.items);
	ret->room = f->lines.room;
	ret->directory = dwarf_formstring(dwarf_attr(&f->code.unit, DW_AT_comp_dir, &a));
}

static uint32_t debug_lines_sum(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* Collects the lines of the first function with the name. */
static int lines_of_function(void *arg, struct debug_instances *l)
{
	struct finding *f = arg;
	uint32_t line;

	if (!debug_entry_line(&l->items[0].die, &f->ret->file, &line))
		return 0;
	f->has_function = true;
	f->ret->function = dwarf_diename(&l->items[0].die);
	f->ret->start = line;
	f->ret->first = debug_lines_sum(line, f->from);
	f->ret->last = debug_lines_sum(line, f->to);
	debug_code_read(&f->code, f->info, &l->items[0].die);
	for (size_t i = 0; i < l->n; i++) {
		uint32_t number = debug_code_number(&f->code, &l->items[i].die);

		if (number != CODE_NONE)
			debug_code_lines(&f->code, number, note_line, f);
	}
	if (f->lines.n)
		return 1;
	debug_code_done(&f->code);
	return 0;
}

/* Collects the lines of the first unit that has some of them. */
static int lines_of_unit(void *arg, uint64_t unit, const char *path)
{
	struct finding *f = arg;
	Dwarf_Die die;

	(void)path;
	if (!debug_info_die(f->info, unit, &die))
		return 0;
	debug_code_read(&f->code, f->info, &die);
	f->ret->file = NULL;
	for (size_t i = 0; i < f->code.n_files && !f->ret->file; i++) {
		const char *file = dwarf_filesrc(f->code.files, i, NULL, NULL);

		if (file && debug_file_has_tail(file, f->tail))
			f->ret->file = file;
	}
	f->ret->first = f->from;
	f->ret->last = f->to;
	debug_code_lines(&f->code, CODE_NONE, note_line, f);
	if (f->lines.n)
		return 1;
	debug_code_done(&f->code);
	return 0;
}

int debug_lines_find(struct debug_info *d, const char *function, const char *file, uint32_t from,
		     uint32_t to, struct debug_lines *ret)
{
	struct finding f = { .info = d, .tail = file, .from = from, .to = to, .ret = ret };
	const struct debug_name name = { .function = function, .file = file };
	int r = function ? debug_instances_each(d, &name, lines_of_function, &f)
			 : debug_info_files(d, file, lines_of_unit, &f);

	if (r > 0) {
		debug_lines_settle(&f);
		debug_code_done(&f.code);
		return 0;
	}
	debug_lines_done(ret);
	if (r < 0)
		return r;
	return function && !f.has_function ? -ENOENT : -ENODATA;
}
