/* SPDX-License-Identifier: MIT */
#include "dwarf/debug-function.h"

#include <errno.h>
#include <stdlib.h>

#include "dwarf/debug-info.h"

#include <dwarf.h>
#include <string.h>

#include "base/c-type.h"
#include "base/memory.h"
#include "dwarf/debug-code.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/debug-location.h"
#include "dwarf/debug-types.h"
#include "dwarf/unit.h"

/* No compiler inlines deeper than this, or nests blocks deeper. */
#define DEPTH_MAX 200

/* More than any function has: hostile files refer to the same lists again and again. */
#define VARIABLES_MAX (1u << 18)

/* The base from which DW_OP_fbreg counts. */
struct frame_base {
	bool is_known;
	enum typed_where where; /* TYPED_FRAME or TYPED_AT_REGISTER */
	uint8_t reg;
	int64_t offset;
};

struct debug_function_walk {
	struct debug_info *info;
	struct debug_function_types *out;
	struct frame_base base;
	const void *reached; /* lists of entries in damaged files may be circular */
};

void debug_function_types_done(struct debug_function_types *f)
{
	free(f->ranges.items);
	free(f->variables.items);
	free(f->calls.items);
	*f = (struct debug_function_types){ .entry = 0 };
}

static bool is_register(unsigned reg)
{
	return reg < 32;
}

/*
 * Gives the register of DW_OP_reg or DW_OP_regx; false: it is another operation, or another
 * register.
 */
static bool debug_function_register_of(const Dwarf_Op *op, uint8_t *ret)
{
	Dwarf_Word reg = op->atom == DW_OP_regx ? op->number : (Dwarf_Word)op->atom - DW_OP_reg0;

	if (op->atom != DW_OP_regx && (op->atom < DW_OP_reg0 || op->atom > DW_OP_reg31))
		return false;
	*ret = (uint8_t)reg;
	return is_register((unsigned)reg);
}

/* Gives the same for DW_OP_breg and DW_OP_bregx, which add an offset. */
static bool debug_function_sum_of(const Dwarf_Op *op, uint8_t *ret, int64_t *ret_offset)
{
	bool is_long = op->atom == DW_OP_bregx;
	Dwarf_Word reg = is_long ? op->number : (Dwarf_Word)op->atom - DW_OP_breg0;

	if (!is_long && (op->atom < DW_OP_breg0 || op->atom > DW_OP_breg31))
		return false;
	*ret = (uint8_t)reg;
	*ret_offset = (int64_t)(is_long ? op->number2 : op->number);
	return is_register((unsigned)reg);
}

static void read_frame_base(struct debug_function_walk *w, Dwarf_Die *function)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;
	struct frame_base *b = &w->base;

	/* Old compilers write a list; then there is CFI, too, which gives the same result. */
	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &a) ||
	    dwarf_getlocation(&a, &ops, &n) != 0 || n != 1)
		return;
	b->where = TYPED_AT_REGISTER;
	b->is_known = true;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		b->where = TYPED_FRAME;
	else if (!debug_function_register_of(&ops[0], &b->reg) &&
		 !debug_function_sum_of(&ops[0], &b->reg, &b->offset))
		b->is_known = false;
}

/* True if the operation uses an index into .debug_addr, as split units do. */
static bool is_indexed(const Dwarf_Op *op)
{
	return op->atom == DW_OP_constx || op->atom == DW_OP_GNU_const_index;
}

static bool read_indexed(Dwarf_Attribute *a, const Dwarf_Op *op, struct typed_variable *v)
{
	uint64_t offset = 0;

	if (!debug_location_indexed(a, op, &offset))
		return false;
	v->offset = (int64_t)offset;
	return true;
}

/* Sets the place of the variable; false: it cannot be used here. */
static bool debug_function_read_place(const struct frame_base *b, Dwarf_Attribute *a,
				      const Dwarf_Op *ops, size_t n, struct typed_variable *v)
{
	v->offset = 0;
	if (n == 2 && debug_function_sum_of(&ops[0], &v->reg, &v->offset) &&
	    ops[1].atom == DW_OP_stack_value) {
		v->where = TYPED_SUM;
		return true;
	}
	if (debug_location_is_thread_local(ops, n)) {
		v->where = TYPED_THREAD_LOCAL;
		v->offset = (int64_t)ops[0].number;
		return !is_indexed(&ops[0]) || read_indexed(a, &ops[0], v);
	}
	if (n != 1)
		return false;
	if (debug_function_register_of(&ops[0], &v->reg)) {
		v->where = TYPED_REGISTER;
		return true;
	}
	if (debug_function_sum_of(&ops[0], &v->reg, &v->offset)) {
		v->where = TYPED_AT_REGISTER;
		return true;
	}
	switch (ops[0].atom) {
	case DW_OP_fbreg:
		v->where = b->where;
		v->reg = b->reg;
		v->offset = b->offset + (int64_t)ops[0].number;
		return b->is_known;
	case DW_OP_addr:
		v->where = TYPED_STATIC;
		v->offset = (int64_t)ops[0].number;
		return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		v->where = TYPED_STATIC;
		return read_indexed(a, &ops[0], v);
	default:
		return false;
	}
}

static void debug_function_add_variable(struct debug_function_walk *w,
					const struct typed_variable *v)
{
	if (v->start < v->end && w->out->variables.n < VARIABLES_MAX)
		*ARRAY_ADD(&w->out->variables) = *v;
}

/* Adds a location that is not a list, which is valid in all of its block. */
static void add_everywhere(struct debug_function_walk *w, Dwarf_Die *scope, struct typed_variable v)
{
	Dwarf_Addr base;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(scope, at, &base, &v.start, &v.end)) > 0;)
		debug_function_add_variable(w, &v);
}

/* A location of a variable: an expression, and the code for which it is valid. */
struct location {
	Dwarf_Attribute attribute;
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	size_t n;
};

static void add_located(struct debug_function_walk *w, Dwarf_Die *scope, const struct location *l,
			struct typed_variable v)
{
	v.start = l->start;
	v.end = l->end;
	if (!l->start && l->end == UINT64_MAX)
		add_everywhere(w, scope, v);
	else
		debug_function_add_variable(w, &v);
}

/*
 * Settles a piece of the variable @whole, at @offset of it, whose place is in @v. A piece in a
 * register is a variable of its own. A piece in memory gives the place of the whole; *@has_memory:
 * another piece has given it already.
 */
static bool settle_piece(const struct typed_variable *whole, uint64_t offset, uint64_t size,
			 struct typed_variable *v, bool *has_memory)
{
	switch (v->where) {
	case TYPED_REGISTER:
	case TYPED_SUM:
		v->type = c_type_piece(whole->type, offset, size);
		return v->type;
	case TYPED_AT_REGISTER:
	case TYPED_FRAME:
		v->offset = (int64_t)((uint64_t)v->offset - offset);
		if (*has_memory)
			return false;
		*has_memory = true;
		return true;
	default:
		return false;
	}
}

/*
 * Adds the pieces of a structure, such as a Rust slice: a pointer in one register, a length in
 * another.
 */
static void debug_function_add_pieces(struct debug_function_walk *w, Dwarf_Die *scope,
				      struct location *l, const struct typed_variable *whole)
{
	uint64_t at = 0;
	bool has_memory = false;

	for (size_t i = 0, first = 0; i < l->n && l->ops[i].atom != DW_OP_bit_piece; i++) {
		struct typed_variable v = *whole;

		if (l->ops[i].atom != DW_OP_piece)
			continue;
		if (debug_function_read_place(&w->base, &l->attribute, &l->ops[first], i - first,
					      &v) &&
		    settle_piece(whole, at, l->ops[i].number, &v, &has_memory))
			add_located(w, scope, l, v);
		at += l->ops[i].number;
		first = i + 1;
	}
}

static bool is_in_pieces(const struct location *l)
{
	return l->n && l->ops[l->n - 1].atom == DW_OP_piece;
}

static void read_variable(struct debug_function_walk *w, Dwarf_Die *scope, Dwarf_Die *die,
			  unsigned depth)
{
	struct typed_variable v = { .depth = depth < UINT8_MAX ? (uint8_t)depth : UINT8_MAX };
	struct location l;
	ptrdiff_t at = 0;

	if (!dwarf_attr_integrate(die, DW_AT_location, &l.attribute))
		return;
	while ((at = dwarf_getlocations(&l.attribute, at, &l.base, &l.start, &l.end, &l.ops,
					&l.n)) > 0) {
		bool in_pieces = is_in_pieces(&l);

		if (!in_pieces &&
		    !debug_function_read_place(&w->base, &l.attribute, l.ops, l.n, &v))
			continue;
		if (!v.type)
			v.type = debug_type_of(w->info, die);
		if (!v.type)
			return;
		if (in_pieces)
			debug_function_add_pieces(w, scope, &l, &v);
		else
			add_located(w, scope, &l, v);
	}
}

/* Finds the callee of a call site: a declaration, or a function with code. */
static bool called_of(Dwarf_Die *site, Dwarf_Die *ret)
{
	Dwarf_Attribute a;

	return (dwarf_attr(site, DW_AT_call_origin, &a) ||
		dwarf_attr(site, DW_AT_abstract_origin, &a)) &&
	       dwarf_formref_die(&a, ret);
}

static bool is_final(Dwarf_Die *function)
{
	Dwarf_Attribute a;
	bool is_set = false;

	return dwarf_attr_integrate(function, DW_AT_noreturn, &a) &&
	       dwarf_formflag(&a, &is_set) == 0 && is_set;
}

static void read_call(struct debug_function_walk *w, Dwarf_Die *site)
{
	Dwarf_Attribute a;
	Dwarf_Addr addr;
	Dwarf_Die called;

	if (!called_of(site, &called) ||
	    !(dwarf_attr(site, DW_AT_call_return_pc, &a) || dwarf_attr(site, DW_AT_low_pc, &a)) ||
	    dwarf_formaddr(&a, &addr) != 0 || w->out->calls.n >= VARIABLES_MAX)
		return;
	*ARRAY_ADD(&w->out->calls) = (struct typed_call){
		.addr = addr,
		.type = debug_type_of(w->info, &called),
		.is_final = is_final(&called),
	};
}

static void walk_scope(struct debug_function_walk *w, Dwarf_Die *scope, unsigned depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(scope, &die) != 0)
		return;
	do {
		if ((uintptr_t)die.addr <= (uintptr_t)w->reached)
			return;
		w->reached = die.addr;
		switch (dwarf_tag(&die)) {
		case DW_TAG_formal_parameter:
		case DW_TAG_variable:
			read_variable(w, scope, &die, depth);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
		case DW_TAG_inlined_subroutine:
			walk_scope(w, &die, depth + 1);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			read_call(w, &die);
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static int debug_function_by_start(const void *a, const void *b)
{
	const struct typed_variable *x = a, *y = b;

	return x->start != y->start ? (x->start < y->start ? -1 : 1) : (int)x->depth - y->depth;
}

static int debug_function_by_addr(const void *a, const void *b)
{
	const struct typed_call *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static void read_ranges(struct debug_function_types *f, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;

	for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
		if (dwarf_range_is_live(start, end) && f->ranges.n < VARIABLES_MAX)
			*ARRAY_ADD(&f->ranges) = (struct code_range){ start, end };
}

int debug_function_types_read(struct debug_info *d, uint64_t addr, struct debug_function_types *ret)
{
	struct dwarf_unit *u = debug_unit_at(d, addr);
	struct debug_function_types f = { .entry = 0 };
	struct debug_function_walk w = { .info = d, .out = &f };
	Dwarf_Die function;

	if (!u)
		return -ENODATA;
	if (!dwarf_unit_function(u, addr, &function))
		return -ENOENT;
	debug_entry_start(&function, &f.entry);
	f.returned = debug_type_of(d, &function);
	read_ranges(&f, &function);
	read_frame_base(&w, &function);
	walk_scope(&w, &function, 0);
	if (f.variables.n)
		qsort(f.variables.items, f.variables.n, sizeof(f.variables.items[0]),
		      debug_function_by_start);
	if (f.calls.n)
		qsort(f.calls.items, f.calls.n, sizeof(f.calls.items[0]), debug_function_by_addr);
	*ret = f;
	return 0;
}

const struct c_type *debug_returned_type(struct debug_info *d, uint64_t addr)
{
	struct dwarf_unit *u = debug_unit_at(d, addr);
	Dwarf_Die function;

	return u && dwarf_unit_function(u, addr, &function) ? debug_type_of(d, &function) : NULL;
}

bool debug_never_returns(struct debug_info *d, uint64_t addr)
{
	struct dwarf_unit *u = debug_unit_at(d, addr);
	Dwarf_Die function;

	return u && dwarf_unit_function(u, addr, &function) && is_final(&function);
}
