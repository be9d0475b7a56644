/* SPDX-License-Identifier: MIT */
#include "arch/x86-walk.h"

#include <string.h>

#include "arch/access.h"
#include "arch/code-walk.h"

/* DWARF's register numbers. */
#define RBP 6
#define RSP 7

#define X86_INSTRUCTION_MAX 15

/* Limits on the number of instructions: on one path, and on all of them. */
#define LENGTH_MAX 512
#define ALL_MAX    2048

static bool x86_path_has_start_fp(const struct code_path *p)
{
	return !p->fp_is_set && !p->fp_is_lost && !p->has_fp;
}

static void x86_path_push(struct code_path *p, uint8_t reg)
{
	p->sp -= 8;
	if (reg == RBP && x86_path_has_start_fp(p)) {
		p->stores_fp = true;
		p->fp_at = p->sp;
	}
}

/*
 * Follows a load of rbp from @at. The value is what the path has pushed there, or else the
 * caller's.
 */
static void x86_path_load_fp(struct code_path *p, int64_t at)
{
	p->has_fp = !(p->stores_fp && at == p->fp_at);
	p->fp_is_set = p->fp_is_lost = p->stores_fp = false;
	p->fp_at = at;
}

/* Sets rsp to rbp plus @offset. */
static enum code_path_state x86_path_sp_from_fp(struct code_path *p, int64_t offset)
{
	p->has_freed = true;
	p->sp_is_unknown = false;
	if (p->fp_is_set) {
		p->sp = p->fp + offset;
		return PATH_GOES_ON;
	}
	if (!x86_path_has_start_fp(p))
		return PATH_IS_LOST;
	p->stores_fp = false; /* the place where it was stored is not known relative to rbp */
	p->sp_from_fp = true;
	p->sp = offset;
	return PATH_GOES_ON;
}

static void x86_path_move_sp(struct code_path *p, int64_t offset)
{
	p->sp += offset;
	p->has_freed |= offset > 0;
}

/* Sets rbp to rsp plus @offset. */
static void x86_path_set_fp(struct code_path *p, int64_t offset)
{
	p->has_fp = false;
	p->fp_is_set = !p->sp_is_unknown;
	p->fp_is_lost = p->sp_is_unknown;
	p->fp = p->sp + offset;
}

static bool is_offset_from(const struct code_access *a, uint8_t base)
{
	return a->memory.base == base && a->memory.index == ACCESS_NONE &&
	       a->memory.segment == ACCESS_FLAT;
}

/* Follows an instruction that sets rsp. */
static enum code_path_state x86_path_set_sp(struct code_path *p, const struct code_access *a)
{
	if (a->action == ACCESS_COPY && a->from == RBP)
		return x86_path_sp_from_fp(p, 0);
	if (a->action == ACCESS_ADDRESS && is_offset_from(a, RBP))
		return x86_path_sp_from_fp(p, a->memory.offset);
	if (a->action == ACCESS_ADDRESS && is_offset_from(a, RSP))
		x86_path_move_sp(p, a->memory.offset);
	else
		p->sp_is_unknown = true;
	return PATH_GOES_ON;
}

static bool access_sets(const struct code_access *a, uint8_t reg)
{
	if (a->written >> reg & 1)
		return true;
	switch (a->action) {
	case ACCESS_OTHER:
	case ACCESS_STORE:
		return false;
	default:
		return a->to == reg;
	}
}

/* Follows an instruction that sets rbp, except pop. */
static void x86_path_fp_is_set(struct code_path *p, const struct code_access *a)
{
	if (a->action == ACCESS_COPY && a->from == RSP)
		x86_path_set_fp(p, 0);
	else if (a->action == ACCESS_ADDRESS && is_offset_from(a, RSP))
		x86_path_set_fp(p, a->memory.offset);
	else if (a->action == ACCESS_LOAD && a->size == 8 && is_offset_from(a, RSP))
		x86_path_load_fp(p, p->sp + a->memory.offset);
	else
		p->fp_is_lost = true;
}

/* Follows leave, or an instruction that pushes or pops. */
static enum code_path_state x86_path_stack(struct code_path *p, const struct code_access *a)
{
	if (a->action == ACCESS_STORE && a->before == -8) {
		x86_path_push(p, a->from);
		return PATH_GOES_ON;
	}
	if (a->action == ACCESS_LOAD && a->after == 8) {
		if (a->to == RSP)
			return PATH_IS_LOST;
		if (a->to == RBP)
			x86_path_load_fp(p, p->sp);
		x86_path_move_sp(p, 8);
		return PATH_GOES_ON;
	}
	if (!(a->written >> RBP & 1) || x86_path_sp_from_fp(p, 0) == PATH_IS_LOST)
		return PATH_IS_LOST;
	x86_path_load_fp(p, p->sp);
	x86_path_move_sp(p, 8);
	return PATH_GOES_ON;
}

/*
 * Follows a jump. A jump to a known target may be a tail call; the function called in this way
 * returns in its place. A jump through memory at a fixed address is a stub's. A jump through a
 * register is a tail call if the frame has been freed, else a table of a switch.
 */
static enum code_path_state x86_walk_jump(struct code_walk *k, struct code_path *p,
					  const struct code_access *a)
{
	if (a->has_target)
		return code_walk_jump(k, p, a->target);
	if (p->has_freed || (a->has_memory && a->memory.is_absolute && !p->has_called))
		return PATH_ENDS;
	return PATH_IS_LOST;
}

/* Follows one instruction; p->addr has already been advanced past it. */
static enum code_path_state x86_walk_advance(struct code_walk *k, struct code_path *p,
					     const struct code_access *a)
{
	switch (a->flow) {
	case ACCESS_BRANCH:
		return code_walk_branch(k, p, a->target);
	case ACCESS_JUMP:
		return x86_walk_jump(k, p, a);
	case ACCESS_CALL:
		p->has_called = true;
		return PATH_GOES_ON;
	case ACCESS_END: /* it returns or traps */
		return a->is_stack && !p->sp_is_unknown ? PATH_ENDS : PATH_IS_LOST;
	case ACCESS_ON:
		break;
	}
	if (a->is_stack)
		return x86_path_stack(p, a);
	x86_path_move_sp(p, a->stack_step);
	if (access_sets(a, RBP))
		x86_path_fp_is_set(p, a);
	return access_sets(a, RSP) ? x86_path_set_sp(p, a) : PATH_GOES_ON;
}

/* True if @code begins with endbr64, as functions do. Code after a call that returns never does. */
static bool begins_function(const uint8_t *code, size_t n)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	return n >= sizeof(endbr64) && !memcmp(code, endbr64, sizeof(endbr64));
}

/* True for pushf, popf and enter, which struct code_access does not describe as changes of rsp. */
static bool moves_sp_unseen(const uint8_t *code, size_t length)
{
	bool has_prefix = length == 2 && (code[0] == 0x66 || (code[0] & 0xf0) == 0x40);
	uint8_t opcode = code[has_prefix];

	return ((length == 1 || has_prefix) && (opcode == 0x9c || opcode == 0x9d)) ||
	       code[0] == 0xc8;
}

static enum code_path_state x86_walk_step(struct code_walk *k, struct code_path *p)
{
	uint8_t code[X86_INSTRUCTION_MAX];
	size_t n = k->read(k->arg, p->addr, code, sizeof(code));
	struct code_access a;

	if (!x86_access_read(code, n, p->addr, &a) || moves_sp_unseen(code, a.length) ||
	    (p->has_called && begins_function(code, n)))
		return PATH_IS_LOST;
	p->addr += a.length;
	return x86_walk_advance(k, p, &a);
}

static bool x86_path_frame(const struct code_path *p, struct code_frame *ret)
{
	/* the code has pushed something */
	bool is_stub = p->sp < 0 && !p->sp_from_fp && !p->has_freed;
	int64_t cfa = is_stub ? 8 : p->sp + 8;

	if (p->fp_is_set || p->fp_is_lost || p->sp_is_unknown)
		return false; /* rbp would not be the caller's */
	if (cfa < 8 && !p->sp_from_fp)
		return false;
	*ret = (struct code_frame){
		.has_cfa = true,
		.cfa_from_fp = p->sp_from_fp,
		.cfa_offset = (int32_t)cfa,
		.ra_is_saved = true,
		.ra_offset = -8,
		.fp_is_saved = p->has_fp,
		.fp_offset = p->has_fp ? (int32_t)(p->fp_at - cfa) : 0,
	};
	return true;
}

bool x86_frame_by_walk(code_read_fn *read, void *arg, uint64_t addr, struct code_frame *ret)
{
	struct code_walk k = { .read = read,
			       .arg = arg,
			       .length_max = LENGTH_MAX,
			       .left = ALL_MAX,
			       .step = x86_walk_step,
			       .frame = x86_path_frame };

	return code_walk(&k, addr, ret);
}
