/* SPDX-License-Identifier: MIT */
#include "probe/probe-target.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "dwarf/debug-info.h"
#include "dwarf/file.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "kernel/kernel-notes.h"
#include "probe/target-internal.h"
#include "symbol/demangle.h"
#include "symbol/source-find.h"
#include "symbol/symbolizer.h"

int probe_target_open(const struct probe_target_options *o, struct probe_target **ret,
		      struct diag *diag)
{
	_cleanup_(probe_target_freep) struct probe_target *t = xcalloc(1, sizeof(*t));
	int r;

	t->options = *o;
	t->debug_state = t->functions_state = t->places_state = t->text.state = NOT_TRIED;
	t->symbolizer = symbolizer_new(&(struct symbolizer_options){ .symfs = o->symfs,
								     .buildid_dir = o->buildid_dir,
								     .vmlinux = o->vmlinux,
								     .progress = o->progress });
	if (o->program)
		r = target_open_program(t, diag);
	else if (o->module)
		r = target_open_module(t, diag);
	else
		r = target_open_kernel(t, diag);
	if (r >= 0)
		*ret = TAKE(t);
	return r;
}

int probe_target_open_module(const struct probe_target *t, const char *name,
			     struct probe_target **ret, struct diag *diag)
{
	struct probe_target_options o = t->options;

	o.module = name;
	o.vmlinux = NULL;
	return probe_target_open(&o, ret, diag);
}

void probe_target_free(struct probe_target *t)
{
	if (!t)
		return;
	debug_info_free(t->debug);
	elf_file_free(t->elf);
	symbolizer_free(t->symbolizer);
	target_symbols_done(&t->functions);
	target_symbols_done(&t->places);
	kernel_forbidden_done(&t->forbidden);
	free(t->debug_path);
	free(t->name);
	free(t->file);
	free(t);
}

enum probe_target_kind probe_target_kind(const struct probe_target *t)
{
	return t->kind;
}

const char *probe_target_name(const struct probe_target *t)
{
	return t->name;
}

const struct arch *probe_target_arch(struct probe_target *t)
{
	return t->arch;
}

bool probe_target_is_offline(const struct probe_target *t)
{
	return t->options.offline && t->options.vmlinux;
}

bool probe_target_is_running(const struct probe_target *t)
{
	struct build_id running;

	return !t->options.vmlinux || !t->id.size || build_id_of_kernel(&running) < 0 ||
	       build_id_equal(&running, &t->id);
}

/*
 * Returns the path of the index, which is kept beside the other files of that build in the build-id
 * cache; NULL: there is no cache.
 */
static char *index_path(const struct probe_target *t, struct elf_file *dwarf)
{
	const char *dir = t->options.buildid_dir;
	char text[BUILD_ID_TEXT_MAX];
	struct build_id id;

	if (!dir || elf_file_build_id(dwarf, &id) < 0 || id.size < 2)
		return NULL;
	build_id_format(&id, text);
	return xasprintf("%s/.probe-index/%.2s/%s", dir, text, text + 2);
}

static int open_debug(struct probe_target *t)
{
	_cleanup_(source_parts_done) struct source_parts parts = { 0 };
	int r = target_find_debug(t, &parts);

	if (r < 0)
		return r;

	_cleanup_(freep) char *index = index_path(t, parts.dwarf);

	r = debug_info_open(TAKE(parts.dwarf), index, &t->debug);
	if (r < 0)
		return r;
	debug_info_set_progress(t->debug, t->options.progress);
	if (t->elf)
		debug_info_set_program(t->debug, t->elf);
	t->debug_path = TAKE(parts.path);
	if (parts.alt)
		dwarf_file_set_alt(debug_info_file(t->debug), TAKE(parts.alt));
	if (parts.package)
		dwarf_file_set_package(debug_info_file(t->debug), TAKE(parts.package));
	return 0;
}

int probe_target_debug(struct probe_target *t, struct debug_info **ret, struct diag *diag)
{
	if (t->debug_state == NOT_TRIED)
		t->debug_state = open_debug(t);
	if (t->debug_state < 0)
		return target_explain_no_debug(t, diag);
	*ret = t->debug;
	return 0;
}

static int probe_target_read_functions(struct probe_target *t, struct diag *diag)
{
	if (t->functions_state == NOT_TRIED) {
		t->functions_state = target_read_functions(t, diag);
		if (t->functions_state >= 0)
			target_symbols_settle(&t->functions);
		return t->functions_state;
	}
	return t->functions_state < 0 ? target_read_functions(t, diag) : 0;
}

/*
 * True if @s has the name @name. -F shows names with namespaces and classes, which the linker's
 * names have mangled.
 */
static bool probe_target_is_called(const struct probe_target *t, const struct probe_symbol *s,
				   const char *name)
{
	if (symbol_name_is(s->name, name))
		return true;
	if (!name || !strstr(name, "::") || t->kind != PROBE_PROGRAM || t->options.no_demangle ||
	    s->name[0] != '_')
		return false;

	_cleanup_(freep) char *pretty = demangle(s->name);

	return pretty && symbol_name_is(pretty, name);
}

int probe_target_functions(struct probe_target *t, const char *name,
			   void (*each)(void *arg, const struct probe_symbol *s), void *arg,
			   struct diag *diag)
{
	int r = probe_target_read_functions(t, diag), n = 0;

	if (r < 0)
		return r;
	for (size_t i = 0; i < t->functions.n; i++) {
		const struct probe_symbol *s = &t->functions.items[i];

		if (!probe_target_is_called(t, s, name))
			continue;
		each(arg, s);
		n++;
	}
	return n;
}

/*
 * Lays out the symbols of a relocatable file, which are relative to their sections, by adding the
 * addresses of the sections; .text is at @text.
 */
static void probe_target_lay_out(struct target_symbols *l, struct elf_file *f, uint64_t text)
{
	struct elf_section s;
	size_t section = elf_file_section_find(f, ".text", &s), n = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->items[i].section != section)
			continue;
		l->items[n] = l->items[i];
		l->items[n++].addr += text;
	}
	l->n = n;
}

static int read_places(struct probe_target *t)
{
	_cleanup_(diag_done) struct diag unused = { 0 };
	struct debug_info *debug;

	if (probe_target_debug(t, &debug, &unused) < 0)
		return -ENODATA;

	struct elf_file *f = dwarf_file_elf(debug_info_file(debug));
	int r = target_symbols_read_elf(&t->places, f, NULL);

	if (r >= 0 && elf_file_type(f) == ET_REL)
		probe_target_lay_out(&t->places, f, dwarf_file_text(debug_info_file(debug)));
	return r;
}

const struct target_symbols *target_places(struct probe_target *t)
{
	_cleanup_(diag_done) struct diag unused = { 0 };

	if (t->kind != PROBE_PROGRAM && t->places_state == NOT_TRIED) {
		t->places_state = read_places(t);
		if (t->places_state >= 0)
			target_symbols_settle(&t->places);
	}
	if (t->places.n)
		return &t->places;
	return probe_target_read_functions(t, &unused) < 0 ? NULL : &t->functions;
}

bool probe_target_symbol(struct probe_target *t, uint64_t addr, struct probe_symbol *ret)
{
	const struct target_symbols *l = target_places(t);
	const struct probe_symbol *s = l ? target_symbols_find(l, addr) : NULL;

	if (s)
		*ret = *s;
	return s;
}
