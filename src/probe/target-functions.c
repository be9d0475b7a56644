/* SPDX-License-Identifier: MIT */
/* The symbols by which functions of a target are named. */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "dwarf/debug-info.h"
#include "dwarf/file.h"
#include "elf/build-id.h"
#include "elf/debug-link.h"
#include "elf/file.h"
#include "elf/symbols.h"
#include "probe/target-internal.h"
#include "symbol/kallsyms.h"
#include "symbol/symbolizer.h"

#define RUNNING_KERNEL "/proc/kallsyms"

static int explain_hidden(int r, struct diag *diag)
{
	if (r == -EPERM) {
		diag_set(diag, r, "the kernel hides the addresses of its symbols");
		diag_hint(diag, geteuid() ? "Run as root, or: " KALLSYMS_SHOW
					  : "sysctl kernel.kptr_restrict=1");
		return r;
	}
	return diag_set(diag, r, "cannot read " RUNNING_KERNEL ": %s", strerror(-r));
}

static int read_running(struct probe_target *t, const char *module, struct diag *diag)
{
	int r = target_symbols_read_list(&t->functions, RUNNING_KERNEL, module);

	return r < 0 ? explain_hidden(r, diag) : 0;
}

/*
 * Reads the symbols of a program. A stripped program may have them in a separate file, or
 * compressed within itself.
 */
static int target_functions_read_program(struct probe_target *t)
{
	_cleanup_(elf_file_freep) struct elf_file *other = NULL;

	if (!elf_has_symtab(t->elf) && image_open_debug(t->image, &other) < 0)
		(void)elf_debug_data(t->elf, &other);
	return target_symbols_read_elf(&t->functions, other ? other : t->elf, t->elf);
}

/*
 * True if @s can be probed. Code outside .text is freed once the kernel or the module has started;
 * the rest is data.
 */
static bool is_in_text(const struct probe_target *t, const struct probe_symbol *s, size_t text)
{
	if (t->kind == PROBE_MODULE && !t->is_loaded)
		return strncmp(s->name, ".L", 2) != 0;
	return s->section == text;
}

/*
 * Reads the functions of a module that is not loaded, all of which can be probed. Its symbols are
 * relative to their sections, so each section is given an address.
 */
static int target_functions_read_text(struct probe_target *t)
{
	struct elf_section s;
	size_t text = elf_file_section_find(t->elf, ".text", &s), n = 0;
	bool is_laid_out = elf_file_type(t->elf) != ET_REL;
	struct target_symbols *l = &t->functions;
	int r = target_symbols_read_elf(l, t->elf, NULL);

	for (size_t i = 0; i < l->n; i++) {
		if (!is_in_text(t, &l->items[i], text))
			continue;
		l->items[n] = l->items[i];
		if (!is_laid_out)
			l->items[n].addr += (uint64_t)l->items[n].section << 40;
		n++;
	}
	l->n = n;
	return r < 0 || n ? r : -ENODATA;
}

/* True if the file is still the one that was loaded. Only then its .text is that of the module. */
static bool is_loaded_file(struct probe_target *t)
{
	struct build_id id;

	return t->elf && t->id.size && elf_file_build_id(t->elf, &id) >= 0 &&
	       build_id_equal(&id, &t->id);
}

int target_read_functions(struct probe_target *t, struct diag *diag)
{
	int r;

	if (t->kind == PROBE_KERNEL && !t->elf)
		return read_running(t, NULL, diag);
	if (t->kind == PROBE_MODULE && t->is_loaded && !is_loaded_file(t))
		return read_running(t, t->name, diag);
	if (t->kind == PROBE_PROGRAM)
		r = target_functions_read_program(t);
	else
		r = target_functions_read_text(t);
	if (r >= 0)
		return 0;
	diag_set(diag, r, "the file %s has no symbols: it is stripped", t->file);
	if (t->kind == PROBE_PROGRAM)
		target_hint_package(t->name, diag);
	return r;
}
