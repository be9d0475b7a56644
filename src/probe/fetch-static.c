/* SPDX-License-Identifier: MIT */
/*
 * Global and static variables.
 *
 * The kernel finds its own variables by symbol. In a program, it takes `@+OFFSET` as an offset in
 * the file, but only adds the distance between the probe's address in memory and its offset in the
 * file (translate_user_vaddr()). So the offset must be computed as if the whole file were mapped
 * like the code around the probe.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "dwarf/debug-info.h"
#include "dwarf/debug-places.h"
#include "dwarf/file.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "probe/fetch-value.h"
#include "probe/probe-def.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"

/* The search for a name of an address that may have several names. */
struct fetch_static_naming {
	uint64_t addr;
	const char *wanted; /* the name in the source */
	char *name;         /* at @addr, the wanted one if possible; or NULL */
	uint64_t text;      /* the address of _text; 0: there is none */
};

static void fetch_static_consider(const struct elf_symbol *s, void *arg)
{
	struct fetch_static_naming *n = arg;

	if (!strcmp(s->name, "_text"))
		n->text = s->addr;
	if (s->addr != n->addr || (n->name && strcmp(s->name, n->wanted) != 0))
		return;
	free(n->name);
	n->name = xstrdup(s->name);
}

struct count {
	const char *name;
	size_t n;
	uint64_t addr;
};

static void count_name(const struct elf_symbol *s, void *arg)
{
	struct count *c = arg;

	if (strcmp(s->name, c->name) != 0)
		return;
	c->n++;
	c->addr = s->addr;
}

static struct elf_file *elf_of(const struct fetch *f)
{
	return dwarf_file_elf(debug_info_file(f->info));
}

static char *fetch_static_named(const char *symbol, int64_t offset)
{
	return xasprintf("@%s%+" PRId64, symbol, offset);
}

/*
 * Returns the operand for a variable of the kernel. The symbol table calls static variables of
 * functions `counter.3`, and several may share a name; then the distance from _text is used.
 */
static char *kernel_text(const struct fetch *f, const struct fetch_value *v)
{
	struct fetch_static_naming n = { .addr = v->at.addr, .wanted = v->name };
	int64_t offset = v->at.steps[0];

	if (v->symbol)
		return fetch_static_named(v->symbol, offset);
	elf_symbols_read(elf_of(f), ELF_SYMTAB, fetch_static_consider, &n);

	_cleanup_(freep) char *name = n.name;
	struct count c = { .name = name };

	if (name)
		elf_symbols_read(elf_of(f), ELF_SYMTAB, count_name, &c);
	if (c.n == 1 || (name && probe_target_kind(f->target) == PROBE_MODULE))
		return fetch_static_named(name, offset);
	if (n.text && n.addr >= n.text)
		return fetch_static_named("_text", (int64_t)(n.addr - n.text) + offset);
	return fetch_static_named(name ? name : v->name, offset);
}

static bool fetch_static_find_address(const struct fetch *f, const char *symbol, uint64_t *ret)
{
	struct count c = { .name = symbol };

	elf_symbols_read(elf_of(f), ELF_SYMTAB, count_name, &c);
	if (!c.n)
		elf_symbols_read(elf_of(f), ELF_DYNSYM, count_name, &c);
	*ret = c.addr;
	return c.n > 0;
}

static char *program_text(const struct fetch *f, const struct fetch_value *v)
{
	uint64_t addr = v->at.addr;

	if (v->symbol && !fetch_static_find_address(f, v->symbol, &addr)) {
		probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
			       "'%s' is each thread's own, or lies in another file", v->name);
		diag_hint(f->diag, "probes can read variables of the program or library that they "
				   "are in, if all threads share them");
		return NULL;
	}
	addr += (uint64_t)v->at.steps[0] - f->place->addr + f->probe->offset;
	return xasprintf("@+0x%" PRIx64, addr);
}

char *fetch_static_text(const struct fetch *f, const struct fetch_value *v)
{
	return probe_target_kind(f->target) == PROBE_PROGRAM ? program_text(f, v)
							     : kernel_text(f, v);
}
