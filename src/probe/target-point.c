/* SPDX-License-Identifier: MIT */
/*
 * Places in the kernel's notation. In a program a place is the offset in its file; in a module, the
 * function and an offset; in the kernel, the distance from the first symbol of its text, because
 * functions' names need not be unique. For a kernel that does not run here, only the function's
 * name is known.
 */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "dwarf/debug-info.h"
#include "dwarf/file.h"
#include "elf/file.h"
#include "kernel/kernel-text.h"
#include "probe/target-internal.h"
#include "probe/trace-probe.h"
#include "symbol/elf-load.h"

static int say_nothing_there(uint64_t addr, struct diag *diag)
{
	return diag_set(diag, -EINVAL, "there is no code at the address %#llx",
			(unsigned long long)addr);
}

/* True if @addr is in code. Files without a section table, which are rare, are trusted. */
static bool target_point_is_code(struct elf_file *f, uint64_t addr)
{
	struct elf_section s;

	if (!elf_file_section(f, 1, &s))
		return true;
	for (size_t i = 1; elf_file_section(f, i, &s); i++)
		if (s.flags & SHF_EXECINSTR && addr >= s.addr && addr - s.addr < s.size)
			return true;
	return false;
}

static int point_in_program(struct probe_target *t, uint64_t addr, struct target_point *ret,
			    struct diag *diag)
{
	struct target_point p = { 0 };

	if (!target_point_is_code(t->elf, addr) || !elf_file_offset(t->elf, addr, 0, &p.offset))
		return say_nothing_there(addr, diag);
	*ret = p;
	return 0;
}

static int point_in_function(struct probe_target *t, uint64_t addr, bool is_link,
			     struct target_point *ret, struct diag *diag)
{
	const struct probe_symbol *s;
	struct probe_symbol found;

	if (is_link)
		s = probe_target_symbol(t, addr, &found) ? &found : NULL;
	else
		s = target_symbols_find(&t->functions, addr);
	if (!s && t->kind == PROBE_MODULE) {
		*ret = (struct target_point){ .refused = TARGET_OUT_OF_TEXT };
		return 0;
	}
	if (!s)
		return say_nothing_there(addr, diag);
	*ret = (struct target_point){
		.symbol = s->name,
		.offset = addr - s->addr,
		.is_function = true,
	};
	return 0;
}

/* Finds the first symbol of the running kernel's text, and its address in the file. */
static int target_point_find_text(struct probe_target *t)
{
	struct kernel_text text;
	struct debug_info *info;
	_cleanup_(diag_done) struct diag unused = { 0 };
	int r = kernel_text_read("", &text);

	if (r < 0)
		return r;
	t->text.reference = text.reference;
	t->text.start = text.start;
	if (probe_target_debug(t, &info, &unused) >= 0)
		(void)elf_symbol_address(dwarf_file_elf(debug_info_file(info)), text.reference,
					 &t->text.link);
	return 0;
}

static bool has_text(struct probe_target *t)
{
	if (t->text.state == NOT_TRIED)
		t->text.state = target_point_find_text(t);
	return t->text.state >= 0;
}

/* True if the address was in .init.text, whose memory has been reused since. */
static bool target_point_is_gone(struct probe_target *t, uint64_t addr, bool is_link)
{
	struct elf_section s;

	if (!is_link || !t->debug)
		return false;

	struct elf_file *f = dwarf_file_elf(debug_info_file(t->debug));

	for (size_t i = 1; elf_file_section(f, i, &s); i++)
		if (addr >= s.addr && addr - s.addr < s.size)
			return !strncmp(s.name, ".init", 5);
	return false;
}

static const char *why_refused(struct probe_target *t, uint64_t addr, bool is_link, uint64_t real)
{
	if (target_point_is_gone(t, addr, is_link))
		return TARGET_OUT_OF_TEXT;
	return kernel_forbids(&t->forbidden, real) ? TARGET_BLACKLISTED : NULL;
}

/* Gives a place in a vmlinux, by its symbol. */
static int point_in_text(struct probe_target *t, uint64_t addr, struct target_point *ret,
			 struct diag *diag)
{
	const struct target_symbols *l = &t->functions;

	for (size_t i = 0; i < l->n && l->items[i].addr <= addr; i++) {
		if (strcmp(l->items[i].name, "_stext") != 0)
			continue;
		*ret = (struct target_point){ .symbol = "_stext",
					      .offset = addr - l->items[i].addr };
		return 0;
	}
	return point_in_function(t, addr, false, ret, diag);
}

int probe_target_point(struct probe_target *t, uint64_t addr, bool is_link,
		       struct target_point *ret, struct diag *diag)
{
	if (t->kind == PROBE_PROGRAM)
		return point_in_program(t, addr, ret, diag);
	if (probe_target_is_offline(t) && t->kind == PROBE_KERNEL && !is_link)
		return point_in_text(t, addr, ret, diag);
	if (t->kind == PROBE_MODULE || probe_target_is_offline(t) || !has_text(t))
		return point_in_function(t, addr, is_link, ret, diag);

	uint64_t start = is_link && t->text.link ? t->text.link : t->text.start;

	if (addr < start)
		return point_in_function(t, addr, is_link, ret, diag);
	*ret = (struct target_point){
		.symbol = t->text.reference,
		.offset = addr - start,
		.refused = why_refused(t, addr, is_link, addr - start + t->text.start),
	};
	return 0;
}

/* Finds the address of the symbol @name, in the form that probe_target_symbol() takes. */
static bool target_point_find_symbol(struct probe_target *t, const char *name, uint64_t *ret)
{
	const struct target_symbols *l = target_places(t);

	for (size_t i = 0; l && i < l->n; i++) {
		if (strcmp(l->items[i].name, name) != 0)
			continue;
		*ret = l->items[i].addr;
		return true;
	}
	return false;
}

/*
 * Returns the link address of a real kernel address, which has the same distance from the reference
 * symbol.
 */
static uint64_t target_point_link_address(struct probe_target *t, uint64_t addr)
{
	return t->text.link ? addr - t->text.start + t->text.link : addr;
}

bool probe_target_address(struct probe_target *t, const struct trace_probe *p, uint64_t *ret)
{
	uint64_t start;

	if (t->kind == PROBE_PROGRAM)
		return elf_file_address(t->elf, p->offset, ret);
	if (t->kind == PROBE_KERNEL && has_text(t) &&
	    (!p->symbol || !strcmp(p->symbol, t->text.reference))) {
		start = p->symbol ? t->text.start : 0;
		*ret = target_point_link_address(t, start + p->offset);
		return true;
	}
	if (!p->symbol || !target_point_find_symbol(t, p->symbol, &start))
		return false;
	*ret = start + p->offset;
	return true;
}
