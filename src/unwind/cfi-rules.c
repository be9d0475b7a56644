/* SPDX-License-Identifier: MIT */
#include "unwind/cfi-rules.h"

#include <elf.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/shared-map.h"
#include "elf/elf-file.h"
#include "unwind/aarch64-code.h"
#include "unwind/aarch64-walk.h"
#include "unwind/cfi-function.h"
#include "unwind/cfi-section.h"

#define SOURCES_MAX 3

/* Code is read in pieces of this size. */
#define CODE_PAGE_SIZE 4096

/* A section, and the functions of it that were asked for, by the numbers of their FDEs. */
struct source {
	struct cfi_section section;
	_Atomic(struct cfi_function *) *functions;
};

/* A piece of the file. */
struct page {
	size_t size;
	uint8_t bytes[CODE_PAGE_SIZE];
};

struct cfi_rules {
	uint16_t machine;
	struct elf_file *file, *debug_file; /* of made code none */
	struct elf_section text;
	cfi_piece_fn *find_piece;
	void *find_arg;
	struct shared_map pieces; /* functions of made code by their start */
	pthread_mutex_t lock;     /* of all that is added, and of the file */
	struct source sources[SOURCES_MAX];
	atomic_size_t n_sources;
	struct cfi_compiler compiler;
	struct shared_map pages;   /* struct page by offset / CODE_PAGE_SIZE */
	struct shared_map running; /* rules of cfi_rules_find_running(), by offset */
	struct shared_map leaves;  /* answers of cfi_rules_is_leaf(), by offset: LEAF_* */
};

#define X86_RBP 6 /* DWARF's number */

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

/* Makes a source of the section called @name, if @f has it. */
static void add_source(struct cfi_rules *r, struct elf_file *f, const char *name)
{
	size_t n = atomic_load_explicit(&r->n_sources, memory_order_relaxed);
	struct source *to = &r->sources[n];
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

static struct cfi_rules *rules_new(uint16_t machine)
{
	struct cfi_rules *r = xcalloc(1, sizeof(*r));

	r->machine = machine;
	r->compiler.fp_register = machine == EM_AARCH64 ? AARCH64_FP : X86_RBP;
	pthread_mutex_init(&r->lock, NULL);
	return r;
}

struct cfi_rules *cfi_rules_new_made(uint16_t machine, cfi_piece_fn *find, void *arg)
{
	struct cfi_rules *r = rules_new(machine);

	r->find_piece = find;
	r->find_arg = arg;
	return r;
}

struct cfi_rules *cfi_rules_new(struct elf_file *file)
{
	struct cfi_rules *r = rules_new(elf_file_machine(file));

	r->file = file;
	elf_file_section_find(file, ".text", &r->text);
	add_source(r, file, ".eh_frame");
	add_source(r, file, ".debug_frame");
	return r;
}

void cfi_rules_add_debug_file(struct cfi_rules *r, struct elf_file *debug)
{
	pthread_mutex_lock(&r->lock);
	r->debug_file = debug;
	add_source(r, debug, ".debug_frame");
	pthread_mutex_unlock(&r->lock);
}

void cfi_rules_free(struct cfi_rules *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_sources; i++) {
		cfi_section_done(&r->sources[i].section);
		free(r->sources[i].functions);
	}
	shared_map_done(&r->pieces);
	shared_map_done(&r->pages);
	shared_map_done(&r->running);
	shared_map_done(&r->leaves);
	cfi_compiler_done(&r->compiler);
	elf_file_free(r->file);
	elf_file_free(r->debug_file);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

uint16_t cfi_rules_machine(const struct cfi_rules *r)
{
	return r->machine;
}

static struct cfi_function *compile(struct cfi_rules *r, struct source *s, size_t number)
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

/* The function of @s at @addr, or NULL. */
static struct cfi_function *find_in(struct cfi_rules *r, struct source *s, uint64_t addr)
{
	struct cfi_function *f;
	size_t number;

	if (!cfi_section_number(&s->section, addr, &number))
		return NULL;
	f = atomic_load_explicit(&s->functions[number], memory_order_acquire);
	if (!f)
		f = compile(r, s, number);
	return addr >= f->start && addr < f->end ? f : NULL;
}

static struct cfi_function *function_at(struct cfi_rules *r, uint64_t addr)
{
	size_t n = atomic_load_explicit(&r->n_sources, memory_order_acquire);
	struct cfi_function *f = NULL;

	for (size_t i = 0; i < n && !f; i++)
		f = find_in(r, &r->sources[i], addr);
	return f;
}

/* The function that @p is about, as its .eh_frame says; under the lock. */
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

/* The same for made code. */
static struct cfi_function *made_function_at(struct cfi_rules *r, uint64_t addr)
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

/* The function of the code at @offset in the file, which is at *@ret_at of it; or NULL. */
static struct cfi_function *function_of(struct cfi_rules *r, uint64_t offset, uint64_t *ret_at)
{
	struct cfi_function *f = NULL;
	uint64_t addr;

	if (!r->file)
		f = made_function_at(r, addr = offset);
	else if (elf_file_address(r->file, offset, &addr))
		f = function_at(r, addr);
	*ret_at = f ? addr - f->start : 0;
	return f;
}

const struct unwind_rule *cfi_rules_find(struct cfi_rules *r, uint64_t offset)
{
	uint64_t at;
	const struct cfi_function *f = function_of(r, offset, &at);
	const struct cfi_function_row *row = f ? cfi_function_row(f, at) : NULL;

	return row ? &row->rule : &unwind_rule_unknown;
}

bool cfi_rules_lacks(struct cfi_rules *r, uint64_t offset)
{
	uint64_t at;

	return r->file && offset - r->text.offset < r->text.size && !function_of(r, offset, &at);
}

bool cfi_rules_begins(struct cfi_rules *r, uint64_t offset)
{
	uint64_t at;

	return function_of(r, offset, &at) && !at;
}

/* What is assembled by hand to call the first function is no longer. */
#define ENTRY_SIZE 256

bool cfi_rules_is_entry(const struct cfi_rules *r, uint64_t offset)
{
	uint64_t addr, entry = r->file ? elf_file_entry(r->file) : 0;

	return entry && elf_file_address(r->file, offset, &addr) && addr - entry < ENTRY_SIZE;
}

static const struct page *page_at(struct cfi_rules *r, uint64_t number)
{
	struct page *p = shared_map_find(&r->pages, number);

	if (p)
		return p;
	pthread_mutex_lock(&r->lock);
	p = shared_map_find(&r->pages, number);
	if (!p) {
		p = arena_alloc(&r->compiler.arena, sizeof(*p));
		p->size = elf_file_read(r->file, number * CODE_PAGE_SIZE, p->bytes, CODE_PAGE_SIZE);
		shared_map_put(&r->pages, number, p);
	}
	pthread_mutex_unlock(&r->lock);
	return p;
}

size_t cfi_rules_code(struct cfi_rules *r, uint64_t offset, void *ret, size_t n)
{
	size_t done = 0;

	while (r->file && done < n) {
		const struct page *p = page_at(r, (offset + done) / CODE_PAGE_SIZE);
		size_t at = (offset + done) % CODE_PAGE_SIZE,
		       left = at < p->size ? p->size - at : 0;
		size_t some = left < n - done ? left : n - done;

		if (!some)
			break;
		memcpy((uint8_t *)ret + done, p->bytes + at, some);
		done += some;
	}
	return done;
}

/* Whether @f begins as a function does; a part that was moved away from it has its frame. */
static bool has_entry(const struct cfi_function *f)
{
	const struct unwind_rule *first = &f->rows[0].rule;

	return f->n && !f->rows[0].start && first->cfa_register == AARCH64_SP &&
	       !first->cfa_offset && first->ra == UNWIND_SAME && first->fp == UNWIND_SAME &&
	       !first->is_signal;
}

/* What the code before @offset, @at bytes from the start of @f, tells. */
static bool frame_from_entry(struct cfi_rules *r, const struct cfi_function *f, uint64_t offset,
			     uint64_t at, struct aarch64_frame *ret)
{
	uint8_t code[AARCH64_WAY_MAX * AARCH64_INSTRUCTION_SIZE];

	if (at > sizeof(code) || !has_entry(f) || cfi_rules_code(r, offset - at, code, at) != at)
		return false;
	return aarch64_frame_from_entry(code, at / AARCH64_INSTRUCTION_SIZE, ret);
}

static bool fetch(void *arg, uint64_t offset, uint32_t *ret)
{
	uint8_t code[AARCH64_INSTRUCTION_SIZE];

	if (cfi_rules_code(arg, offset, code, sizeof(code)) != sizeof(code))
		return false;
	*ret = aarch64_instruction(code);
	return true;
}

/* What the code from @offset on tells, up to the end of its function @f (NULL: not known). */
static bool frame_from_exit(struct cfi_rules *r, const struct cfi_function *f, uint64_t offset,
			    uint64_t at, struct aarch64_frame *ret)
{
	uint8_t code[AARCH64_WAY_MAX * AARCH64_INSTRUCTION_SIZE];
	uint64_t left;
	size_t n;

	if (!f)
		return aarch64_frame_by_walk(fetch, r, offset, ret);
	left = f->end - f->start - at;
	n = cfi_rules_code(r, offset, code, left < sizeof(code) ? left : sizeof(code));
	return aarch64_frame_from_exit(code, n / AARCH64_INSTRUCTION_SIZE, ret);
}

static struct unwind_rule rule_of(const struct aarch64_frame *f, const struct unwind_rule *by_cfi)
{
	struct unwind_rule rule = *by_cfi;

	if (f->has_cfa) {
		rule.cfa_register = f->cfa_from_fp ? AARCH64_FP : AARCH64_SP;
		rule.cfa_offset = f->cfa_offset;
	} else if (rule.cfa_register == UNWIND_NO_REGISTER) {
		rule.cfa_register = AARCH64_SP;
		rule.cfa_offset = 0;
	}
	rule.ra_register = AARCH64_LR;
	rule.ra = f->ra_is_saved ? UNWIND_AT_CFA : UNWIND_SAME;
	rule.ra_offset = f->ra_is_saved ? f->ra_offset : 0;
	rule.fp = f->fp_is_saved ? UNWIND_AT_CFA : UNWIND_SAME;
	rule.fp_offset = f->fp_is_saved ? f->fp_offset : 0;
	return rule;
}

static bool is_same(const struct unwind_rule *a, const struct unwind_rule *b)
{
	return a->cfa_register == b->cfa_register && a->cfa_offset == b->cfa_offset &&
	       a->ra_register == b->ra_register && a->ra == b->ra && a->fp == b->fp &&
	       (a->ra != UNWIND_AT_CFA || a->ra_offset == b->ra_offset) &&
	       (a->fp != UNWIND_AT_CFA || a->fp_offset == b->fp_offset);
}

/*
 * Whether the frame is gone before a tail call, of which OCaml's CFI says that the CFA is the stack
 * pointer, but not that the return address is no longer saved below it.
 */
static bool is_gone(const struct unwind_rule *by_cfi)
{
	return by_cfi->cfa_register == AARCH64_SP && !by_cfi->cfa_offset &&
	       by_cfi->ra == UNWIND_AT_CFA && by_cfi->ra_offset < 0;
}

/*
 * What the code at @offset tells of its frame. CFI that counts from the frame pointer is right as
 * long as that is the function's own; the stack pointer may be anywhere then. Where CFI says that
 * the return address is saved, it is, although x29 may yet have to be set.
 */
static bool find_frame(struct cfi_rules *r, uint64_t offset, const struct unwind_rule *by_cfi,
		       struct aarch64_frame *ret)
{
	uint64_t at;
	const struct cfi_function *f = function_of(r, offset, &at);

	if (is_gone(by_cfi)) {
		*ret = (struct aarch64_frame){ .has_cfa = true };
		return true;
	}
	switch (by_cfi->cfa_register) {
	case AARCH64_FP:
		return frame_from_exit(r, f, offset, at, ret) && !ret->fp_is_saved;
	case AARCH64_SP:
	case UNWIND_NO_REGISTER:
		return (f && frame_from_entry(r, f, offset, at, ret)) ||
		       (frame_from_exit(r, f, offset, at, ret) &&
			!(ret->is_being_built && by_cfi->ra == UNWIND_AT_CFA));
	default:
		return false;
	}
}

/* The rule for aarch64 code at @offset by what it does, or @by_cfi. */
static const struct unwind_rule *ask_code(struct cfi_rules *r, uint64_t offset,
					  const struct unwind_rule *by_cfi)
{
	struct aarch64_frame frame;
	struct unwind_rule rule, *copy;

	if (by_cfi->is_signal || by_cfi->ra == UNWIND_UNDEFINED ||
	    offset % AARCH64_INSTRUCTION_SIZE || !find_frame(r, offset, by_cfi, &frame))
		return by_cfi;
	rule = rule_of(&frame, by_cfi);
	if (is_same(&rule, by_cfi))
		return by_cfi;
	pthread_mutex_lock(&r->lock);
	copy = arena_alloc(&r->compiler.arena, sizeof(*copy));
	*copy = rule;
	pthread_mutex_unlock(&r->lock);
	return copy;
}

/* Remembers @value for @offset, unless somebody was faster. Returns what is remembered. */
static void *remember(struct cfi_rules *r, struct shared_map *m, uint64_t offset, void *value)
{
	void *known;

	pthread_mutex_lock(&r->lock);
	known = shared_map_find(m, offset);
	if (!known)
		shared_map_put(m, offset, value);
	pthread_mutex_unlock(&r->lock);
	return known ? known : value;
}

const struct unwind_rule *cfi_rules_find_running(struct cfi_rules *r, uint64_t offset)
{
	const struct unwind_rule *rule;

	if (cfi_rules_machine(r) != EM_AARCH64)
		return cfi_rules_find(r, offset);
	rule = shared_map_find(&r->running, offset);
	if (rule)
		return rule;
	rule = ask_code(r, offset, cfi_rules_find(r, offset));
	/* The map borrows what it could change, and does not. */
	return remember(r, &r->running, offset, (void *)rule);
}

static enum aarch64_callee_record callee_record(struct cfi_rules *r, uint64_t offset)
{
	uint8_t code[AARCH64_CALLEE_RECORD_SIZE * AARCH64_INSTRUCTION_SIZE];

	if (offset < sizeof(code) ||
	    cfi_rules_code(r, offset - sizeof(code), code, sizeof(code)) != sizeof(code))
		return CALLEE_RECORD_NONE;
	return aarch64_callee_record(code, AARCH64_CALLEE_RECORD_SIZE);
}

bool cfi_rules_has_callee_record(struct cfi_rules *r, uint64_t offset)
{
	return cfi_rules_machine(r) == EM_AARCH64 &&
	       callee_record(r, offset) == CALLEE_RECORD_IN_USE;
}

#define LEAF_NO  ((void *)(uintptr_t)1)
#define LEAF_YES ((void *)(uintptr_t)2)

static bool ask_whether_leaf(struct cfi_rules *r, uint64_t offset)
{
	const struct unwind_rule *rule = cfi_rules_find(r, offset);
	struct aarch64_frame frame;
	const struct cfi_function *f;
	uint64_t at;

	if (rule->is_signal || rule->ra == UNWIND_UNDEFINED)
		return false;
	if (rule->ra == UNWIND_SAME && rule->ra_register == AARCH64_LR && rule->fp == UNWIND_SAME)
		return true;
	f = function_of(r, offset, &at);
	return frame_from_exit(r, f, offset, at, &frame) && !frame.ra_is_saved &&
	       !frame.fp_is_saved && callee_record(r, offset) == CALLEE_RECORD_NONE;
}

bool cfi_rules_is_leaf(struct cfi_rules *r, uint64_t offset)
{
	void *known;

	if (cfi_rules_machine(r) != EM_AARCH64)
		return false;
	known = shared_map_find(&r->leaves, offset);
	if (!known)
		known = remember(r, &r->leaves, offset,
				 ask_whether_leaf(r, offset) ? LEAF_YES : LEAF_NO);
	return known == LEAF_YES;
}
