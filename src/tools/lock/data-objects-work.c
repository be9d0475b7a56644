/* SPDX-License-Identifier: MIT */
#include "tools/lock/data-objects-work.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "symbol/symbolizer.h"
#include "symbol/table.h"

struct data_objects {
	struct elf_file *file; /* the file that ran; NULL: it cannot be read */
	struct symbol_table table;
};

void data_objects_free(struct data_objects *o)
{
	if (!o)
		return;
	symbol_table_done(&o->table);
	elf_file_free(o->file);
	free(o);
}

static void add_object(const struct elf_symbol *s, void *arg)
{
	struct symbol_table *t = arg;

	/* A symbol without a size could extend up to the next one. */
	if (s->kind != ELF_SYMBOL_OBJECT || !s->size || s->addr + s->size < s->addr)
		return;
	symbol_table_add(t,
			 (struct symbol){ .start = s->addr,
					  .end = s->addr + s->size,
					  .name = s->name,
					  .binding = s->binding },
			 strlen(s->name));
}

struct data_objects *data_objects_load(struct image *im)
{
	_cleanup_(elf_file_freep) struct elf_file *debug = NULL;
	struct data_objects *o = xcalloc(1, sizeof(*o));

	symbol_table_init(&o->table, NULL);
	if (image_open(im, &o->file) >= 0) {
		if (elf_symbols_read(o->file, ELF_SYMTAB, add_object, &o->table) < 0 &&
		    image_open_debug(im, &debug) >= 0)
			elf_symbols_read(debug, ELF_SYMTAB, add_object, &o->table);
		elf_symbols_read(o->file, ELF_DYNSYM, add_object, &o->table);
	}
	symbol_table_settle(&o->table, SYMBOL_RULES_LINKER);
	return o;
}

const struct symbol *data_objects_find(struct data_objects *o, uint64_t start, uint64_t offset,
				       uint64_t addr, uint64_t *ret_addr)
{
	uint64_t link;

	if (!o->file || !elf_file_address(o->file, offset, &link))
		return NULL;
	*ret_addr = addr - start + link;
	return symbol_table_find(&o->table, *ret_addr);
}
