/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of programs and libraries, which profiles from anywhere may name. Reading ends,
 * names are terminated texts, the symbol table is in order, and a lookup at the start of a symbol
 * finds that symbol or one that covers it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/text.h"
#include "symbol/buildid/sdt-probes.h"
#include "elf/debug-link.h"
#include "elf/file.h"
#include "elf/sdt.h"
#include "symbol/demangle.h"
#include "symbol/elf-load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(struct symbol_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct symbol *s = &t->items[i], *found = symbol_table_find(t, s->start);

		if (i && s->start <= s[-1].start)
			abort();
		if (found != s && (!found || found->start > s->start || found->end <= s->start))
			abort();
	}
}

static bool find_variable(void *arg, const char *name, uint64_t *ret)
{
	(void)arg;
	*ret = strlen(name);
	return *ret & 1;
}

static void check_note(const struct sdt_note *n, void *arg)
{
	const struct sdt_place places[] = { { .arch = &arch_x86_64, .variable = find_variable },
					    { .arch = &arch_aarch64 } };
	const char *at = n->arguments, *end = at + strlen(at);
	struct text out = TEXT_EMPTY;

	(void)arg;
	if (!n->provider || !n->name)
		abort();
	for (unsigned i = 1; sdt_argument_next(&at, &places[i & 1], i, &out); i++)
		if (at > end)
			abort();
	text_done(&out);
}

static void load(struct elf_file *f, bool by_offset)
{
	struct symbol_table t;

	symbol_table_init(&t, by_offset ? demangle : NULL);
	if (by_offset)
		elf_load_by_offset(f, f, &t);
	else
		elf_load_module(f, 0xffff800000000000, &t);
	check_table(&t);
	symbol_table_done(&t);
}

/* Checks the links to other files, and loads the ELF file that may be inside this one. */
static void look_for_more(struct elf_file *f)
{
	_cleanup_(elf_file_freep) struct elf_file *inner = NULL;
	struct debug_link link;
	struct build_id id;
	const char *path;

	if (elf_debug_link(f, &link) >= 0 && (!*link.name || strchr(link.name, '/')))
		abort();
	if (elf_debug_alt_link(f, &path, &id) >= 0 && (!*path || !id.size))
		abort();
	if (elf_debug_data(f, &inner) >= 0)
		load(inner, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct build_id id = { .size = 0 };
	uint64_t offset;

	if (elf_file_open_memory(data, size, &f) < 0)
		return 0;
	if (elf_file_build_id(f, &id) >= 0 && (!id.size || id.size > BUILD_ID_SIZE_MAX))
		abort();
	look_for_more(f);
	elf_file_has_code(f);
	elf_file_offset(f, 0x1000, 1, &offset);
	elf_sdt_for_each(f, check_note, NULL);
	load(f, true);
	load(f, false);
	return 0;
}
