/* SPDX-License-Identifier: MIT */
#include "arch/x86-walk.h"

#include <stddef.h>
#include <string.h>

#include "arch/access.h"

/* DWARF's register numbers. */
#define RBP 6
#define RSP 7

#define X86_INSTRUCTION_MAX 15

/* Limits on the number of instructions: on one path, and on all of them. */
#define LENGTH_MAX 512
#define ALL_MAX    2048

/* The number of paths that may wait to be tried; more are dropped. */
#define PATHS_MAX 16

/* No frame is larger than this. */
#define FRAME_MAX (1 << 28)

/* The number of targets of branches and jumps that are noted; more are ignored. */
#define TARGETS_MAX 64

/* A path. Offsets are counted from the rsp (or, with sp_from_fp, the rbp) at its start. */
struct x86_walk_path {
	uint64_t addr;
	int64_t sp, fp;
	/* place from which rbp was loaded (@has_fp) or to which it was pushed (@stores_fp) */
	int64_t fp_at;
	bool sp_from_fp;    /* offsets are from rbp */
	bool sp_is_unknown; /* rsp was aligned, or computed in another way */
	bool fp_is_set;     /* rbp was set to @fp on the path */
	bool fp_is_lost;    /* rbp was set to something else */
	bool has_fp;        /* rbp was loaded: it is the caller's */
	bool stores_fp;     /* rbp was pushed as it was at the start */
	bool has_called;
	bool has_freed; /* rsp has grown */
};

struct x86_walk {
	code_read_fn *read;
	void *arg;
	struct x86_walk_path paths[PATHS_MAX]; /* paths still to be tried */
	size_t n;
	uint64_t targets[TARGETS_MAX]; /* already followed, or waiting in @paths */
	size_t n_targets;
	unsigned left; /* instructions that may still be read */
};

enum progress {
	PATH_GOES_ON,
	PATH_ENDS, /* the function returns */
	PATH_IS_LOST,
};

static bool path_has_start_fp(const struct x86_walk_path *p)
{
	return !p->fp_is_set && !p->fp_is_lost && !p->has_fp;
}

static void path_push(struct x86_walk_path *p, uint8_t reg)
{
	p->sp -= 8;
	if (reg == RBP && path_has_start_fp(p)) {
		p->stores_fp = true;
		p->fp_at = p->sp;
	}
}

/*
 * Follows a load of rbp from @at. The value is what the path has pushed there, or else the
 * caller's.
 */
static void path_load_fp(struct x86_walk_path *p, int64_t at)
{
	p->has_fp = !(p->stores_fp && at == p->fp_at);
	p->fp_is_set = p->fp_is_lost = p->stores_fp = false;
	p->fp_at = at;
}

/* Sets rsp to rbp plus @offset. */
static enum progress path_sp_from_fp(struct x86_walk_path *p, int64_t offset)
{
	p->has_freed = true;
	p->sp_is_unknown = false;
	if (p->fp_is_set) {
		p->sp = p->fp + offset;
		return PATH_GOES_ON;
	}
	if (!path_has_start_fp(p))
		return PATH_IS_LOST;
	p->stores_fp = false; /* the place where it was stored is not known relative to rbp */
	p->sp_from_fp = true;
	p->sp = offset;
	return PATH_GOES_ON;
}

static void path_move_sp(struct x86_walk_path *p, int64_t offset)
{
	p->sp += offset;
	p->has_freed |= offset > 0;
}

/* Sets rbp to rsp plus @offset. */
static void path_set_fp(struct x86_walk_path *p, int64_t offset)
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
static enum progress path_set_sp(struct x86_walk_path *p, const struct code_access *a)
{
	if (a->action == ACCESS_COPY && a->from == RBP)
		return path_sp_from_fp(p, 0);
	if (a->action == ACCESS_ADDRESS && is_offset_from(a, RBP))
		return path_sp_from_fp(p, a->memory.offset);
	if (a->action == ACCESS_ADDRESS && is_offset_from(a, RSP))
		path_move_sp(p, a->memory.offset);
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
static void path_fp_is_set(struct x86_walk_path *p, const struct code_access *a)
{
	if (a->action == ACCESS_COPY && a->from == RSP)
		path_set_fp(p, 0);
	else if (a->action == ACCESS_ADDRESS && is_offset_from(a, RSP))
		path_set_fp(p, a->memory.offset);
	else if (a->action == ACCESS_LOAD && a->size == 8 && is_offset_from(a, RSP))
		path_load_fp(p, p->sp + a->memory.offset);
	else
		p->fp_is_lost = true;
}

/* Follows leave, or an instruction that pushes or pops. */
static enum progress path_stack(struct x86_walk_path *p, const struct code_access *a)
{
	if (a->action == ACCESS_STORE && a->before == -8) {
		path_push(p, a->from);
		return PATH_GOES_ON;
	}
	if (a->action == ACCESS_LOAD && a->after == 8) {
		if (a->to == RSP)
			return PATH_IS_LOST;
		if (a->to == RBP)
			path_load_fp(p, p->sp);
		path_move_sp(p, 8);
		return PATH_GOES_ON;
	}
	if (!(a->written >> RBP & 1) || path_sp_from_fp(p, 0) == PATH_IS_LOST)
		return PATH_IS_LOST;
	path_load_fp(p, p->sp);
	path_move_sp(p, 8);
	return PATH_GOES_ON;
}

/* True if @target is reached for the first time. The frame there is the same on every path. */
static bool walk_is_new(struct x86_walk *k, uint64_t target)
{
	for (size_t i = 0; i < k->n_targets; i++)
		if (k->targets[i] == target)
			return false;
	if (k->n_targets == TARGETS_MAX)
		return false;
	k->targets[k->n_targets++] = target;
	return true;
}

/*
 * Follows a jump. A jump to a known target may be a tail call; the function called in this way
 * returns in its place. A jump through memory at a fixed address is a stub's. A jump through a
 * register is a tail call if the frame has been freed, else a table of a switch.
 */
static enum progress walk_jump(struct x86_walk *k, struct x86_walk_path *p,
			       const struct code_access *a)
{
	if (a->has_target) {
		p->addr = a->target;
		return walk_is_new(k, a->target) ? PATH_GOES_ON : PATH_IS_LOST;
	}
	if (p->has_freed || (a->has_memory && a->memory.is_absolute && !p->has_called))
		return PATH_ENDS;
	return PATH_IS_LOST;
}

static void walk_branch(struct x86_walk *k, const struct x86_walk_path *p, uint64_t target)
{
	if (k->n < PATHS_MAX && walk_is_new(k, target)) {
		k->paths[k->n] = *p;
		k->paths[k->n++].addr = target;
	}
}

/* Follows one instruction; p->addr has already been advanced past it. */
static enum progress walk_advance(struct x86_walk *k, struct x86_walk_path *p,
				  const struct code_access *a)
{
	switch (a->flow) {
	case ACCESS_BRANCH:
		walk_branch(k, p, a->target);
		return PATH_GOES_ON;
	case ACCESS_JUMP:
		return walk_jump(k, p, a);
	case ACCESS_CALL:
		p->has_called = true;
		return PATH_GOES_ON;
	case ACCESS_END: /* it returns or traps */
		return a->is_stack && !p->sp_is_unknown ? PATH_ENDS : PATH_IS_LOST;
	case ACCESS_ON:
		break;
	}
	if (a->is_stack)
		return path_stack(p, a);
	path_move_sp(p, a->stack_step);
	if (access_sets(a, RBP))
		path_fp_is_set(p, a);
	return access_sets(a, RSP) ? path_set_sp(p, a) : PATH_GOES_ON;
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

/* Follows @p to the function's end. False: the path does not lead there. */
static bool walk_follow(struct x86_walk *k, struct x86_walk_path *p)
{
	for (unsigned i = 0; i < LENGTH_MAX && k->left; i++, k->left--) {
		uint8_t code[X86_INSTRUCTION_MAX];
		size_t n = k->read(k->arg, p->addr, code, sizeof(code));
		struct code_access a;

		if (!x86_access_read(code, n, p->addr, &a) || moves_sp_unseen(code, a.length) ||
		    (p->has_called && begins_function(code, n)))
			return false;
		p->addr += a.length;
		switch (walk_advance(k, p, &a)) {
		case PATH_ENDS:
			return true;
		case PATH_IS_LOST:
			return false;
		case PATH_GOES_ON:
			break;
		}
		if (p->sp > FRAME_MAX || p->sp < -FRAME_MAX)
			return false;
	}
	return false;
}

/*
 * Computes the frame at the start of @p, which was followed to its end. False: such a frame is
 * impossible.
 */
static bool path_frame(const struct x86_walk_path *p, struct code_frame *ret)
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
	struct x86_walk k = { .read = read, .arg = arg, .left = ALL_MAX, .n = 1 };

	k.paths[0] = (struct x86_walk_path){ .addr = addr };
	while (k.n && k.left) {
		struct x86_walk_path p = k.paths[--k.n];

		if (walk_follow(&k, &p) && path_frame(&p, ret))
			return true;
	}
	return false;
}
