/* SPDX-License-Identifier: MIT */
#include "dwarf/line-files.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "base/memory.h"
#include "dwarf/die-file.h"
#include "dwarf/die-table.h"
#include "dwarf/line-table.h"

/* DWARF defines five kinds of content; producers may add their own. */
#define FORMATS_MAX 16

struct format {
	uint64_t content, form;
};

void line_files_done(struct line_files *l)
{
	free(l->items);
	free(l->directories);
}

static void add_directory(struct line_files *l, const char *name)
{
	l->directories = array_reserve(l->directories, &l->directories_room, l->n_directories + 1,
				       sizeof(l->directories[0]));
	l->directories[l->n_directories++] = name;
}

static void line_files_add_file(struct line_files *l, const char *name, uint64_t at,
				uint64_t directory)
{
	*ARRAY_ADD(l) = (struct line_file){
		.name = name,
		.name_at = at,
		.directory = directory < l->n_directories ? l->directories[directory] : NULL,
	};
}

/*
 * Reads the lists before DWARF 5: lists of strings, each ended by an empty one; directory 0 is the
 * compiler's.
 */
static bool read_old(struct line_files *l, struct line_table *t)
{
	struct cursor *c = &t->lists;
	const char *name;

	add_directory(l, NULL);
	while (*(name = cursor_string(c)))
		add_directory(l, name);
	while (*(name = cursor_string(c))) {
		uint64_t directory = cursor_uleb128(c);

		cursor_uleb128(c); /* time */
		cursor_uleb128(c); /* size */
		if (c->bad)
			break;
		line_files_add_file(l, name, DIE_NONE, directory);
	}
	return !c->bad;
}

static size_t read_formats(struct cursor *c, struct format *formats)
{
	size_t n = cursor_u8(c);

	if (n > FORMATS_MAX)
		c->bad = true;
	for (size_t i = 0; i < n && !c->bad; i++) {
		formats[i].content = cursor_uleb128(c);
		formats[i].form = cursor_uleb128(c);
	}
	return c->bad ? 0 : n;
}

static const char *line_files_take_path(struct line_table *t, uint64_t form, uint64_t *ret_at)
{
	struct cursor *c = &t->lists;
	const char *text = NULL;
	uint64_t at;

	switch (form) {
	case DW_FORM_string:
		return cursor_string(c);
	case DW_FORM_line_strp:
		at = line_table_offset(t, &t->lists);
		text = die_text_at(&t->file->line_str, at);
		*ret_at = at;
		break;
	case DW_FORM_strp:
		text = die_text_at(&t->file->str, line_table_offset(t, &t->lists));
		break;
	case DW_FORM_strp_sup:
		at = line_table_offset(t, &t->lists);
		text = t->file->alt ? die_text_at(&t->file->alt->str, at) : NULL;
		break;
	default:
		break;
	}
	if (!text)
		c->bad = true;
	return text;
}

static uint64_t line_files_take_number(struct cursor *c, uint64_t form)
{
	switch (form) {
	case DW_FORM_udata:
		return cursor_uleb128(c);
	case DW_FORM_data1:
		return cursor_u8(c);
	case DW_FORM_data2:
		return cursor_u16(c);
	case DW_FORM_data4:
		return cursor_u32(c);
	default:
		c->bad = true;
		return 0;
	}
}

/* Skips other content about a file: a time, a size, a checksum. */
static void skip_form(struct line_table *t, uint64_t form)
{
	struct cursor *c = &t->lists;
	struct die_step step;

	if (!die_form_step(form, &t->head, &step)) {
		c->bad = true;
		return;
	}
	cursor_bytes(c, step.fixed);
	if (step.kind == STEP_LEB)
		cursor_uleb128(c);
	else if (step.kind == STEP_TEXT)
		cursor_string(c);
	else if (step.kind == STEP_BLOCK_LEB)
		cursor_bytes(c, cursor_uleb128(c));
	else if (step.kind != STEP_END)
		c->bad = true;
}

static void line_files_take_entry(struct line_table *t, const struct format *formats, size_t n,
				  struct line_file *ret, uint64_t *ret_directory)
{
	*ret = (struct line_file){ .name_at = DIE_NONE };
	*ret_directory = 0;
	for (size_t i = 0; i < n && !t->lists.bad; i++)
		if (formats[i].content == DW_LNCT_path)
			ret->name = line_files_take_path(t, formats[i].form, &ret->name_at);
		else if (formats[i].content == DW_LNCT_directory_index)
			*ret_directory = line_files_take_number(&t->lists, formats[i].form);
		else
			skip_form(t, formats[i].form);
}

/*
 * Reads a list of directories or of files. Entries without bytes are refused, because the list
 * could be endless.
 */
static bool line_files_read_list(struct line_files *l, struct line_table *t, bool are_files)
{
	struct format formats[FORMATS_MAX];
	struct cursor *c = &t->lists;
	size_t n = read_formats(c, formats);

	for (uint64_t left = cursor_uleb128(c); left && !c->bad; left--) {
		struct line_file file;
		const uint8_t *before = c->at;
		uint64_t directory;

		line_files_take_entry(t, formats, n, &file, &directory);
		if (c->bad || !file.name || c->at == before)
			return false;
		if (are_files)
			line_files_add_file(l, file.name, file.name_at, directory);
		else
			add_directory(l, file.name);
	}
	return !c->bad;
}

bool line_files_read(struct line_files *l, const struct die_file *f, const struct die_unit *u)
{
	struct line_table t;

	l->n = l->n_directories = 0;
	if (!line_table_open(&t, f, u))
		return false;
	l->first = t.head.version < 5;
	if (t.head.version < 5)
		return read_old(l, &t);
	return line_files_read_list(l, &t, false) && line_files_read_list(l, &t, true);
}
