/* SPDX-License-Identifier: MIT */
#include "dwarf/unwind/cfi-rules.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/memory.h"
#include "dwarf/unwind/cfi-rules-internal.h"

static const uint8_t *find_bytes(struct elf_file *f, const char *name, uint64_t *ret_addr,
				 size_t *ret_size)
{
	struct elf_section s;
	size_t number = elf_file_section_find(f, name, &s);

	if (!number)
		return NULL;
	*ret_addr = s.addr;
	return elf_file_section_content(f, number, ret_size);
}

/* Adds the section called @name as a source, if @f has it. */
static void cfi_rules_add_source(struct cfi_rules *r, struct elf_file *f, const char *name)
{
	size_t n = atomic_load_explicit(&r->n_sources, memory_order_relaxed);
	struct cfi_source *to = &r->sources[n];
	struct cfi_section_options o = { .swap = elf_file_is_swapped(f),
					 .is_64 = elf_file_is_64(f),
					 .is_debug_frame = !strcmp(name, ".debug_frame") };

	o.bytes = find_bytes(f, name, &o.addr, &o.size);
	if (!o.bytes)
		return;
	if (!o.is_debug_frame)
		o.table = find_bytes(f, ".eh_frame_hdr", &o.table_addr, &o.table_size);
	cfi_section_init(&to->section, &o);
	to->functions = xcalloc(to->section.n, sizeof(to->functions[0]));
	atomic_store_explicit(&r->n_sources, n + 1, memory_order_release);
}

static struct cfi_rules *rules_new(const struct arch *arch)
{
	const struct arch_convention *c = arch ? arch->convention : NULL;
	struct cfi_rules *r = xcalloc(1, sizeof(*r));

	r->arch = arch;
	r->frames = c ? c->code : NULL;
	r->compiler.fp_register = c ? c->fp : 0;
	pthread_mutex_init(&r->lock, NULL);
	return r;
}

struct cfi_rules *cfi_rules_new_jit(const struct arch *arch, cfi_piece_fn *find, void *arg)
{
	struct cfi_rules *r = rules_new(arch);

	r->find_piece = find;
	r->find_arg = arg;
	return r;
}

struct cfi_rules *cfi_rules_new(struct elf_file *file)
{
	struct cfi_rules *r = rules_new(arch_of_elf(elf_file_machine(file)));

	r->file = file;
	elf_file_section_find(file, ".text", &r->text);
	return r;
}

/* Reads the file's CFI when it is first needed. Returns the number of sources. */
static size_t sources_of(struct cfi_rules *r)
{
	if (!atomic_load_explicit(&r->is_read, memory_order_acquire)) {
		pthread_mutex_lock(&r->lock);
		if (!r->is_read && r->file) {
			cfi_rules_add_source(r, r->file, ".eh_frame");
			cfi_rules_add_source(r, r->file, ".debug_frame");
		}
		atomic_store_explicit(&r->is_read, true, memory_order_release);
		pthread_mutex_unlock(&r->lock);
	}
	return atomic_load_explicit(&r->n_sources, memory_order_acquire);
}

void cfi_rules_keep_answers(struct cfi_rules *r, char *path)
{
	r->answers_path = path;
	code_answers_open(&r->answers, path, elf_file_identity(r->file));
}

/* A debug file may have contained more than the file to which the answers belong. */
static void dwarf_cfi_rules_keep_answers(struct cfi_rules *r)
{
	if (r->answers_path && !r->debug_file)
		(void)code_answers_write(&r->answers, r->answers_path, elf_file_identity(r->file));
	code_answers_done(&r->answers);
	free(r->answers_path);
}

void cfi_rules_add_debug_file(struct cfi_rules *r, struct elf_file *debug)
{
	sources_of(r);
	pthread_mutex_lock(&r->lock);
	r->debug_file = debug;
	cfi_rules_add_source(r, debug, ".debug_frame");
	pthread_mutex_unlock(&r->lock);
}

void cfi_rules_free(struct cfi_rules *r)
{
	if (!r)
		return;
	dwarf_cfi_rules_keep_answers(r);
	for (size_t i = 0; i < r->n_sources; i++) {
		cfi_section_done(&r->sources[i].section);
		free(r->sources[i].functions);
	}
	shared_map_done(&r->pieces);
	shared_map_done(&r->running);
	shared_map_done(&r->leaves);
	shared_map_done(&r->ends);
	cfi_compiler_done(&r->compiler);
	elf_file_free(r->file);
	elf_file_free(r->debug_file);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

const struct arch *cfi_rules_arch(const struct cfi_rules *r)
{
	return r->arch;
}

static struct cfi_function *cfi_rules_compile(struct cfi_rules *r, struct cfi_source *s,
					      size_t number)
{
	struct cfi_function *f;

	pthread_mutex_lock(&r->lock);
	f = atomic_load_explicit(&s->functions[number], memory_order_relaxed);
	if (!f) {
		f = cfi_function_compile(&r->compiler, &s->section, number);
		atomic_store_explicit(&s->functions[number], f, memory_order_release);
	}
	pthread_mutex_unlock(&r->lock);
	return f;
}

/* Returns the function of @s at @addr, or NULL. */
static struct cfi_function *find_in(struct cfi_rules *r, struct cfi_source *s, uint64_t addr)
{
	struct cfi_function *f;
	size_t number;

	if (!cfi_section_number(&s->section, addr, &number))
		return NULL;
	f = atomic_load_explicit(&s->functions[number], memory_order_acquire);
	if (!f)
		f = cfi_rules_compile(r, s, number);
	return addr >= f->start && addr < f->end ? f : NULL;
}

static struct cfi_function *cfi_rules_function_at(struct cfi_rules *r, uint64_t addr)
{
	size_t n = sources_of(r);
	struct cfi_function *f = NULL;

	for (size_t i = 0; i < n && !f; i++)
		f = find_in(r, &r->sources[i], addr);
	return f;
}

/* Compiles the function that @p describes. The caller holds the lock. */
static struct cfi_function *compile_piece(struct cfi_rules *r, const struct cfi_piece *p)
{
	const struct cfi_section_options o = {
		.bytes = p->bytes, .size = p->size, .addr = p->addr, .swap = p->swap, .is_64 = true
	};
	struct cfi_section section;
	struct cfi_function *f;
	size_t number;

	cfi_section_init(&section, &o);
	if (cfi_section_number(&section, p->start, &number))
		f = cfi_function_compile(&r->compiler, &section, number);
	else
		f = arena_alloc(&r->compiler.arena, sizeof(*f));
	cfi_section_done(&section);
	return f;
}

/* Does the same as cfi_rules_function_at() for JIT code. */
static struct cfi_function *jit_function_at(struct cfi_rules *r, uint64_t addr)
{
	struct cfi_function *f;
	struct cfi_piece p;

	if (!r->find_piece(r->find_arg, addr, &p))
		return NULL;
	f = shared_map_find(&r->pieces, p.start);
	if (!f) {
		pthread_mutex_lock(&r->lock);
		f = shared_map_find(&r->pieces, p.start);
		if (!f) {
			f = compile_piece(r, &p);
			shared_map_put(&r->pieces, p.start, f);
		}
		pthread_mutex_unlock(&r->lock);
	}
	return addr >= f->start && addr < f->end ? f : NULL;
}

struct cfi_function *cfi_rules_function(struct cfi_rules *r, uint64_t offset, uint64_t *ret_at)
{
	struct cfi_function *f = NULL;
	uint64_t addr;

	if (!r->file)
		f = jit_function_at(r, addr = offset);
	else if (elf_file_address(r->file, offset, &addr))
		f = cfi_rules_function_at(r, addr);
	*ret_at = f ? addr - f->start : 0;
	return f;
}

static bool has_address(const struct cfi_function *f, uint64_t addr)
{
	return addr >= f->start && addr < f->end;
}

/* Gives the function and the rule of the code at @addr, if it is in @f. */
static bool cfi_rules_tell(const struct cfi_function *f, uint64_t addr, struct cfi_function *ret,
			   struct unwind_rule *ret_rule)
{
	const struct cfi_function_row *row;

	if (!f || !has_address(f, addr))
		return false;
	*ret = (struct cfi_function){ .start = f->start, .end = f->end };
	row = cfi_function_row(f, addr - f->start);
	*ret_rule = row ? row->rule : unwind_rule_unknown;
	return true;
}

/* Does the same as find_in(), for cfi_rules_glance(). */
static bool glance_in(struct cfi_rules *r, struct cfi_source *s, uint64_t addr,
		      struct cfi_function *ret, struct unwind_rule *ret_rule)
{
	const struct cfi_function *f;
	size_t number;

	if (!cfi_section_number(&s->section, addr, &number))
		return false;
	f = atomic_load_explicit(&s->functions[number], memory_order_acquire);
	if (!f &&
	    cfi_function_glance(&s->section, number, r->compiler.fp_register, addr, ret, ret_rule))
		return has_address(ret, addr);
	return cfi_rules_tell(f ? f : cfi_rules_compile(r, s, number), addr, ret, ret_rule);
}

static bool glance_at(struct cfi_rules *r, uint64_t addr, struct cfi_function *ret,
		      struct unwind_rule *ret_rule)
{
	size_t n = sources_of(r);
	bool found = false;

	for (size_t i = 0; i < n && !found; i++)
		found = glance_in(r, &r->sources[i], addr, ret, ret_rule);
	return found;
}

bool cfi_rules_glance(struct cfi_rules *r, uint64_t offset, struct cfi_function *ret,
		      uint64_t *ret_at, struct unwind_rule *ret_rule)
{
	uint64_t addr = offset;
	bool found = r->file ? elf_file_address(r->file, offset, &addr) &&
				       glance_at(r, addr, ret, ret_rule)
			     : cfi_rules_tell(jit_function_at(r, addr), addr, ret, ret_rule);

	*ret_at = found ? addr - ret->start : 0;
	if (!found)
		*ret_rule = unwind_rule_unknown;
	return found;
}

const struct unwind_rule *cfi_rules_find(struct cfi_rules *r, uint64_t offset)
{
	uint64_t at;
	const struct cfi_function *f = cfi_rules_function(r, offset, &at);
	const struct cfi_function_row *row = f ? cfi_function_row(f, at) : NULL;

	return row ? &row->rule : &unwind_rule_unknown;
}

/* True if a section describes the code at @addr as a signal frame. */
static bool may_be_signal(struct cfi_rules *r, uint64_t addr)
{
	size_t n = sources_of(r), number;
	bool may_be = false;
	struct cfi_fde fde;

	for (size_t i = 0; i < n && !may_be; i++)
		may_be = cfi_section_number(&r->sources[i].section, addr, &number) &&
			 cfi_section_fde(&r->sources[i].section, number, &fde) && fde.cie.is_signal;
	return may_be;
}

bool cfi_rules_is_signal(struct cfi_rules *r, uint64_t offset)
{
	uint64_t addr;

	/* This is true for nearly no code, whose rows then need not be compiled. */
	if (r->file && (!elf_file_address(r->file, offset, &addr) || !may_be_signal(r, addr)))
		return false;
	return cfi_rules_find(r, offset)->is_signal;
}

bool cfi_rules_lacks(struct cfi_rules *r, uint64_t offset)
{
	uint64_t at;

	return r->file && offset - r->text.offset < r->text.size &&
	       !cfi_rules_function(r, offset, &at);
}

bool cfi_rules_range(struct cfi_rules *r, uint64_t offset, uint64_t *ret_start, uint64_t *ret_end)
{
	uint64_t at;
	const struct cfi_function *f = cfi_rules_function(r, offset, &at);

	if (!f)
		return false;
	*ret_start = offset - at;
	*ret_end = *ret_start + (f->end - f->start);
	return true;
}

bool cfi_rules_begins(struct cfi_rules *r, uint64_t offset)
{
	uint64_t at;

	return cfi_rules_function(r, offset, &at) && !at;
}

/* _start is no longer than this. */
#define ENTRY_SIZE 256

bool cfi_rules_is_entry(const struct cfi_rules *r, uint64_t offset)
{
	uint64_t addr, entry = r->file ? elf_file_entry(r->file) : 0;

	return entry && elf_file_address(r->file, offset, &addr) && addr - entry < ENTRY_SIZE;
}

size_t cfi_rules_code(struct cfi_rules *r, uint64_t offset, void *ret, size_t n)
{
	return r->file ? elf_file_read(r->file, offset, ret, n) : 0;
}
