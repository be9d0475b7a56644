/* SPDX-License-Identifier: MIT */
/*
 * Evaluates locations. DWARF describes a place by a program for a stack machine. Here values on the
 * stack are constants, or chains: add a number to a register or an address, read the word there,
 * add again, and so on, as the kernel's probes do. A program whose result is neither is
 * VARIABLE_OTHER.
 */
#include "dwarf/debug-location.h"

#include <dwarf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/c-type.h"
#include "dwarf/debug-code.h"
#include "dwarf/debug-info-internal.h"
#include "dwarf/debug-variables.h"
#include "dwarf/file.h"
#include "elf/file.h"

#define STACK_MAX 16
/* The depth of nested expressions: frame bases, entry values. */
#define DEPTH_MAX 4

enum value_kind {
	VALUE_CONSTANT,
	VALUE_CHAIN,
	VALUE_THREAD, /* in thread-local storage */
};

struct debug_location_value {
	enum value_kind kind;
	uint64_t number;             /* value of a constant */
	struct variable_place chain; /* is_static, reg, addr, steps */
};

struct debug_location_machine {
	const struct location_context *context;
	unsigned depth;
	struct debug_location_value stack[STACK_MAX];
	size_t n;
	/* the result of DW_OP_reg and similar operations, if @is_direct */
	struct variable_place direct;
	bool is_direct;
	bool is_unframed; /* it needs a frame that does not exist at this address */
};

static bool debug_location_run(struct debug_location_machine *m, Dwarf_Attribute *a,
			       const Dwarf_Op *ops, size_t n);

static bool debug_location_push(struct debug_location_machine *m, struct debug_location_value v)
{
	if (m->n == STACK_MAX)
		return false;
	m->stack[m->n++] = v;
	return true;
}

static bool push_constant(struct debug_location_machine *m, uint64_t number)
{
	return debug_location_push(
		m, (struct debug_location_value){ .kind = VALUE_CONSTANT, .number = number });
}

static bool debug_location_push_register(struct debug_location_machine *m, unsigned reg,
					 int64_t offset)
{
	return debug_location_push(
		m, (struct debug_location_value){
			   .kind = VALUE_CHAIN,
			   .chain = { .reg = reg, .steps = { offset }, .n_steps = 1 } });
}

static bool push_address(struct debug_location_machine *m, uint64_t addr)
{
	return debug_location_push(
		m, (struct debug_location_value){
			   .kind = VALUE_CHAIN,
			   .chain = { .is_static = true, .addr = addr, .n_steps = 1 } });
}

static struct debug_location_value *debug_location_top(struct debug_location_machine *m)
{
	return m->n ? &m->stack[m->n - 1] : NULL;
}

static bool debug_location_add(struct debug_location_value *v, uint64_t number)
{
	if (!v || v->kind == VALUE_THREAD)
		return false;
	if (v->kind == VALUE_CONSTANT)
		v->number += number;
	else
		v->chain.steps[v->chain.n_steps - 1] += (int64_t)number;
	return true;
}

/* Replaces the value on top by the word that it points to. */
static bool debug_location_load(struct debug_location_machine *m)
{
	struct debug_location_value *v = debug_location_top(m);

	if (!v || v->kind != VALUE_CHAIN || v->chain.n_steps == VARIABLE_STEPS_MAX)
		return false;
	v->chain.steps[v->chain.n_steps++] = 0;
	return true;
}

/* Adds or subtracts. One value must be a number; in a subtraction the second. */
static bool debug_location_combine(struct debug_location_machine *m, bool minus)
{
	if (m->n < 2)
		return false;

	struct debug_location_value *a = &m->stack[m->n - 2], *b = &m->stack[m->n - 1];

	m->n--;
	if (b->kind == VALUE_CONSTANT)
		return debug_location_add(a, minus ? -b->number : b->number);
	if (minus || a->kind != VALUE_CONSTANT || !debug_location_add(b, a->number))
		return false;
	*a = *b;
	return true;
}

/* Computes a number from others, because compilers do not fold constants in expressions. */
static bool debug_location_compute(struct debug_location_machine *m, unsigned op)
{
	if (m->n < 2)
		return false;

	struct debug_location_value *a = &m->stack[m->n - 2], *b = &m->stack[m->n - 1];

	if (a->kind != VALUE_CONSTANT || b->kind != VALUE_CONSTANT)
		return false;
	m->n--;
	switch (op) {
	case DW_OP_and:
		a->number &= b->number;
		return true;
	case DW_OP_or:
		a->number |= b->number;
		return true;
	case DW_OP_mul:
		a->number *= b->number;
		return true;
	case DW_OP_shl:
		a->number = b->number < 64 ? a->number << b->number : 0;
		return true;
	default:
		return false;
	}
}

/* Runs the expression of another attribute or table and pushes its value. */
static bool run_within(struct debug_location_machine *m, Dwarf_Attribute *a, const Dwarf_Op *ops,
		       size_t n)
{
	struct debug_location_machine inner = { .context = m->context, .depth = m->depth + 1 };

	if (inner.depth > DEPTH_MAX || !debug_location_run(&inner, a, ops, n))
		return false;
	/* A frame base in a register is that register's contents. */
	if (inner.is_direct)
		return inner.direct.where == VARIABLE_REGISTER &&
		       debug_location_push_register(m, inner.direct.reg, 0);
	return debug_location_top(&inner) && debug_location_push(m, *debug_location_top(&inner));
}

static bool run_cfa(struct debug_location_machine *m, Dwarf_CFI *cfi)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t n;

	if (!cfi || dwarf_cfi_addrframe(cfi, m->context->addr, &frame) != 0)
		return false;

	bool done = dwarf_frame_cfa(frame, &ops, &n) == 0 && n > 0 && run_within(m, NULL, ops, n);

	free(frame);
	return done;
}

/* Computes the CFA from .eh_frame of @file. */
static bool run_file_cfa(struct debug_location_machine *m, struct elf_file *file)
{
	Dwarf_CFI *cfi = file ? dwarf_getcfi_elf(elf_file_handle(file)) : NULL;
	bool done = run_cfa(m, cfi);

	dwarf_cfi_end(cfi);
	return done;
}

/* Pushes the canonical frame address. A separate debug file has no .eh_frame, or an empty one. */
static bool push_cfa(struct debug_location_machine *m)
{
	struct debug_info *d = m->context->info;
	struct dwarf_file *file = debug_info_file(d);

	return run_cfa(m, dwarf_getcfi(dwarf_file_handle(file))) || run_file_cfa(m, d->program) ||
	       run_file_cfa(m, dwarf_file_elf(file));
}

/* Sets @ret to the canonical frame address of the function at @addr. */
static bool cfa_at(const struct debug_location_machine *m, uint64_t addr,
		   struct variable_place *ret)
{
	struct location_context context = *m->context;
	struct debug_location_machine cfa = { .context = &context, .depth = m->depth + 1 };

	context.addr = addr;
	if (!push_cfa(&cfa) || debug_location_top(&cfa)->kind != VALUE_CHAIN)
		return false;
	*ret = debug_location_top(&cfa)->chain;
	return true;
}

/*
 * True if the frame base is valid. A frame base in a register is valid only after the prologue has
 * set that register: the frame pointer if the CFA is counted from it, the stack pointer if the CFA
 * is as far from it as after the prologue. Without CFI the frame base is assumed to be valid.
 */
static bool has_frame(const struct debug_location_machine *m, const Dwarf_Op *base)
{
	struct elf_file *file = dwarf_file_elf(debug_info_file(m->context->info));
	const struct arch *a = arch_of_elf(elf_file_machine(file));
	unsigned reg = (unsigned)(base->atom - DW_OP_reg0);
	struct variable_place here, body;
	Dwarf_Die function = m->context->function;

	if (!a || !a->convention || base->atom < DW_OP_reg0 || base->atom > DW_OP_reg31 ||
	    !cfa_at(m, m->context->addr, &here))
		return true;
	if (reg == a->convention->fp)
		return here.reg == reg;
	return reg != a->convention->sp || here.reg != reg ||
	       !cfa_at(m, debug_entry_body(&function, m->context->addr), &body) ||
	       (body.reg == reg && body.steps[0] == here.steps[0]);
}

static bool push_frame_base(struct debug_location_machine *m)
{
	Dwarf_Die function = m->context->function;
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr_integrate(&function, DW_AT_frame_base, &a) ||
	    dwarf_getlocation_addr(&a, m->context->addr, &ops, &n, 1) != 1 || !n)
		return false;
	m->is_unframed = n == 1 && !has_frame(m, &ops[0]);
	return !m->is_unframed && run_within(m, &a, ops, n);
}

/* Reads a number or an address to which the operation refers by an index. */
static bool dwarf_debug_location_indexed(Dwarf_Attribute *a, const Dwarf_Op *op, uint64_t *ret)
{
	Dwarf_Attribute result;
	Dwarf_Word number;
	Dwarf_Addr addr;

	if (!a || dwarf_getlocation_attr(a, op, &result) != 0)
		return false;
	if (dwarf_formaddr(&result, &addr) == 0)
		*ret = addr;
	else if (dwarf_formudata(&result, &number) == 0)
		*ret = number;
	else
		return false;
	return true;
}

/* Pushes the value of a register at the function's entry, which is the current place. */
static bool push_entry_value(struct debug_location_machine *m, Dwarf_Attribute *a,
			     const Dwarf_Op *op)
{
	Dwarf_Attribute block;
	Dwarf_Op *ops;
	size_t n;

	return m->context->at_entry && a && dwarf_getlocation_attr(a, op, &block) == 0 &&
	       dwarf_getlocation(&block, &ops, &n) == 0 && n == 1 && run_within(m, &block, ops, n);
}

static bool set_direct(struct debug_location_machine *m, struct variable_place place)
{
	if (m->n || m->is_direct)
		return false;
	m->direct = place;
	m->is_direct = true;
	return true;
}

/* Sets a value whose bytes are in the expression. */
static bool set_implicit(struct debug_location_machine *m, Dwarf_Attribute *a, const Dwarf_Op *op)
{
	Dwarf_Block block;
	uint64_t value = 0;

	if (!a || dwarf_getlocation_implicit_value(a, op, &block) != 0 || block.length > 8)
		return false;
	/* In the byte order of the machine; only little-endian ones are supported. */
	for (size_t i = 0; i < block.length; i++)
		value |= (uint64_t)block.data[i] << (8 * i);
	return set_direct(m, (struct variable_place){ .where = VARIABLE_CONSTANT, .value = value });
}

static struct variable_place place_of_value(const struct debug_location_value *v, bool is_value)
{
	struct variable_place p = { .where = VARIABLE_OTHER };

	if (v->kind == VALUE_CONSTANT)
		return (struct variable_place){
			.where = is_value ? VARIABLE_CONSTANT : VARIABLE_OTHER,
			.value = v->number,
		};
	if (v->kind == VALUE_THREAD)
		return (struct variable_place){ .where = VARIABLE_THREAD };
	p = v->chain;
	p.where = is_value ? VARIABLE_ADDRESS : VARIABLE_MEMORY;
	if (!is_value || p.steps[p.n_steps - 1])
		return p;
	/* The value is the last word that was read, so it is in memory. */
	if (p.n_steps > 1) {
		p.n_steps--;
		p.where = VARIABLE_MEMORY;
	} else if (!p.is_static) {
		p.where = VARIABLE_REGISTER;
	}
	return p;
}

static bool debug_location_set_value(struct debug_location_machine *m)
{
	struct debug_location_value *v = debug_location_top(m);

	if (!v)
		return false;

	struct variable_place p = place_of_value(v, true);

	m->n = 0;
	return set_direct(m, p);
}

/* Sets the location to that of a thread-local variable. */
static bool debug_location_set_thread(struct debug_location_machine *m)
{
	if (!debug_location_top(m))
		return false;
	debug_location_top(m)->kind = VALUE_THREAD;
	return true;
}

static bool run_simple(struct debug_location_machine *m, const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push_constant(m, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return debug_location_push_register(m, op->atom - DW_OP_breg0, (int64_t)op->number);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return set_direct(m, (struct variable_place){ .where = VARIABLE_REGISTER,
							      .reg = op->atom - DW_OP_reg0 });
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push_constant(m, op->number);
	case DW_OP_regx:
		return set_direct(m, (struct variable_place){ .where = VARIABLE_REGISTER,
							      .reg = (unsigned)op->number });
	case DW_OP_bregx:
		return debug_location_push_register(m, (unsigned)op->number, (int64_t)op->number2);
	case DW_OP_addr:
		return push_address(m, op->number);
	case DW_OP_plus_uconst:
		return debug_location_add(debug_location_top(m), op->number);
	case DW_OP_plus:
		return debug_location_combine(m, false);
	case DW_OP_minus:
		return debug_location_combine(m, true);
	case DW_OP_deref:
		return debug_location_load(m);
	case DW_OP_nop:
		return true;
	case DW_OP_stack_value:
		return debug_location_set_value(m);
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		return debug_location_set_thread(m);
	default:
		return debug_location_compute(m, op->atom);
	}
}

static bool debug_location_run_one(struct debug_location_machine *m, Dwarf_Attribute *a,
				   const Dwarf_Op *op)
{
	uint64_t number;

	switch (op->atom) {
	case DW_OP_fbreg:
		return push_frame_base(m) && debug_location_add(debug_location_top(m), op->number);
	case DW_OP_call_frame_cfa:
		return push_cfa(m);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return dwarf_debug_location_indexed(a, op, &number) && push_address(m, number);
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return dwarf_debug_location_indexed(a, op, &number) && push_constant(m, number);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return push_entry_value(m, a, op);
	case DW_OP_implicit_value:
		return set_implicit(m, a, op);
	default:
		return run_simple(m, op);
	}
}

static bool debug_location_run(struct debug_location_machine *m, Dwarf_Attribute *a,
			       const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!debug_location_run_one(m, a, &ops[i]))
			return false;
	return true;
}

/* Returns the place that @n operations describe: of a variable, or of one piece of it. */
static struct variable_place debug_location_read_place(const struct location_context *c,
						       Dwarf_Attribute *a, const Dwarf_Op *ops,
						       size_t n)
{
	struct debug_location_machine m = { .context = c };

	if (!n)
		return (struct variable_place){ .where = VARIABLE_NOWHERE };
	if (!debug_location_run(&m, a, ops, n))
		return (struct variable_place){
			.where = m.is_unframed ? VARIABLE_UNFRAMED : VARIABLE_OTHER,
		};
	if (m.is_direct)
		return m.direct;
	return debug_location_top(&m) ? place_of_value(debug_location_top(&m), false)
				      : (struct variable_place){ .where = VARIABLE_OTHER };
}

/* Reads a location of several pieces. False: pieces are parts of bytes, or too many. */
static bool read_pieces(const struct location_context *c, Dwarf_Attribute *a, const Dwarf_Op *ops,
			size_t n, struct debug_variable *v)
{
	uint64_t at = 0;

	for (size_t i = 0, from = 0; i < n; from = ++i) {
		for (; i < n && ops[i].atom != DW_OP_piece; i++)
			if (ops[i].atom == DW_OP_bit_piece)
				return false;
		if (i == n || v->n_pieces == VARIABLE_PIECES_MAX)
			return false;

		struct variable_place *p = &v->pieces[v->n_pieces++];

		*p = debug_location_read_place(c, a, ops + from, i - from);
		p->offset = at;
		p->size = ops[i].number;
		at += p->size;
	}
	return true;
}

static bool has_pieces(const Dwarf_Op *ops, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ops[i].atom == DW_OP_piece || ops[i].atom == DW_OP_bit_piece)
			return true;
	return false;
}

static void read_ops(const struct location_context *c, Dwarf_Attribute *a, const Dwarf_Op *ops,
		     size_t n, struct debug_variable *v)
{
	if (!has_pieces(ops, n)) {
		v->place = debug_location_read_place(c, a, ops, n);
		return;
	}
	if (!read_pieces(c, a, ops, n, v)) {
		v->n_pieces = 0;
		v->place.where = VARIABLE_OTHER;
		return;
	}
	v->place = v->pieces[0];
	/* A single piece that is the whole variable. */
	if (v->n_pieces == 1 && v->place.size >= c_type_size(v->type))
		v->n_pieces = 0;
}

/* True if the expression is plain. Only the first operation counts. */
static bool debug_location_is_plain(const Dwarf_Op *ops, size_t n)
{
	if (!n)
		return false;
	return (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_bregx) ||
	       ops[0].atom == DW_OP_addr || ops[0].atom == DW_OP_addrx;
}

/* Reads DW_AT_const_value, which may have fewer bytes than the variable. */
static bool read_constant(Dwarf_Die *die, struct debug_variable *v)
{
	Dwarf_Attribute a;
	Dwarf_Sword number;
	Dwarf_Block block;

	if (!dwarf_attr_integrate(die, DW_AT_const_value, &a))
		return false;
	v->place.where = VARIABLE_CONSTANT;
	v->is_plain = true;
	if (dwarf_formsdata(&a, &number) == 0) {
		v->place.value = (uint64_t)number;
	} else if (dwarf_formblock(&a, &block) == 0 && block.length <= 8) {
		memcpy(&v->place.value, block.data, block.length);
	} else {
		v->place.where = VARIABLE_OTHER;
		v->is_plain = false;
	}
	return true;
}

/* True if the first location of a list is plain, whatever its address. */
static bool first_is_plain(Dwarf_Attribute *a)
{
	Dwarf_Addr base, start, end;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_getlocations(a, 0, &base, &start, &end, &ops, &n) > 0 &&
	       debug_location_is_plain(ops, n);
}

void debug_location_read(const struct location_context *c, Dwarf_Die *die, struct debug_variable *v)
{
	Dwarf_Attribute a;
	Dwarf_Op *ops;
	size_t n;

	v->place.where = VARIABLE_NOWHERE;
	if (!dwarf_attr_integrate(die, DW_AT_location, &a)) {
		read_constant(die, v);
	} else if (dwarf_getlocation_addr(&a, c->addr, &ops, &n, 1) == 1) {
		v->is_plain = debug_location_is_plain(ops, n);
		read_ops(c, &a, ops, n, v);
	} else {
		v->is_elsewhere = first_is_plain(&a);
	}
}
bool debug_location_is_thread_local(const Dwarf_Op *ops, size_t n)
{
	return n == 2 &&
	       (ops[1].atom == DW_OP_form_tls_address || ops[1].atom == DW_OP_GNU_push_tls_address);
}

bool debug_location_indexed(Dwarf_Attribute *a, const Dwarf_Op *op, uint64_t *ret)
{
	Dwarf_Attribute result;
	Dwarf_Addr addr;

	/* DW_OP_constx and DW_OP_GNU_const_index lead to a number. */
	if (dwarf_getlocation_attr(a, op, &result) != 0 ||
	    (dwarf_formaddr(&result, &addr) != 0 && dwarf_formudata(&result, &addr) != 0))
		return false;
	*ret = addr;
	return true;
}
