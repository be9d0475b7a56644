/* SPDX-License-Identifier: MIT */
#include "unwind/cfi-rules.h"

#include <config.h>

#include "elf/elf-file.h"

static const struct unwind_rule unknown = { .cfa_register = UNWIND_NO_REGISTER,
					    .ra_register = UNWIND_NO_REGISTER };

#if HAVE_LIBELF && HAVE_LIBDW
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/shared-map.h"
#include "unwind/aarch64-code.h"

/*
 * Code is looked at in blocks of this size. What is known of a block is a list of spans, each with
 * one rule; it only grows at its end, so that it can be read meanwhile. Spans that overlap agree.
 */
#define BLOCK_SIZE 256

struct span {
	_Atomic(struct span *) next;
	uint16_t start, end; /* in the block */
	struct unwind_rule rule;
};

struct cfi_rules {
	struct elf_file *file;
	int frame_pointer;    /* the register's number; -1: the machine has none */
	pthread_mutex_t lock; /* of all that follows: elfutils knows no threads */
	Dwarf_CFI *eh_frame;
	Dwarf *dwarf; /* opened where .eh_frame says nothing */
	bool dwarf_tried;
	struct arena arena;
	struct shared_map blocks; /* the first span, by offset / BLOCK_SIZE; read without lock */
};

#define AARCH64_LINK_REGISTER 30

static int frame_pointer_of(uint16_t machine)
{
	switch (machine) {
	case EM_AARCH64:
		return 29;
	case EM_X86_64:
		return 6;
	default:
		return -1;
	}
}

struct cfi_rules *cfi_rules_new(struct elf_file *file)
{
	struct cfi_rules *r = xcalloc(1, sizeof(*r));

	r->file = file;
	r->frame_pointer = frame_pointer_of(elf_file_machine(file));
	pthread_mutex_init(&r->lock, NULL);
	r->eh_frame = dwarf_getcfi_elf(elf_file_handle(file));
	return r;
}

void cfi_rules_free(struct cfi_rules *r)
{
	if (!r)
		return;
	shared_map_done(&r->blocks);
	arena_done(&r->arena);
	dwarf_cfi_end(r->eh_frame);
	dwarf_end(r->dwarf);
	elf_file_free(r->file);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static Dwarf_CFI *debug_frame(struct cfi_rules *r)
{
	struct elf_section s;

	if (!r->dwarf_tried && elf_file_section_find(r->file, ".debug_frame", &s))
		r->dwarf = dwarf_begin_elf(elf_file_handle(r->file), DWARF_C_READ, NULL);
	r->dwarf_tried = true;
	return r->dwarf ? dwarf_getcfi(r->dwarf) : NULL;
}

static bool to_offset(Dwarf_Word w, int32_t *ret)
{
	*ret = (int32_t)w;
	return (Dwarf_Word)(int64_t)*ret == w;
}

static void take_cfa(Dwarf_Frame *frame, struct unwind_rule *rule)
{
	Dwarf_Op *ops;
	Dwarf_Word reg, offset;
	size_t n;

	if (dwarf_frame_cfa(frame, &ops, &n) < 0 || n != 1)
		return;
	if (ops->atom == DW_OP_bregx) {
		reg = ops->number;
		offset = ops->number2;
	} else if (ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) {
		reg = ops->atom - DW_OP_breg0;
		offset = ops->number;
	} else {
		return;
	}
	if (reg < UNWIND_NO_REGISTER && to_offset(offset, &rule->cfa_offset))
		rule->cfa_register = (uint8_t)reg;
}

static enum unwind_where place_of(Dwarf_Frame *frame, int reg, int32_t *ret_offset)
{
	Dwarf_Op memory[3], *ops = memory;
	size_t n;

	if (dwarf_frame_register(frame, reg, memory, &ops, &n) < 0)
		return UNWIND_OTHER;
	if (n == 0)
		return ops ? UNWIND_UNDEFINED : UNWIND_SAME;
	if (ops[0].atom == DW_OP_call_frame_cfa &&
	    (n == 1 ||
	     (n == 2 && ops[1].atom == DW_OP_plus_uconst && to_offset(ops[1].number, ret_offset))))
		return UNWIND_AT_CFA;
	return UNWIND_OTHER;
}

static struct unwind_rule compile(const struct cfi_rules *r, Dwarf_Frame *frame)
{
	struct unwind_rule rule = unknown;
	bool is_signal = false;
	int ra = dwarf_frame_info(frame, NULL, NULL, &is_signal);

	rule.is_signal = is_signal;
	take_cfa(frame, &rule);
	if (ra >= 0 && ra < UNWIND_NO_REGISTER) {
		rule.ra_register = (uint8_t)ra;
		rule.ra = place_of(frame, ra, &rule.ra_offset);
	}
	if (r->frame_pointer >= 0)
		rule.fp = place_of(frame, r->frame_pointer, &rule.fp_offset);
	return rule;
}

/* What CFI says of the code from some address on. */
struct row {
	bool has_cfi;
	uint64_t passed, size; /* bytes since it began, and until it ends */
	struct unwind_rule rule;
};

/*
 * What begins a row may be a guess, as behind DW_CFA_restore_state elfutils gives the start of the
 * remembered one; it is never too late.
 */
static struct row ask(struct cfi_rules *r, uint64_t addr)
{
	_cleanup_(freep) Dwarf_Frame *frame = NULL;
	struct row row = { .size = 1, .rule = unknown };
	Dwarf_Addr start, end;

	if (dwarf_cfi_addrframe(r->eh_frame, addr, &frame) != 0 &&
	    dwarf_cfi_addrframe(debug_frame(r), addr, &frame) != 0)
		return row;
	row.has_cfi = true;
	row.rule = compile(r, frame);
	if (dwarf_frame_info(frame, &start, &end, NULL) >= 0 && start <= addr && addr < end) {
		row.passed = addr - start;
		row.size = end - addr;
	}
	return row;
}

/* A list of spans under way: where the next one goes. */
typedef _Atomic(struct span *) span_link;

static span_link *add_span(struct cfi_rules *r, span_link *at, uint32_t start, uint32_t end,
			   const struct unwind_rule *rule)
{
	struct span *s = arena_alloc(&r->arena, sizeof(*s));

	s->start = (uint16_t)start;
	s->end = (uint16_t)end;
	s->rule = *rule;
	atomic_store_explicit(at, s, memory_order_release);
	return &s->next;
}

/*
 * Where the frame pointer is set and restored, only the code knows; but that is near the ends of a
 * row, @at bytes from where it was asked for.
 */
static bool is_near_end(const struct row *row, uint64_t at)
{
	return row->passed + at < AARCH64_FRAME_CODE_MAX || row->size - at < AARCH64_FRAME_CODE_MAX;
}

/*
 * Whether the code is to be asked about the first @size bytes of @row: not where the frame pointer
 * is the base of the CFA, and so is set.
 */
static bool needs_code(const struct cfi_rules *r, const struct row *row, uint64_t size)
{
	if (elf_file_machine(r->file) != EM_AARCH64)
		return false;
	return !row->has_cfi ||
	       (row->rule.ra == UNWIND_AT_CFA && row->rule.cfa_register != r->frame_pointer &&
		(is_near_end(row, 0) || is_near_end(row, size)));
}

/* Marks the leaf's instructions among the first @size bytes of @row, at @offset in the file. */
static void mark_leaf(struct cfi_rules *r, const struct row *row, uint64_t offset, uint64_t size,
		      bool *ret)
{
	uint8_t code[BLOCK_SIZE + AARCH64_FRAME_CODE_MAX];
	size_t n = elf_file_read(r->file, offset, code, size + AARCH64_FRAME_CODE_MAX);

	aarch64_mark_leaf(code, n, !row->has_cfi, ret);
	for (uint64_t at = 0; row->has_cfi && at < size; at += AARCH64_INSTRUCTION_SIZE)
		ret[at / AARCH64_INSTRUCTION_SIZE] &= is_near_end(row, at);
}

/* Parts [@start, @end) of the block at @offset in the file by what its code tells. */
static void add_spans_by_code(struct cfi_rules *r, span_link *at, uint64_t offset, uint32_t start,
			      uint32_t end, const struct row *row)
{
	bool is_leaf[(BLOCK_SIZE + AARCH64_FRAME_CODE_MAX) / AARCH64_INSTRUCTION_SIZE] = { 0 };
	struct unwind_rule leaf = row->rule;

	leaf.ra_register = AARCH64_LINK_REGISTER;
	leaf.ra = leaf.fp = UNWIND_SAME;
	mark_leaf(r, row, offset + start, end - start, is_leaf);
	for (uint32_t from = start, to = start; from < end; from = to) {
		const bool *first = &is_leaf[(from - start) / AARCH64_INSTRUCTION_SIZE], *mark;

		for (mark = first; to < end && *mark == *first; mark++)
			to += AARCH64_INSTRUCTION_SIZE;
		at = add_span(r, at, from, to < end ? to : end, *first ? &leaf : &row->rule);
	}
}

/* Adds what is known from @offset on. */
static void add_row(struct cfi_rules *r, span_link *at, uint64_t offset)
{
	uint32_t start = offset % BLOCK_SIZE, end;
	struct row row = { .size = 1, .rule = unknown };
	uint64_t addr;

	if (elf_file_address(r->file, offset, &addr))
		row = ask(r, addr);
	end = row.size < BLOCK_SIZE - start ? start + (uint32_t)row.size : BLOCK_SIZE;
	if (needs_code(r, &row, end - start))
		add_spans_by_code(r, at, offset - start, start, end, &row);
	else
		add_span(r, at, start, end, &row.rule);
}

/* The rule for @in from the span @s on; NULL: there is none yet, and *@ret_end is where to add it.
 */
static const struct unwind_rule *find_from(struct span *s, uint32_t in, span_link **ret_end)
{
	for (;;) {
		if (in >= s->start && in < s->end)
			return &s->rule;

		struct span *next = atomic_load_explicit(&s->next, memory_order_acquire);

		if (!next) {
			*ret_end = &s->next;
			return NULL;
		}
		s = next;
	}
}

/* The rule for @offset, which is made if need be. Under the lock. */
static const struct unwind_rule *get(struct cfi_rules *r, uint64_t offset)
{
	uint64_t block = offset / BLOCK_SIZE;
	struct span *first = shared_map_find(&r->blocks, block);
	span_link fresh = NULL, *end;
	const struct unwind_rule *rule;

	if (!first) {
		add_row(r, &fresh, offset);
		first = atomic_load_explicit(&fresh, memory_order_relaxed);
		shared_map_put(&r->blocks, block, first);
	}
	rule = find_from(first, offset % BLOCK_SIZE, &end);
	if (rule)
		return rule;
	add_row(r, end, offset);
	return find_from(first, offset % BLOCK_SIZE, &end);
}

const struct unwind_rule *cfi_rules_find(struct cfi_rules *r, uint64_t offset)
{
	struct span *first = shared_map_find(&r->blocks, offset / BLOCK_SIZE);
	const struct unwind_rule *rule = NULL;
	span_link *end;

	if (first)
		rule = find_from(first, offset % BLOCK_SIZE, &end);
	if (rule)
		return rule;
	pthread_mutex_lock(&r->lock);
	rule = get(r, offset);
	pthread_mutex_unlock(&r->lock);
	return rule;
}
#else
#include "base/memory.h"

struct cfi_rules {
	struct elf_file *file;
};

struct cfi_rules *cfi_rules_new(struct elf_file *file)
{
	struct cfi_rules *r = xcalloc(1, sizeof(*r));

	r->file = file;
	return r;
}

void cfi_rules_free(struct cfi_rules *r)
{
	if (r)
		elf_file_free(r->file);
	free(r);
}

const struct unwind_rule *cfi_rules_find(struct cfi_rules *r, uint64_t offset)
{
	(void)r, (void)offset;
	return &unknown;
}
#endif
